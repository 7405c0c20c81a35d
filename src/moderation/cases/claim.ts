import { sql } from "kysely";
import type { Tx } from "../../database/database.ts";
import type { ChannelEvent, EventKind, NewChannelEvent } from "../../observe/events.ts";
import { inForce, targetKey, toCase, type Case, type CaseKind } from "./case.ts";
import { effects } from "./effects.ts";
import { nextNumbers, subjectOf } from "./propose.ts";
import { revertEnded } from "./settle.ts";

/** Changes that each belong to one case, ours or from outside. */
const caseKinds: Partial<Record<EventKind, CaseKind>> = {
  "record.hidden": "hide",
  "record.unhidden": "unhide",
  "user.banned": "ban",
  "user.unbanned": "unban",
  "invite.created": "invite",
};

/** What follows from a case besides its own change: it counts as caused by it, so that no rule acts on its own doing. */
const consequences: Partial<Record<EventKind, readonly CaseKind[]>> = {
  "user.restricted": ["unban", "remove_member"],
  "user.unrestricted": ["invite", "ban"],
  "member.left": ["ban", "remove_member"],
  "invite.ended": ["ban", "revoke_invite"],
};

/** Events whose time is the network's own, to the second; the time of others is when we read them. */
const exactTimes: ReadonlySet<EventKind> = new Set(["record.hidden", "record.unhidden", "user.banned"]);

/*
 * How far apart a call and a change may be, in seconds. A change whose exact time is this close to a call is that call's
 * before it is any other's.
 */
const near = 5;
/** One that is older than the call by more than this is somebody else's, however much clocks differ. */
const mostBefore = 60;
/** One with an exact time that is seen this long after the answer is still the call's doing, whatever time it names. */
const mostAfterExact = 120;
/** The same for what a listing shows, also when polls are late. */
const mostAfter = 600;
/** The longest that a case is tried, and its change then seen. */
const horizon = 3600;

/**
 * Of what stands, listings show the latest alone: what a case of one kind did can be seen no more once a later case of these
 * kinds has changed the same. Records tell of each hide and unhide.
 */
const overtakenBy: Partial<Record<CaseKind, readonly CaseKind[]>> = {
  ban: ["unban"],
  unban: ["ban"],
  invite: ["revoke_invite", "remove_member"],
  pin: ["pin", "unpin"],
  unpin: ["pin"],
};

/** States in which a case may have caused what is seen now. */
const claimable: ReadonlySet<Case["state"]> = new Set(["requested", "applied", "reverted"]);

/** A case that turned out to have changed nothing caused nothing, whatever became of it since. */
const mayHaveCaused = ({ kind, state, answer }: Case) =>
  claimable.has(state) && answer !== effects[kind].already;

/**
 * Sets `caseId` and `depth` of what our own cases caused. A change is known by what it is: it claims a case that went out
 * and asks for it, and that nobody claimed yet. Where several may fit, a case that was under way just then comes first,
 * for one before it may have changed nothing; then those close in time, then the oldest.
 */
export async function claimEvents(tx: Tx, events: readonly NewChannelEvent[]): Promise<void> {
  const wanted = events.filter(({ kind }) => caseKinds[kind] || consequences[kind] || kind === "pin.changed");
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
  const outside: { event: ChannelEvent; change: Change }[] = [];
  for (const event of events) {
    const change = changeOf(event);
    if (!change) continue;
    if (event.caseId === null) {
      outside.push({ event, change });
      continue;
    }
    await tx
      .updateTable("castellan.cases")
      .set({ claimed_event_id: event.id })
      .where("id", "=", event.caseId)
      .execute();
  }
  await addOutsideCases(tx, outside);
}

