import { sql, type RawBuilder } from "kysely";
import type { BotContext } from "../../bot-context.ts";
import type { Queryable, Tx } from "../../database/database.ts";
import type { WaitReason } from "../../database/tables/bot.ts";
import { createLease, isUnleased, noLease } from "../../database/lease.ts";
import { newEvent } from "../../observe/events.ts";
import { announceBulkChange } from "../bulks/announce.ts";
import { endedBy, inForce, lockTarget, toCase, type Case, type Outcome } from "./case.ts";
import { giveBackClaims } from "./claim.ts";
import { settleEnd } from "./new-end.ts";
import { revertEnded } from "./revert-ended.ts";

/*
 * What becomes of a requested case, step by step: a worker takes it, notes that the call goes out, and settles it or puts it
 * off. Each step but the first counts only while that worker's lease stands in the row.
 */

/** The oldest case about each target, where nobody holds it and its time has come; those of bulks are `runBulk`'s. */
function openCases({ clock }: Pick<BotContext, "clock">, channelId?: string): RawBuilder<unknown> {
  const inChannel = channelId === undefined ? sql`true` : sql`channel_id = ${channelId}`;
  return sql`(
    select id, channel_id from (
      select distinct on (lane) id, channel_id, retry_at_ms, leased_until_ms, bulk_id from castellan.cases
      where state = 'requested' and ${inChannel} order by lane, id) as oldest
    where bulk_id is null and (retry_at_ms is null or retry_at_ms <= ${clock.now()}) and ${isUnleased(clock)})`;
}

/** Channels with cases to go on with, the oldest first. */
export function findDueChannels(context: BotContext, most: number): RawBuilder<{ id: string }> {
  return sql`
    select channel_id as id from ${openCases(context)} as open group by channel_id order by min(id) limit ${most}`;
}

