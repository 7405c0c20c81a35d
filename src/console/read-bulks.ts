import type { CommandContext } from "../discord/command-context.ts";
import { describeBulk, isUndone, progressOf } from "../feed/render/bulk.ts";
import { readBulks, type BulkSummary } from "../feed/render/bulk-summary.ts";
import type { RoomButton } from "../feed/rooms.ts";
import { authorizeIn } from "../moderation/authorize-server.ts";
import { listBulks } from "../moderation/bulks/bulk.ts";
import { encodeCustomId } from "../text/custom-id.ts";
import { showNumber } from "../text/numbered.ts";
import { readCursor } from "./run-button.ts";

const pageSize = 10;

/** Bulks of the channels that the person can see, newest first, with their progress and actions. */
export async function readBulksFor(context: CommandContext, { before }: Readonly<Record<string, string>>) {
  const { database, actor } = context;
  const channelIds = await authorizeIn(context, actor, "view");
  const start = readCursor(before);
  const from = start === undefined ? undefined : Number(start);
  const found = await listBulks(database.query, actor.guildId, channelIds, from, pageSize + 1);
  const shown = found.slice(0, pageSize);
  const ids = shown.map(({ id }) => id);
  const summaries = await readBulks(database.query, ids, channelIds);
  return {
    bulks: ids.flatMap((id) => {
      const bulk = summaries.get(id);
      return bulk ? [toRow(bulk)] : [];
    }),
    ...(found.length > pageSize && { next: String(shown.at(-1)?.number) }),
  };
}

function toRow(bulk: BulkSummary) {
  const number = showNumber("bulk", bulk.number);
  const { open } = progressOf(bulk);
  return {
    number,
    targets: bulk.targets,
    settled: bulk.targets - open,
    isUnderWay: bulk.endedAtMs === null,
    view: { embeds: [describeBulk(bulk)], buttons: [buttonsOf(bulk, number)] },
  };
}

function buttonsOf(bulk: BulkSummary, number: string): RoomButton[] {
  const run = (path: string, options: Readonly<Record<string, string>> = { number }) =>
    encodeCustomId({ kind: "run", path, options });
  const end: RoomButton =
    bulk.endedAtMs === null
      ? { customId: run("bulk stop"), label: "Stop", style: "danger" }
      : { customId: run("undo", { what: number }), label: "Undo", style: "danger" };
  return [
    ...(isUndone(bulk) ? [] : [end]),
    { customId: run("bulk show"), label: "Every target", style: "secondary" },
  ];
}
