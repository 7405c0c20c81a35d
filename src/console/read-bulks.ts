import type { CommandContext } from "../discord/command-context.ts";
import { describeBulk, isUndone, progressOf } from "../feed/render/bulk.ts";
import { readBulks, type BulkSummary } from "../feed/render/bulk-summary.ts";
import type { RoomButton } from "../feed/rooms.ts";
import { runButton } from "../feed/run-button.ts";
import { authorizeIn } from "../moderation/authorize-server.ts";
import { listBulks } from "../moderation/bulks/bulk.ts";
import { showNumber } from "../text/numbered.ts";
import { cutPage, readPosition } from "./paging.ts";
import type { Requested } from "./request-schemas.ts";

const pageSize = 10;

/** Bulks of the channels that the person can see, newest first, with their progress and actions. */
export async function readBulksFor(context: CommandContext, { before }: Requested) {
  const channelIds = await authorizeIn(context, context.actor, "view");
  const { bulks, ...more } = await readBulkPage(context, channelIds, before, pageSize);
  return { bulks: bulks.map(toRow), ...more };
}

/** A page of the bulks that act in any of these channels, newest first. */
export async function readBulkPage(
  { database: { query }, actor }: CommandContext,
  channelIds: readonly string[],
  cursor: string | undefined,
  size: number,
): Promise<{ bulks: BulkSummary[]; next?: string }> {
  const found = await listBulks(query, actor.guildId, channelIds, readPosition(cursor), size + 1);
  const { shown, more } = cutPage(found, size, ({ number }) => number);
  const ids = shown.map(({ id }) => id);
  const summaries = await readBulks(query, ids, channelIds);
  return { bulks: ids.flatMap((id) => summaries.get(id) ?? []), ...more };
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
  const end = bulk.endedAtMs === null ? "Stop" : "Undo";
  return [
    ...(isUndone(bulk) ? [] : [runButton(end, "undo", { what: number }, "danger")]),
    runButton("Every target", "case show", { number }),
  ];
}
