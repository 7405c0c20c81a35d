import type { ListPage } from "../../src/discord/command.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { describeCounts, describeSelection, listChannels } from "../../src/feed/render/bulk.ts";
import { readBulks } from "../../src/feed/render/bulk-summary.ts";
import { en } from "../../src/languages/en.ts";
import { authorizeIn } from "../../src/moderation/authorize-server.ts";
import { listBulks } from "../../src/moderation/bulks/bulk.ts";
import { openBulkButtons } from "../shared/leading-buttons.ts";
import { showNumber } from "../../src/text/numbered.ts";
import { describeTime } from "../../src/text/message-text.ts";
import { showUser } from "../../src/text/show-doer.ts";
import { textView } from "../../src/discord/view.ts";

const pageSize = 10;

/** Newest first. */
export async function listOfBulks(context: CommandContext, cursor: string | undefined): Promise<ListPage> {
  const { database, actor } = context;
  const channelIds = await authorizeIn(context, actor, "view");
  const before = cursor === undefined ? undefined : Number(cursor);
  const bulks = await listBulks(database.query, actor.guildId, channelIds, before, pageSize + 1);
  const shown = bulks.slice(0, pageSize);
  const summaries = await readBulks(
    database.query,
    shown.map(({ id }) => id),
    channelIds,
  );
  const lines = shown.flatMap(({ id }) => {
    const bulk = summaries.get(id);
    if (!bulk) return [];
    const where = listChannels(bulk.channels.map((channel) => `/${channel.id}`));
    const when = describeTime(bulk.beganAtMs / 1000);
    const state = bulk.endedAtMs === null ? "under way: " : bulk.stoppedBy === null ? "" : "stopped: ";
    return [
      `**${showNumber("bulk", bulk.number)}** ${en.posts.bulk.kinds[bulk.kind]} in ${where} · ${state}${describeCounts(bulk)} · ${describeSelection(bulk)} · ${showUser(bulk.requestedBy)} ${when}`,
    ];
  });
  const last = shown.at(-1);
  return {
    view: {
      ...textView("plain", lines.join("\n") || "No bulks yet.", {
        title: "Bulks",
        ...(last && { footer: "Give a number to see one of them, and to /undo to undo it" }),
      }),
      buttons: openBulkButtons(shown),
    },
    ...(last && bulks.length > pageSize && { next: String(last.number) }),
  };
}