export async function findOpenCases(context: BotContext, channelId: string, most: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from ${openCases(context, channelId)} as open order by id limit ${most}
  `.execute(context.database.query);
  return rows.map(({ id }) => id);
}

/**
 * Takes the oldest requested case about the same target as this one, in one statement; undefined when there is none or
 * another worker has it.
 */
export async function leaseOldest(
  { database, clock }: BotContext,
  caseId: number,
): Promise<Case | undefined> {
  const row = await database.query
    .updateTable("castellan.cases")
    .set({ ...createLease("castellan.cases", clock), attempts: sql<number>`attempts + 1` })
    .where("id", "=", (query) =>
      query
        .selectFrom("castellan.cases as oldest")
        .select("oldest.id")
        .where("oldest.state", "=", "requested")
        .where("oldest.lane", "=", (own) =>
          own.selectFrom("castellan.cases as own").select("own.lane").where("own.id", "=", caseId),
        )
        .orderBy("oldest.id")
        .limit(1)
        .forUpdate(),
    )
    .where("state", "=", "requested")
    .where(isUnleased(clock))
    .returningAll()
    .executeTakeFirst();
  return row && toCase(row);
}

/**
 * Notes that the call goes out now, and what was seen before it, so that a crash after it is told from one before; false
 * when the lease is lost. The lease lasts on from now: what was looked at before may have taken most of it.
 */
export async function recordSending(
  { database, clock }: BotContext,
  subject: Case,
  seenBefore: string,
): Promise<boolean> {
  const { leased_until_ms } = createLease("castellan.cases", clock);
  const { numUpdatedRows } = await database.query
    .updateTable("castellan.cases")
    .set({
      leased_until_ms,
      sent_at_ms: sql<number>`coalesce(sent_at_ms, ${clock.now()})`,
      seen_before: sql<string>`coalesce(seen_before, ${seenBefore})`,
    })
    .where("id", "=", subject.id)
    .where("lease_token", "=", subject.leaseToken)
    .executeTakeFirst();
  return numUpdatedRows > 0;
}

/**
 * Gives the case back, to be tried again after a pause in milliseconds. Where the network has not begun what was asked, it is as
 * before the call: what others do meanwhile is theirs, and it may still be left alone.
 */
export async function postpone(
  { database, clock }: BotContext,
  subject: Case,
  { pause, waitsFor, notBegun }: { pause: number; waitsFor: WaitReason; notBegun: boolean },
): Promise<void> {
  await database.transaction(async (tx) => {
    if (notBegun && subject.sentAtMs === null) await giveBackClaims(tx, subject);
    await tx
      .updateTable("castellan.cases")
      .set({ ...noLease, retry_at_ms: clock.now() + pause, waits_for: waitsFor })
      .$if(notBegun, (cases) => cases.set({ sent_at_ms: subject.sentAtMs, seen_before: subject.seenBefore }))
      .where("id", "=", subject.id)
      .where("lease_token", "=", subject.leaseToken)
      .execute();
  });
}

/** Records the outcome of a case under the lease that it was taken with; undefined when another worker has it meanwhile. */
export function settleCase(
  context: BotContext,
  subject: Case,
  { hadNoEffect, ...outcome }: Outcome,
): Promise<Case | undefined> {
  const now = context.clock.now();
  return context.database.transaction(async (tx) => {
    if (endedBy[subject.kind] || subject.kind === "ban" || subject.undoesCaseId !== null) {
      await lockTarget(tx, subject.target);
    }
    if (hadNoEffect) await giveBackClaims(tx, subject);
    const row = await tx
      .updateTable("castellan.cases")
      .set({
        ...(await settleEnd(tx, subject, outcome)),
        ...noLease,
        settled_at_ms: now,
        retry_at_ms: null,
        waits_for: null,
        // The cast may have been indexed since, just as the case was written.
        subject_fid: sql<number | null>`coalesce(subject_fid,
          (select fid from castellan.casts where hash = target_cast))`,
      })
      .where("id", "=", subject.id)
      .where("lease_token", "=", subject.leaseToken)
      .where("state", "=", "requested")
      .returningAll()
      .executeTakeFirst();
    if (!row) return undefined;
    const settled = toCase(row);
    if (settled.state !== "failed") {
      await revertEnded(tx, settled);
      await revertUndone(tx, settled);
    }
    await announceCase(context, tx, settled);
    return settled;
  });
}

/** What a person took back is no longer in force, also where its kind is ended by no other. */
async function revertUndone(tx: Tx, { undoesCaseId }: Case): Promise<void> {
  if (undoesCaseId === null) return;
  await tx
    .updateTable("castellan.cases")
    .set({ state: "reverted" })
    .where("id", "=", undoesCaseId)
    .where("state", "in", inForce)
    .execute();
}

/** Records are read every two seconds: a read this long after a case was settled is at least the second one. Milliseconds. */
const twoReads = 10_000;

/**
 * A cast that was hidden already gets no record: a case that claims none after two reads changed nothing. One that another
 * has ended since stays reverted, but does not say that it did something.
 */
export function noteUnclaimed(context: BotContext): Promise<void> {
  return context.database.transaction(async (tx) => {
    const noted = [...(await markAlready(tx, "hide")), ...(await markAlready(tx, "unhide"))];
    for (const subject of noted) await announceCase(context, tx, { ...subject, state: "already" });
    const ofBulks = new Map(noted.map((subject) => [subject.bulkId, subject]));
    for (const [bulkId, { id, guildId, channelId }] of ofBulks) {
      if (bulkId === null) continue;
      await announceBulkChange(context, tx, { id: bulkId, guildId, channelId }, `noted ${id}`);
    }
  });
}

/** Whether a case that was applied may yet turn out to have changed nothing. */
export async function hasUnclaimed({ database }: BotContext): Promise<boolean> {
  const { query } = database;
  const either = unclaimed(query, "hide").unionAll(unclaimed(query, "unhide")).limit(1);
  return (await either.executeTakeFirst()) !== undefined;
}

/** Cases of this kind that no record has claimed, in channels that are linked: of others no records are read. */
function unclaimed(db: Queryable, kind: "hide" | "unhide") {
  return db
    .selectFrom("castellan.cases as subject")
    .innerJoin("castellan.sources as records", (join) =>
      join.on("records.source", "=", sql`'records/' || subject.channel_id`),
    )
    .select("subject.id")
    .where("subject.state", "in", ["applied", "reverted"])
    .where("subject.kind", "=", kind)
    .where("subject.outcome", "=", "done")
    .where("subject.claimed_event_id", "is", null)
    .where("subject.channel_id", "in", (query) => query.selectFrom("castellan.links").select("channel_id"));
}

/** A case that is locked is being claimed, or marked, by another transaction: the next run sees to it. */
async function markAlready(tx: Tx, kind: "hide" | "unhide"): Promise<Case[]> {
  const rows = await tx
    .with("noted", () =>
      unclaimed(tx, kind)
        .where("records.behind", "=", false)
        .whereRef("records.good_at_ms", ">", sql`subject.settled_at_ms + ${twoReads}`)
        .forUpdate("subject")
        .skipLocked(),
    )
    .updateTable("castellan.cases")
    .set({
      state: sql<Case["state"]>`case state when 'applied' then 'already' else state end`,
      outcome: "already",
    })
    .where("id", "in", (query) => query.selectFrom("noted").select("id"))
    .returningAll()
    .execute();
  return rows.map(toCase);
}

/** Makes what became of a case an event. Last in its transaction, as every event. */
async function announceCase(context: BotContext, tx: Tx, subject: Case): Promise<void> {
  const { id, guildId, number, kind, state } = subject;
  await context.appendEvents(tx, [
    newEvent(context.clock.now(), {
      sourceKey: `case ${id} ${state}`,
      kind: "case.settled",
      channelId: subject.channelId,
      subjectFid: subject.targetFid,
      depth: subject.depth,
      caseId: id,
      data: { guildId, number, kind, state },
    }),
  ]);
}
