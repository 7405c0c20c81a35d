import { z } from "zod";
import type { BotContext } from "../bot-context.ts";
import type { Queryable } from "../database/database.ts";
import { AppError } from "../errors.ts";
import { caseColumns, exportCasesBefore } from "../moderation/cases/export-cases.ts";
import { exportChangesBefore, setupChangeColumns } from "../observe/export-setup-changes.ts";
import { tableHead, tableLines, type TableRow } from "../text/table-file.ts";
import type { Health } from "./health.ts";
import { offerTask, ServerId } from "./operator-tasks.ts";

/** Where a page begins: among the cases of a channel, or after a change of the setup. */
const Place = z.strictObject({
  channelId: z.string().optional(),
  before: z.strictObject({ number: z.int(), requestedAtMs: z.int() }).optional(),
  changeId: z.int().optional(),
});

const Export = z.strictObject({
  server: ServerId,
  of: z.enum(["cases", "audit"]),
  format: z.enum(["csv", "jsonl"]),
  channel: z.string().optional(),
  /** UNIX milliseconds. */
  since: z.int().optional(),
  /** The place that the page before named as next. */
  place: Place.optional(),
});
type Export = z.infer<typeof Export>;

interface Page {
  columns: readonly string[];
  rows: readonly TableRow<string>[];
  next: z.infer<typeof Place> | undefined;
}

/** Serves `castellan export cases` and `export audit`: a page of the file, and the place where the next one begins. */
export function offerExports(health: Health, { database }: Pick<BotContext, "database">): void {
  offerTask(health, "exports", Export, async (request) => {
    const { format, place } = request;
    const channels = await findChannels(database.query, request);
    const { columns, rows, next } = await (request.of === "cases"
      ? readCases(database.query, request, channels)
      : readChanges(database.query, request));
    const head = place ? "" : tableHead(format, columns);
    return { text: head + tableLines(format, columns, rows), next };
  });
}

/** The channels to export, linked or not. Throws `not_found` if the server, or the channel in it, is unknown. */
async function findChannels(query: Queryable, { server, channel }: Export): Promise<string[]> {
  const known = await query
    .selectFrom("castellan.links")
    .select("channel_id")
    .where("guild_id", "=", server)
    .union(query.selectFrom("castellan.case_numbers").select("channel_id").where("guild_id", "=", server))
    .execute();
  const channels = known.map(({ channel_id }) => channel_id).toSorted();
  if (channels.length === 0)
    throw new AppError("not_found", `No channel was ever linked in the server ${server}.`);
  if (channel === undefined) return channels;
  if (channels.includes(channel)) return [channel];
  throw new AppError("not_found", `${channel} is not one of the server's channels: ${channels.join(", ")}.`);
}

/** One channel after the other, because each numbers its cases. */
async function readCases(
  query: Queryable,
  { server, since, place }: Export,
  channels: readonly string[],
): Promise<Page> {
  const { channelId = channels[0] ?? "", before } = place ?? {};
  const { rows, next } = await exportCasesBefore(
    query,
    { guildId: server, channelId, sinceMs: since },
    before,
  );
  const following = channels.find((one) => one > channelId);
  if (!next)
    return {
      columns: caseColumns,
      rows,
      next: following === undefined ? undefined : { channelId: following },
    };
  const { number, requestedAtMs } = next;
  return { columns: caseColumns, rows, next: { channelId, before: { number, requestedAtMs } } };
}

async function readChanges(query: Queryable, { server, channel, since, place }: Export): Promise<Page> {
  const channelIds = channel === undefined ? undefined : [channel];
  const filter = { guildId: server, channelIds, sinceMs: since };
  const { rows, next } = await exportChangesBefore(query, filter, place?.changeId);
  return { columns: setupChangeColumns, rows, next: next === undefined ? undefined : { changeId: next } };
}
