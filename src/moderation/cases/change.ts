import { channelEventPrefix, type EventKind, type NewChannelEvent } from "../../observe/events.ts";
import { targetKey, type Case, type CaseKind } from "./case.ts";

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

export const consequenceKinds = Object.keys(consequences) as EventKind[]; // keys of `consequences`

/** Events whose time is the network's own, to the second, wherever they were read. */
const exactTimes: ReadonlySet<EventKind> = new Set(["record.hidden", "record.unhidden", "user.banned"]);

/*
 * How far apart a call and a change may be, in seconds. A change whose exact time is this close to a call is that call's
 * before it is any other's.
 */
const near = 5;
/** One that is older than the call by more than this is somebody else's, however much clocks differ. */
const maxBefore = 60;
/** One with an exact time that is seen this long after the answer is still the call's doing, whatever time it names. */
const maxSecondsAfterExact = 120;
/** The same for what a listing shows, also when polls are late. */
const maxAfter = 600;

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

/** Of what kind a case of ours may have caused. */
export function mayBeOurs({ kind }: NewChannelEvent): boolean {
  return kind in caseKinds || kind in consequences || kind === "pin.changed";
}

/** A change that somebody made: what kind of case it takes, and about what. */
export interface Change {
  kind: CaseKind;
  /** As `targetKey` gives it. */
  target: string;
  targetFid: number | undefined;
  targetCast: string | undefined;
}

export function changeOf(event: NewChannelEvent): Change | undefined {
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
export function isSame(subject: Case, change: Change): boolean {
  if (subject.kind !== change.kind || subject.target !== change.target || subject.sentAtMs === null)
    return false;
  return change.kind !== "pin" || subject.targetCast === change.targetCast;
}

/** It happened in a second in which the case was under way. */
export function isDuring(subject: Case, event: NewChannelEvent): boolean {
  return isClose(subject, event, 0);
}

/** It happened while the case was under way, as far as clocks agree. */
export function isClose({ sentAtMs, settledAtMs }: Case, event: NewChannelEvent, tolerance = near): boolean {
  if (sentAtMs === null || !hasExactTime(event)) return false;
  const { occurredAt } = event;
  const begin = Math.floor(sentAtMs / 1000) - tolerance;
  return occurredAt >= begin && (settledAtMs === null || occurredAt <= settledAtMs / 1000 + tolerance);
}

/** Of what only listings show, the time is when we read it. */
function hasExactTime({ kind, sourceKey }: NewChannelEvent): boolean {
  return exactTimes.has(kind) || sourceKey.startsWith(channelEventPrefix);
}

/** It may be of this case, for it was seen when that was to be expected. */
export function isPossible(
  { sentAtMs, settledAtMs }: Case,
  { kind, occurredAt, observedAt }: NewChannelEvent,
): boolean {
  const isExact = exactTimes.has(kind);
  if (sentAtMs === null || (isExact && occurredAt < sentAtMs / 1000 - maxBefore)) return false;
  return (
    settledAtMs === null || observedAt <= settledAtMs + (isExact ? maxSecondsAfterExact : maxAfter) * 1000
  );
}

/**
 * It happened, and was seen, after a later case had changed what this one did: it is somebody else's. A change from outside has
 * the network's time, as the event; whose clock goes otherwise may be a little off.
 */
export function isOvertaken(
  subject: Case,
  later: Case,
  { occurredAt, observedAt }: NewChannelEvent,
): boolean {
  const { id, kind, target, state, requestedAtMs, settledAtMs } = later;
  if (id <= subject.id || target !== subject.target || !overtakenBy[subject.kind]?.includes(kind))
    return false;
  if (settledAtMs === null || state === "failed" || observedAt < settledAtMs) return false;
  // The later number may be the earlier change: ours waited, or was tried again, until after it.
  if (state === "outside" && Math.min(requestedAtMs, settledAtMs) <= (subject.settledAtMs ?? Infinity))
    return false;
  return occurredAt > (state === "outside" ? requestedAtMs / 1000 : settledAtMs / 1000 + near);
}

export function isConsequence(subject: Case, event: NewChannelEvent): boolean {
  if (subject.sentAtMs === null || subject.targetFid !== event.subjectFid) return false;
  if (subject.channelId !== event.channelId || !consequences[event.kind]?.includes(subject.kind))
    return false;
  const age = event.occurredAt - subject.sentAtMs / 1000;
  return age >= -maxBefore && age <= maxAfter;
}

/** What cases it may be of are about, as `targetKey` gives it. */
export function targetOf(event: NewChannelEvent): string | undefined {
  const change = changeOf(event);
  if (change) return change.target;
  const { channelId, subjectFid } = event;
  if (channelId === null || subjectFid === null) return undefined;
  return targetKey({ channelId, kind: "ban", targetFid: subjectFid });
}
