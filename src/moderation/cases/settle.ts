import { sql, type RawBuilder } from "kysely";
import type { BotContext } from "../../bot-context.ts";
import { seconds } from "../../clock.ts";
import type { Tx } from "../../database/database.ts";
import type { WaitReason } from "../../database/tables/bot.ts";
import { createLease, isDue, isUnleased, noLease } from "../../database/lease.ts";
import { newEvent } from "../../observe/events.ts";
import { report } from "../../telemetry.ts";
import { endedBy, lockTarget, toCase, type Case, type CaseKind, type Outcome } from "./case.ts";
import { toContent } from "./change.ts";
import { giveBackClaims } from "./claim.ts";
import { settleEnd } from "./new-end.ts";
import { revertEnded } from "./revert-ended.ts";
import { inForce } from "../../database/tables/case-states.ts";

/*
 * A requested case, step by step: a worker takes it, notes that the call is sent, and settles or postpones it. Each step
 * after the first counts only while that worker holds the lease.
 */

/** The oldest case of each target that is due and not leased; cases of bulks belong to `runBulk`. */
function openCases({ clock }: Pick<BotContext, "clock">, channelId?: string): RawBuilder<unknown> {
  const inChannel = channelId === undefined ? sql`true` : sql`channel_id = ${channelId}`;
  return sql`(
    select id, channel_id from (
      select distinct on (target_key) id, channel_id, retry_at_ms, leased_until_ms, bulk_id from castellan.cases
      where state = 'requested' and ${inChannel} order by target_key, id) as oldest
    where bulk_id is null and ${isDue(clock)} and ${isUnleased(clock)})`;
}

/** Channels with cases to continue, oldest first. */
export function findDueChannels(context: BotContext, most: number): RawBuilder<{ id: string }> {
  return sql`
    select channel_id as id from ${openCases(context)} as open group by channel_id order by min(id) limit ${most}`;
}

interface OpenCase {
  id: number;
  kind: CaseKind;
  actorKind: Case["actorKind"];
  endsCaseId: number | null;
}

/** The first of these cases in a channel, and whether there are more, or later ones for the same targets. */
export async function findOpenCases(
  context: BotContext,
  channelId: string,
  most: number,
): Promise<{ open: OpenCase[]; isMore: boolean }> {
  const { rows } = await sql<OpenCase & { requested: number }>`
    select open.id, kind, actor_kind as "actorKind", ends_case_id as "endsCaseId", (select count(*)::int from castellan.cases
      where state = 'requested' and channel_id = ${channelId} and bulk_id is null
        and ${isDue(context.clock)}) as requested
    from ${openCases(context, channelId)} as open join castellan.cases on cases.id = open.id
    order by open.id limit ${most}
  `.execute(context.database.query);
  return { open: rows, isMore: rows.some(({ requested }) => requested > rows.length) };
}

/**
 * Takes the oldest requested case with the same target as this one, in one statement; undefined if there is none or
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
        .where("oldest.target_key", "=", (own) =>
          own.selectFrom("castellan.cases as own").select("own.target_key").where("own.id", "=", caseId),
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
 * Notes that the call is sent now, and the state before it, so that a crash after the call can be told from one before;
 * false if the lease is lost. The lease restarts now, because earlier reads may have used up most of it.
 */
export async function recordSending(
  { database, clock }: BotContext,
  subject: Case,
  stateBefore: string,
): Promise<boolean> {
  const { leased_until_ms } = createLease("castellan.cases", clock);
  const { numUpdatedRows } = await database.query
    .updateTable("castellan.cases")
    .set({
      leased_until_ms,
      sent_at_ms: sql<number>`coalesce(sent_at_ms, ${clock.now()})`,
      // An expiry needs no call.
      ...(subject.kind !== "change_expiry" && { echo: sql<"expected">`coalesce(echo, 'expected')` }),
      state_before: sql<string>`coalesce(state_before, ${stateBefore})`,
    })
    .where("id", "=", subject.id)
    .where("lease_token", "=", subject.leaseToken)
    .executeTakeFirst();
  return numUpdatedRows > 0;
}

/**
 * Returns the case to the queue, to be retried after a pause in milliseconds. Waiting for a limit does not count as a try.
 * If the network has not begun the call, the case is as before it: others' changes are theirs, and it can still be
 * skipped.
 */
export async function postpone(
  { database, clock }: BotContext,
  subject: Case,
  { pause, waitingReason, notBegun }: { pause: number; waitingReason: WaitReason; notBegun: boolean },
): Promise<void> {
  await database.transaction(async (tx) => {
    if (notBegun && subject.sentAtMs === null) await giveBackClaims(tx, subject);
    await tx
      .updateTable("castellan.cases")
      .set({ ...noLease, retry_at_ms: clock.now() + pause, waiting_reason: waitingReason })
      .$if(waitingReason === "limit", (cases) => cases.set({ attempts: subject.attempts - 1 }))
      .$if(notBegun, (cases) =>
        cases.set({ sent_at_ms: subject.sentAtMs, state_before: subject.stateBefore }),
      )
      .where("id", "=", subject.id)
      .where("lease_token", "=", subject.leaseToken)
      .execute();
  });
}

