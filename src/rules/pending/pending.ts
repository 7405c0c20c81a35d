import { sql, type RawBuilder, type SqlBool } from "kysely";
import { exponentialBackoff } from "../../async.ts";
import type { Database, Tx } from "../../database/database.ts";
import { createLease, isUnleased } from "../../database/lease.ts";
import type { RuleContext, TakenEvaluation } from "../context.ts";
import { endingOf, type EndedVerdict } from "../verdicts/stored-verdicts.ts";
import type { Occurrence } from "../evaluate/occurrence.ts";
import { castAndCause, occurrenceColumns, toOccurrence, type OccurrenceRow } from "./stored-occurrence.ts";

/** How many evaluations are taken at once. */
export const batch = 50;
/** Milliseconds until an undecided rule is retried: at first, and at most; call limits last that long. */
const waits = { first: 5_000, longest: 60_000 };
const waitsForRoom = { ...waits, longest: 600_000 };
/** A row that has failed this many times is set aside, so that it does not delay the rest. */
const maxAttempts = 5;
/** The evaluation is neither finished nor set aside. */
export const stillWaits = sql<boolean>`settled_at_ms is null and attempts < ${sql.lit(maxAttempts)}`;

/** An evaluation that this worker has taken. */
export interface Pending extends TakenEvaluation {
  attempts: number;
  /** The server still has the channel, and its link is not suspended. */
  linked: boolean;
  /** The bot no longer moderates the channel. */
  roleLost: boolean;
  /** How often it was postponed, and the rules that were undecided; null the first time, for all rules. */
  postponements: number;
  postponedRules: readonly string[] | null;
  occurrence: Occurrence;
}

/** The evaluation's row and lease, for a list of them in a statement. */
function keyOf({ eventId, guildId, channelId, token }: TakenEvaluation) {
  return { event: eventId, guild: guildId, channel: channelId, token };
}

function isRowOf({ eventId, guildId, channelId }: TakenEvaluation): RawBuilder<SqlBool> {
  return sql`event_id = ${eventId} and guild_id = ${guildId} and channel_id = ${channelId}`;
}

/** Takes a server's oldest evaluations that no worker holds. */
export async function takePending(context: RuleContext, guildId: string): Promise<Pending[]> {
  const { database, clock } = context;
  const { lease_token: token, leased_until_ms } = createLease("castellan.rule_evaluations", clock);
  // Materialized, or the planner may run the inner select, and lock, once for every row.
  await sql`
    with due as materialized (
      select event_id, guild_id, channel_id from castellan.rule_evaluations
      where guild_id = ${guildId} and ${stillWaits} and ${isUnleased(clock)}
      order by event_id limit ${batch} for update skip locked
    )
    update castellan.rule_evaluations as taken
    set lease_token = ${token}, leased_until_ms = ${leased_until_ms}, attempts = attempts + 1
    from due
    where taken.event_id = due.event_id and taken.guild_id = due.guild_id and taken.channel_id = due.channel_id
  `.execute(database.query);
  const rows = await readTaken(context, token);
  return rows.map((row) => ({
    token,
    eventId: row.id,
    guildId: row.guild_id,
    channelId: row.channel_id,
    attempts: row.attempts,
    linked: row.linked,
    roleLost: row.role_lost,
    postponements: row.postponements,
    postponedRules: row.postponed_rules,
    occurrence: toOccurrence(row),
  }));
}

interface TakenRow extends OccurrenceRow, Pick<Pending, "attempts" | "linked" | "postponements"> {
  role_lost: boolean;
  postponed_rules: string[] | null;
}

async function readTaken({ database }: RuleContext, token: string): Promise<TakenRow[]> {
  const { rows } = await sql<TakenRow>`
    select ${occurrenceColumns}, due.guild_id, due.channel_id, due.attempts, due.postponements, due.postponed_rules,
      link.guild_id is not null as linked, link.bot_role_lost_at_ms is not null as role_lost
    from castellan.rule_evaluations as due
    join castellan.events as event on event.id = due.event_id
    ${castAndCause(sql`due.guild_id`)}
    left join castellan.links as link
      on link.guild_id = due.guild_id and link.channel_id = due.channel_id and link.suspended_at_ms is null
    where due.lease_token = ${token} and due.settled_at_ms is null
    order by due.event_id
  `.execute(database.query);
  return rows;
}

