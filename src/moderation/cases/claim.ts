import { sql } from "kysely";
import type { Tx } from "../../database/database.ts";
import { toEvent, type ChannelEvent, type NewChannelEvent } from "../../observe/events.ts";
import { inForce, lockTarget, toCase, type Case } from "./case.ts";
import {
  changeOf,
  consequenceKinds,
  isClose,
  isConsequence,
  isDuring,
  isOvertaken,
  isPossible,
  isSame,
  mayBeOurs,
  targetOf,
} from "./change.ts";
import { nextNumbers, subjectOf } from "./propose.ts";
import { revertEnded } from "./revert-ended.ts";

/** The longest that a case is tried, and its change then seen. */
const horizon = 3600;

/** States in which a case may have caused what is seen now. */
const claimable: ReadonlySet<Case["state"]> = new Set(["requested", "applied", "reverted"]);

/** A case that turned out to have changed nothing caused nothing, whatever became of it since. */
const mayHaveCaused = ({ state, outcome }: Case) => claimable.has(state) && outcome !== "already";

/**
 * Sets `caseId` and `depth` of what our own cases caused. A change is known by what it is: it claims a case that went out
 * and asks for it, and that nobody claimed yet. Where several may fit, a case that was under way just then comes first,
 * for one before it may have changed nothing; then those close in time, then the oldest.
 */
export async function claimEvents(tx: Tx, events: readonly NewChannelEvent[]): Promise<void> {
  const wanted = events.filter(mayBeOurs);
  if (wanted.length === 0) return;
  // Of the two times, for the network's may be ahead of ours.
  const earliest = Math.min(...wanted.flatMap((event) => [event.occurredAt, event.observedAt / 1000]));
  const sinceMs = (earliest - horizon) * 1000;
  const cases = await findCases(tx, wanted, sinceMs);
  const candidates = cases.filter((subject) => mayHaveCaused(subject) && (subject.sentAtMs ?? 0) >= sinceMs);
  const taken = new Set<number>();
  for (const fits of [isDuring, isClose, isPossible]) {
    for (const event of wanted) {
      const change = changeOf(event);
      if (!change || event.caseId !== null) continue;
      const isFree = ({ id, claimedEventId }: Case) => claimedEventId === null && !taken.has(id);
      const match = candidates.find(
        (subject) =>
          isFree(subject) &&
          isSame(subject, change) &&
          fits(subject, event) &&
          !cases.some((later) => isOvertaken(subject, later, event)),
      );
      if (!match) continue;
      taken.add(match.id);
      assign(event, match);
    }
  }
  for (const event of wanted) {
    if (changeOf(event)) continue;
    const cause = candidates.find((subject) => isConsequence(subject, event));
    if (cause) assign(event, cause);
  }
  await lockNumbers(tx, wanted);
}

function assign(event: NewChannelEvent, { id, depth }: Case): void {
  event.caseId = id;
  event.depth = depth;
}

/**
 * Changes that no case claimed take case numbers after the events took theirs, while rules take case numbers first. So case
 * numbers are locked here already, or two transactions could wait for each other.
 */
async function lockNumbers(tx: Tx, events: readonly NewChannelEvent[]): Promise<void> {
  const unclaimed = events.filter((event) => event.caseId === null && changeOf(event));
  const channels = new Set(unclaimed.map((event) => event.channelId).filter((id) => id !== null));
  if (channels.size === 0) return;
  await sql`
    insert into castellan.case_numbers (guild_id, channel_id, last_number)
    select guild_id, channel_id, 0 from castellan.links where channel_id = any(${[...channels]}::text[])
    order by channel_id, guild_id
    on conflict (guild_id, channel_id) do update set last_number = case_numbers.last_number
  `.execute(tx);
}