/** A channel's cases of these kinds that yield to people would reach the same limit: they wait as well, without a try each. */
export async function postponeAlike(
  { database, clock }: BotContext,
  channelId: string,
  kinds: readonly CaseKind[],
  untilMs: number,
): Promise<void> {
  await database.query
    .updateTable("castellan.cases")
    .set({ retry_at_ms: untilMs, waiting_reason: "limit" })
    .where("channel_id", "=", channelId)
    .where("kind", "in", kinds)
    .where((is) => is.or([is("actor_kind", "=", "rule"), is("ends_case_id", "is not", null)]))
    .where("bulk_id", "is", null)
    .where("state", "=", "requested")
    .where("sent_at_ms", "is", null)
    .where(isDue(clock))
    .where(isUnleased(clock))
    .execute();
}

/** Stores the outcome of a case under its lease; undefined if another worker has taken it. */
export async function settleCase(
  context: BotContext,
  subject: Case,
  outcome: Outcome,
): Promise<Case | undefined> {
  const settled = await context.database.transaction((tx) => writeOutcome(context, tx, subject, outcome));
  if (settled) {
    const { kind, state, outcome: how } = settled;
    report("castellan:case.settled", { kind, state, outcome: how ?? "none" });
  }
  return settled;
}

async function writeOutcome(
  context: BotContext,
  tx: Tx,
  subject: Case,
  { hadNoEffect, ...outcome }: Outcome,
): Promise<Case | undefined> {
  if (endedBy[subject.kind] || subject.kind === "ban" || subject.undoesCaseId !== null) {
    await lockTarget(tx, subject.target);
  }
  if (hadNoEffect) await giveBackClaims(tx, subject);
  const row = await tx
    .updateTable("castellan.cases")
    .set({
      // No echo will come, but others may change it again before it is read.
      ...(outcome.state === "already" && hasListing(subject) && { echo: "seen" }),
      ...(await settleEnd(tx, subject, outcome)),
      ...noLease,
      settled_at_ms: context.clock.now(),
      retry_at_ms: null,
      waiting_reason: null,
      // The cast may have been indexed since, as when the case was written.
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
}

function hasListing(subject: Case): boolean {
  return toContent(subject, 0, 0) !== undefined;
}

/** A case that a person undid is no longer in force, even if no other kind ends its kind. */
async function revertUndone(tx: Tx, { id, undoesCaseId }: Case): Promise<void> {
  if (undoesCaseId === null) return;
  await tx
    .updateTable("castellan.cases")
    .set({ state: "reverted", reverted_by_case_id: id })
    .where("id", "=", undoesCaseId)
    .where("state", "in", inForce)
    .execute();
}

/** The network shows the change of a case that got no response, so it took effect. Its change is an event already. */
export async function settleLate(context: BotContext, tx: Tx, { id }: Case): Promise<void> {
  const row = await tx
    .updateTable("castellan.cases")
    .set({ state: "applied", outcome: "done", outcome_detail: null })
    .where("id", "=", id)
    .where("state", "=", "failed")
    .returningAll()
    .executeTakeFirst();
  if (!row) return;
  const settled = toCase(row);
  await revertEnded(tx, settled);
  await revertUndone(tx, settled);
  await announceSettled(context, tx, settled);
}

/** Makes a case's outcome an event, along with its change. Last in its transaction, like every event. */
async function announceCase(context: BotContext, tx: Tx, subject: Case): Promise<void> {
  const changed = changeEvent(context, subject);
  await context.appendEvents(tx, [settledEvent(context, subject), ...(changed ? [changed] : [])]);
}

/** The same for a case whose outcome changed. */
export async function announceSettled(context: BotContext, tx: Tx, subject: Case): Promise<void> {
  await context.appendEvents(tx, [settledEvent(context, subject)]);
}

function settledEvent({ clock }: BotContext, subject: Case) {
  const { id, guildId, number, kind, state } = subject;
  return newEvent(clock.now(), {
    sourceKey: `case ${id} ${state}`,
    kind: "case.settled",
    channelId: subject.channelId,
    subjectFid: subject.targetFid,
    depth: subject.depth,
    caseId: id,
    data: { guildId, number, kind, state },
  });
}

/** The change of a case, if it was not announced yet. */
function changeEvent({ clock, botFid }: BotContext, subject: Case) {
  const { id, channelId, depth, state, outcome, eventId } = subject;
  if (state !== "applied" || outcome !== "done" || eventId !== null) return undefined;
  const content = toContent(subject, seconds(clock), botFid);
  const about = { sourceKey: `case ${id} done`, channelId, subjectFid: subject.targetFid, depth, caseId: id };
  return content && newEvent(clock.now(), { ...content, ...about });
}