/** Records what others did, in every server that is linked to the channel. */
async function addOutsideCases(
  tx: Tx,
  outside: readonly { event: ChannelEvent; change: Change }[],
): Promise<void> {
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

/** A change that somebody made: what kind of case it takes, and about what. */
interface Change {
  kind: CaseKind;
  /** As `targetKey` gives it. */
  target: string;
  targetFid: number | undefined;
  targetCast: string | undefined;
}

function changeOf(event: NewChannelEvent): Change | undefined {
  if (event.channelId === null) return undefined;
  const { channelId } = event;
  if (event.kind === "pin.changed") {
    const { castHash } = event.data;
    const kind = castHash === null ? "unpin" : "pin";
    return {
      kind,
      target: targetKey({ channelId, kind }),
      targetFid: undefined,
      targetCast: castHash ?? undefined,
    };
  }
  const kind = caseKinds[event.kind];
  if (!kind) return undefined;
  const targetCast = "castHash" in event.data ? event.data.castHash : undefined;
  const targetFid = targetCast === undefined ? (event.subjectFid ?? undefined) : undefined;
  return { kind, target: targetKey({ channelId, kind, targetFid, targetCast }), targetFid, targetCast };
}

/** It went out, and asks for this change. */
function isSame(subject: Case, change: Change): boolean {
  if (subject.kind !== change.kind || subject.target !== change.target || subject.sentAtMs === null)
    return false;
  return change.kind !== "pin" || subject.targetCast === change.targetCast;
}

/** It happened in a second in which the case was under way. */
function isDuring(subject: Case, event: NewChannelEvent): boolean {
  return isClose(subject, event, 0);
}

/** It happened while the case was under way, as far as clocks agree. */
function isClose(
  { sentAtMs, settledAtMs }: Case,
  { kind, occurredAt }: NewChannelEvent,
  tolerance = near,
): boolean {
  if (sentAtMs === null || !exactTimes.has(kind)) return false;
  const begin = Math.floor(sentAtMs / 1000) - tolerance;
  return occurredAt >= begin && (settledAtMs === null || occurredAt <= settledAtMs / 1000 + tolerance);
}

/** It may be of this case, for it was seen when that was to be expected. */
function isPossible(
  { sentAtMs, settledAtMs }: Case,
  { kind, occurredAt, observedAt }: NewChannelEvent,
): boolean {
  const isExact = exactTimes.has(kind);
  if (sentAtMs === null || (isExact && occurredAt < sentAtMs / 1000 - mostBefore)) return false;
  return settledAtMs === null || observedAt <= settledAtMs + (isExact ? mostAfterExact : mostAfter) * 1000;
}

/**
 * It happened, and was seen, after a later case had changed what this one did: it is somebody else's. A change from outside has
 * the network's time, as the event; whose clock goes otherwise may be a little off.
 */
function isOvertaken(subject: Case, later: Case, { occurredAt, observedAt }: NewChannelEvent): boolean {
  const { id, kind, target, state, requestedAtMs, settledAtMs } = later;
  if (id <= subject.id || target !== subject.target || !overtakenBy[subject.kind]?.includes(kind))
    return false;
  if (settledAtMs === null || state === "failed" || observedAt < settledAtMs) return false;
  // The later number may be the earlier change: ours waited, or was tried again, until after it.
  if (state === "outside" && Math.min(requestedAtMs, settledAtMs) <= (subject.settledAtMs ?? Infinity))
    return false;
  return occurredAt > (state === "outside" ? requestedAtMs / 1000 : settledAtMs / 1000 + near);
}

function isConsequence(subject: Case, event: NewChannelEvent): boolean {
  if (subject.sentAtMs === null || subject.targetFid !== event.subjectFid) return false;
  if (subject.channelId !== event.channelId || !consequences[event.kind]?.includes(subject.kind))
    return false;
  const age = event.occurredAt - subject.sentAtMs / 1000;
  return age >= -mostBefore && age <= mostAfter;
}

/**
 * Cases about what these events are about, oldest first: what is in force, and what went out so lately that one of them may show
 * it. Locks them, as `lockTarget` does, for what no case claims may end them.
 */
async function findCases(tx: Tx, events: readonly NewChannelEvent[], sinceMs: number): Promise<Case[]> {
  const targets = new Set<string>();
  for (const event of events) {
    const target = changeOf(event)?.target ?? consequenceTarget(event);
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

function consequenceTarget({ channelId, subjectFid }: NewChannelEvent): string | undefined {
  if (channelId === null || subjectFid === null) return undefined;
  return targetKey({ channelId, kind: "ban", targetFid: subjectFid });
}