/** Once the events have ids: claimed cases name theirs, and what no case claimed becomes a case from outside. */
export async function recordClaims(tx: Tx, events: readonly ChannelEvent[]): Promise<void> {
  for (const event of events) {
    if (event.caseId === null || !changeOf(event)) continue;
    await tx
      .updateTable("castellan.cases")
      .set({ claimed_event_id: event.id })
      .where("id", "=", event.caseId)
      .execute();
  }
  await addOutsideCases(tx, events);
}

/**
 * A call that was not begun, or was refused, caused nothing: what this case claimed while it was under way is what others did, and
 * is recorded so. Only for whoever holds the case.
 */
export async function giveBackClaims(
  tx: Tx,
  { id, channelId, target, targetFid, leaseToken }: Case,
): Promise<void> {
  await lockTarget(tx, target);
  const held = await tx
    .selectFrom("castellan.cases")
    .select("claimed_event_id")
    .where("id", "=", id)
    .where("lease_token", "=", leaseToken)
    .executeTakeFirst();
  if (!held) return;
  const rows = await tx
    .updateTable("castellan.events")
    .set({ case_id: null, depth: 0 })
    .where("case_id", "=", id)
    .where((is) =>
      is.or([
        is("id", "=", held.claimed_event_id),
        is.and([
          is("channel_id", "=", channelId),
          is("subject_fid", "=", targetFid),
          is("kind", "in", consequenceKinds),
        ]),
      ]),
    )
    .returningAll()
    .execute();
  await tx.updateTable("castellan.cases").set({ claimed_event_id: null }).where("id", "=", id).execute();
  await addOutsideCases(tx, rows.map(toEvent));
}

/** Records what others did, in every server that is linked to the channel. */
async function addOutsideCases(tx: Tx, events: readonly ChannelEvent[]): Promise<void> {
  const outside = events.flatMap((event) => {
    const change = event.caseId === null ? changeOf(event) : undefined;
    return change ? [{ event, change }] : [];
  });
  const channels = new Set(outside.map(({ event }) => event.channelId).filter((id) => id !== null));
  if (channels.size === 0) return;
  const links = await tx
    .selectFrom("castellan.links")
    .select(["guild_id", "channel_id"])
    .where("channel_id", "in", [...channels])
    .orderBy("channel_id")
    .orderBy("guild_id")
    .execute();
  for (const { guild_id, channel_id } of links) {
    const own = outside.filter(({ event }) => event.channelId === channel_id);
    const first = await nextNumbers(tx, guild_id, channel_id, own.length);
    const rows = own.map(({ event, change }, index) => ({
      guild_id,
      channel_id,
      number: first + index,
      lane: change.target,
      kind: change.kind,
      state: "outside" as const,
      target_fid: change.targetFid,
      target_cast: change.targetCast,
      subject_fid: subjectOf(change),
      ...(event.kind === "invite.created" && {
        role: event.data.role,
        actor_fid: event.data.inviterFid || null,
      }),
      actor_kind: "outside" as const,
      requested_at_ms: event.occurredAt * 1000,
      settled_at_ms: event.observedAt,
      claimed_event_id: event.id,
    }));
    const inserted = await tx.insertInto("castellan.cases").values(rows).returningAll().execute();
    for (const added of inserted) await revertEnded(tx, toCase(added));
  }
}

/**
 * Cases about what these events are about, oldest first: what is in force, and what went out so lately that one of them may show
 * it. Locks them, as `lockTarget` does, for what no case claims may end them.
 */
async function findCases(tx: Tx, events: readonly NewChannelEvent[], sinceMs: number): Promise<Case[]> {
  const targets = new Set<string>();
  for (const event of events) {
    const target = targetOf(event);
    if (target) targets.add(target);
  }
  const rows = await tx
    .selectFrom("castellan.cases")
    .selectAll()
    .where("lane", "in", [...targets])
    .where((is) =>
      is.or([
        is("state", "in", ["requested", ...inForce]),
        is.and([is("state", "=", "reverted"), is("sent_at_ms", ">=", sinceMs)]),
      ]),
    )
    .orderBy("id")
    .forUpdate()
    .execute();
  return rows.map(toCase);
}
