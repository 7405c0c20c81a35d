import { sql, type RawBuilder } from "kysely";
import type { BotContext } from "../../bot-context.ts";
import { mapLimited } from "../../async.ts";
import { camelCased } from "../../database/camel-case.ts";
import type { Tx } from "../../database/database.ts";
import { createLease, isDue, isUnleased, noLease } from "../../database/lease.ts";
import type { CaseOutcome } from "../../database/tables/bot.ts";
import { groupBy } from "../../group-by.ts";
import { applyCase, shareRecords, waitsForLimit } from "../cases/apply.ts";
import type { Case } from "../cases/case.ts";
import { announceBulkChange } from "./announce.ts";
import { channelsOf, type Bulk } from "./bulk.ts";

/** Cases of a bulk that are taken at once, and how many run in parallel: people's commands come between. */
const [together, concurrency] = [24, 4];
/** Minimum milliseconds until a bulk, and a blocked case, is checked again. */
const [shortPause, longPause] = [2_000, 15_000];

export interface Run {
  signal?: AbortSignal;
  /** By performance.now(): no case is begun after it. */
  until?: number;
  /** Called after each few cases. */
  onProgress?: () => Promise<void>;
}

/**
 * Continues a bulk until all of its cases are settled, it has to wait, or the time is over. Any number of workers may call
 * this at once: one of them works on it, and a killed worker's lease expires. Each case has its own lease too, so even two
 * workers would apply each once. Returns the milliseconds until there is more to do, if known.
 */
export async function runBulk(
  context: BotContext,
  bulkId: number,
  run: Run = {},
): Promise<number | undefined> {
  for (let bulk = await take(context, bulkId); bulk; bulk = await renew(context, bulk)) {
    const rest = await goOn(context, bulk, run);
    if (!rest || !(await giveBack(context, bulk, rest))) continue;
    return rest.until === undefined ? undefined : Math.max(0, rest.until - context.clock.now());
  }
  return undefined;
}

/** Undefined if there may be more to do at once; otherwise it waits, `until` UNIX milliseconds if that is known. */
async function goOn(context: BotContext, bulk: Bulk, run: Run): Promise<{ until?: number } | undefined> {
  if (run.signal?.aborted || performance.now() > (run.until ?? Infinity)) return { until: 0 };
  for (const [outcome, channelIds] of await findObstacles(context, bulk)) {
    await leaveRest(context, bulk.id, channelIds, outcome);
  }
  const cases = await findReady(context, bulk.id);
  if (cases.length === 0) return {};
  const after = await applyTogether(context, cases);
  await run.onProgress?.();
  const limited = after.filter(waitsForLimit);
  if (limited.length === 0) return undefined;
  return { until: Math.min(...limited.map(({ retryAtMs }) => retryAtMs)) };
}

/** Unfinished bulks that no worker has, oldest first. */
export function findDueBulks({ clock }: BotContext, most: number): RawBuilder<{ id: string }> {
  return sql`
    select id::text as id from castellan.bulks
    where ended_at_ms is null and ${isDue(clock)} and ${isUnleased(clock)}
    order by bulks.id limit ${most}`;
}

async function take({ database, clock }: BotContext, bulkId: number): Promise<Bulk | undefined> {
  const row = await database.query
    .updateTable("castellan.bulks")
    .set(createLease("castellan.bulks", clock))
    .where("id", "=", bulkId)
    .where("ended_at_ms", "is", null)
    .where(isDue(clock))
    .where(isUnleased(clock))
    .returningAll()
    .executeTakeFirst();
  return row && camelCased(row);
}

/** Undefined if another worker has taken it. */
async function renew({ database, clock }: BotContext, { id, leaseToken }: Bulk): Promise<Bulk | undefined> {
  const row = await database.query
    .updateTable("castellan.bulks")
    .set(createLease("castellan.bulks", clock))
    .where("id", "=", id)
    .where("lease_token", "=", leaseToken)
    .returningAll()
    .executeTakeFirst();
  return row && camelCased(row);
}

/** Cases of a bulk that are due and not leased. */
async function findReady({ database, clock }: BotContext, bulkId: number): Promise<number[]> {
  const rows = await database.query
    .selectFrom("castellan.cases")
    .select("id")
    .where("bulk_id", "=", bulkId)
    .where("state", "=", "requested")
    .where(isDue(clock))
    .where(isUnleased(clock))
    .orderBy("id")
    .limit(together)
    .execute();
  return rows.map(({ id }) => id);
}

async function applyTogether(context: BotContext, cases: readonly number[]): Promise<Case[]> {
  // Readers are woken once for all.
  const quiet: BotContext = { ...context, wake: async () => {} };
  const reads = shareRecords(context.network);
  const settled: Case[] = [];
  await mapLimited(cases, concurrency, async (caseId) => {
    // The others would meet the same limit.
    if (settled.some(waitsForLimit)) return;
    settled.push(await applyCase(quiet, caseId, { reads }));
  });
  for (const [channelId, own] of groupBy(settled, (one) => one.channelId)) {
    void context.wake("poll-records", channelId);
    if (own.some(({ targetFid, kind }) => targetFid !== null || kind === "pin" || kind === "unpin")) {
      void context.wake("poll-listings", channelId);
    }
  }
  await putOff(context, settled);
  return settled;
}