/** Locks a taken row in the transaction that settles it; false if another worker took its lease. */
export async function holdPending(tx: Tx, pending: Pending): Promise<boolean> {
  const row = await tx
    .selectFrom("castellan.rule_evaluations")
    .select("event_id")
    .where(isRowOf(pending))
    .where("lease_token", "=", pending.token)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** Postpones a held row: these rules, or all, are retried later, with a doubling delay. */
export async function putOffPending(
  tx: Tx,
  { clock }: RuleContext,
  pending: Pending,
  ruleIds: readonly string[] | null,
  isForRoom = false,
): Promise<void> {
  const pause = exponentialBackoff(pending.postponements + 1, isForRoom ? waitsForRoom : waits);
  await tx
    .updateTable("castellan.rule_evaluations")
    .set({
      postponements: pending.postponements + 1,
      postponed_rules: ruleIds && [...ruleIds],
      attempts: 0,
      lease_token: null,
      leased_until_ms: clock.now() + pause,
    })
    .where(isRowOf(pending))
    .execute();
}

/** Returns taken rows to the queue with a short delay, because there was no time, or the database failed. */
export async function releasePending(
  { database, clock }: RuleContext,
  released: readonly TakenEvaluation[],
  { waits: isToWait = false } = {},
): Promise<void> {
  if (released.length === 0) return;
  const rows = released.map(keyOf);
  await sql`
    update castellan.rule_evaluations as due
    set lease_token = null, leased_until_ms = ${isToWait ? clock.now() + waits.first : null}, attempts = attempts - 1
    from json_to_recordset(${JSON.stringify(rows)}::text::json)
      as released(event bigint, guild text, channel text, token text)
    where due.event_id = released.event and due.guild_id = released.guild
      and due.channel_id = released.channel and due.lease_token = released.token
  `.execute(database.query);
}

/** Servers with due evaluations, those with the longest waiting events first. */
export function findDueServers({ clock }: RuleContext, most: number): RawBuilder<{ id: string }> {
  return sql`
    select guild_id as id from castellan.rule_evaluations where ${stillWaits} and ${isUnleased(clock)}
    group by guild_id order by min(event_id) limit ${most}`;
}

export async function dropPending(tx: Tx, pending: Pending): Promise<void> {
  await tx.deleteFrom("castellan.rule_evaluations").where(isRowOf(pending)).execute();
}

/** Why a postponed verdict of this rule stays unknown; null if the rule turned out not to apply. */
export type WhyUnknown = (ruleId: string) => string | null;

/** A row that is finished with a note that stays, or without a trace. */
export interface Closed {
  pending: Pending;
  note: string | null;
  whyUnknown: WhyUnknown;
}

/** The postponed verdicts on a row that end with it, except those of rules that still decide. */
export function endedVerdicts(
  { pending, whyUnknown }: Pick<Closed, "pending" | "whyUnknown">,
  stillDeciding: readonly string[] = [],
): EndedVerdict[] {
  const ended = pending.postponedRules?.filter((ruleId) => !stillDeciding.includes(ruleId)) ?? [];
  return ended.map((rule) => ({ ...keyOf(pending), rule, why: whyUnknown(rule) }));
}

/** Finishes taken rows, and ends the postponed verdicts on them. */
export async function closePending(
  { database, clock }: RuleContext,
  closed: readonly Closed[],
): Promise<void> {
  if (closed.length === 0) return;
  const rows = closed.map(({ pending, note }) => ({ ...keyOf(pending), note }));
  await sql`
    with ${endingOf(closed.flatMap((one) => endedVerdicts(one)))}, closed as (
      select * from json_to_recordset(${JSON.stringify(rows)}::text::json)
        as closed(event bigint, guild text, channel text, token text, note text)
    ), noted as (
      update castellan.rule_evaluations as due set settled_at_ms = ${clock.now()}, note = closed.note
      from closed
      where due.event_id = closed.event and due.guild_id = closed.guild and due.channel_id = closed.channel
        and due.lease_token = closed.token and closed.note is not null
    )
    delete from castellan.rule_evaluations as due using closed
    where due.event_id = closed.event and due.guild_id = closed.guild and due.channel_id = closed.channel
      and due.lease_token = closed.token and closed.note is null
  `.execute(database.query);
}

/** How many events wait for a server's rules, since when the oldest waits, and how many were set aside. */
export async function readBacklog(
  { query }: Database,
  guildId: string,
): Promise<{ waiting: number; oldestMs: number | null; putAside: number }> {
  const { rows } = await sql<{ waiting: number; oldest: number | null; put_aside: number }>`
    select count(*) filter (where waits)::int as waiting, min(observed_at_ms) filter (where waits) as oldest,
      count(*) filter (where not waits)::int as put_aside
    from (
      select event.observed_at_ms, ${stillWaits} as waits
      from castellan.rule_evaluations as due join castellan.events as event on event.id = due.event_id
      where due.guild_id = ${guildId} and settled_at_ms is null
    ) as due
  `.execute(query);
  const [row] = rows;
  return { waiting: row?.waiting ?? 0, oldestMs: row?.oldest ?? null, putAside: row?.put_aside ?? 0 };
}