/** A case that is blocked, for example by an older case about the same target, is not retried at once. */
async function putOff({ database, clock }: BotContext, cases: readonly Case[]): Promise<void> {
  const blocked = cases.filter(({ state, retryAtMs }) => state === "requested" && retryAtMs === null);
  if (blocked.length === 0) return;
  await database.query
    .updateTable("castellan.cases")
    .set({ retry_at_ms: clock.now() + longPause })
    .where(
      "id",
      "in",
      blocked.map(({ id }) => id),
    )
    .where("state", "=", "requested")
    .where("retry_at_ms", "is", null)
    .execute();
}

/** Why a bulk must stop, and in which of its channels. */
async function findObstacles({ database }: BotContext, bulk: Bulk): Promise<[CaseOutcome, string[]][]> {
  const channelIds = channelsOf(bulk);
  if (bulk.stoppedBy !== null) return [["bulk_stopped", channelIds]];
  const links = await database.query
    .selectFrom("castellan.links")
    .select(["channel_id", "suspended_at_ms"])
    .where("guild_id", "=", bulk.guildId)
    .where("channel_id", "in", channelIds)
    .where("guild_id", "not in", (query) => query.selectFrom("castellan.absent_servers").select("guild_id"))
    .execute();
  const suspendedAt = new Map(links.map((link) => [link.channel_id, link.suspended_at_ms]));
  const obstacles: [CaseOutcome, string[]][] = [
    ["link_removed", channelIds.filter((id) => !suspendedAt.has(id))],
    ["link_suspended", channelIds.filter((id) => typeof suspendedAt.get(id) === "number")],
  ];
  return obstacles.filter(([, stopped]) => stopped.length > 0);
}

/** Settles cases that were not sent and are not leased as failed; cases that may have been sent are handled as usual. */
async function leaveRest(
  { database, clock }: BotContext,
  bulkId: number,
  channelIds: readonly string[],
  outcome: CaseOutcome,
): Promise<void> {
  const now = clock.now();
  await database.query
    .updateTable("castellan.cases")
    .set({
      ...noLease,
      state: "failed",
      outcome,
      settled_at_ms: now,
      retry_at_ms: null,
      waiting_reason: null,
    })
    .where("bulk_id", "=", bulkId)
    .where("channel_id", "in", channelIds)
    .where("state", "=", "requested")
    .where("sent_at_ms", "is", null)
    .where(isUnleased(clock))
    .execute();
}

/**
 * Ends a bulk with nothing left to do; otherwise releases it, `until` then or until one of its cases is due. False if the
 * lease was lost, or somebody stopped the bulk meanwhile, because that must not wait.
 */
function giveBack(
  context: BotContext,
  { id, leaseToken, stoppedBy }: Bulk,
  { until }: { until?: number },
): Promise<boolean> {
  const { database, clock } = context;
  const now = clock.now();
  return database.transaction(async (tx) => {
    const { open, soonest } = await tx
      .selectFrom("castellan.cases")
      .select((cases) => [
        cases.fn.countAll<number>().as("open"),
        cases.fn.min<number | null>("retry_at_ms").as("soonest"),
      ])
      .where("bulk_id", "=", id)
      .where("state", "=", "requested")
      .executeTakeFirstOrThrow();
    const waits = { retry_at_ms: until ?? Math.max(soonest ?? 0, now + shortPause) };
    const row = await tx
      .updateTable("castellan.bulks")
      .set({ ...noLease, ...(open === 0 ? { ended_at_ms: now, retry_at_ms: null } : waits) })
      .where("id", "=", id)
      .where("lease_token", "=", leaseToken)
      .where("ended_at_ms", "is", null)
      .where("stopped_by", "is not distinct from", stoppedBy)
      .returningAll()
      .executeTakeFirst();
    if (row && open === 0) await announceEnd(context, tx, camelCased(row));
    return row !== undefined;
  });
}

/** The posts of a bulk that it undoes are outdated, too. */
async function announceEnd(
  context: BotContext,
  tx: Tx,
  bulk: Pick<Bulk, "id" | "guildId" | "channelId" | "undoesBulkId">,
): Promise<void> {
  await announceBulkChange(context, tx, bulk, "ended");
  if (bulk.undoesBulkId === null) return;
  const undone = await tx
    .selectFrom("castellan.bulks")
    .select(["id", "guild_id", "channel_id"])
    .where("id", "=", bulk.undoesBulkId)
    .executeTakeFirst();
  if (undone) await announceBulkChange(context, tx, camelCased(undone), `undone by ${bulk.id}`);
}
