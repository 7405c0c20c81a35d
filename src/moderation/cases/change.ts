import {
  channelEventPrefix,
  type EventContent,
  type EventKind,
  type NewChannelEvent,
} from "../../observe/events.ts";
import { eventTolerance } from "../../observe/records/read-records.ts";
import { targetKey, type Case, type CaseKind } from "./case.ts";

/** Changes that each belong to one case, ours or from outside. */
const caseKinds: Partial<Record<EventKind, CaseKind>> = {
  "record.hidden": "hide",
  "record.unhidden": "unhide",
  "user.banned": "ban",
  "user.unbanned": "unban",
  "invite.created": "invite",
};

/** Side effects of a case: they count as caused by it, so that no rule reacts to its own action. */
const consequences: Partial<Record<EventKind, readonly CaseKind[]>> = {
  "user.restricted": ["unban", "remove_member"],
  "user.unrestricted": ["invite", "ban"],
  "member.left": ["ban", "remove_member"],
  "invite.ended": ["ban", "revoke_invite"],
};

export const consequenceKinds = Object.keys(consequences) as EventKind[]; // keys of `consequences`

/** The aspect of its target that a case changes; cases with different aspects do not affect each other. */
const aspects: Partial<Record<CaseKind, "ban" | "invite" | "record" | "pin">> = {
  ban: "ban",
  unban: "ban",
  invite: "invite",
  revoke_invite: "invite",
  remove_member: "invite",
  hide: "record",
  unhide: "record",
  pin: "pin",
  unpin: "pin",
};

/** Whether one of our cases may have caused this kind of event. */
export function mayBeOurs({ kind }: NewChannelEvent): boolean {
  return kind in caseKinds || kind in consequences || kind === "pin.changed";
}

/** A change: the kind of case that makes it, and its target. */
export interface Change {
  kind: CaseKind;
  /** As returned by `targetKey`. */
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

/**
 * The change that a case made, if listings show it; `atSeconds` is when. Not for a hide: hiding a hidden cast makes no
 * record, so the record itself is the event.
 */
export function toContent(subject: Case, atSeconds: number, botFid: number): EventContent | undefined {
  const previousHash = subject.stateBefore || null;
  switch (subject.kind) {
    case "ban":
      return { kind: "user.banned", data: { at: atSeconds } };
    case "unban":
      return { kind: "user.unbanned", data: {} };
    case "invite":
      return { kind: "invite.created", data: { role: subject.role ?? "member", inviterFid: botFid } };
    case "pin":
      return { kind: "pin.changed", data: { castHash: subject.targetCast, previousHash } };
    case "unpin":
      return { kind: "pin.changed", data: { castHash: null, previousHash } };
    default:
      return undefined;
  }
}

/** Whether two cases, or a case and a change, concern the same aspect of one target. */
export function isAlike(one: Pick<Case, "kind" | "target">, other: Pick<Case, "kind" | "target">): boolean {
  return (
    one.target === other.target &&
    aspects[one.kind] !== undefined &&
    aspects[one.kind] === aspects[other.kind]
  );
}

/** Whether a case requests this change. */
function asksFor(subject: Case, change: Change): boolean {
  if (subject.kind !== change.kind || subject.target !== change.target) return false;
  return change.kind !== "pin" || subject.targetCast === change.targetCast;
}

/**
 * The case that made this change, among those whose echo is expected, oldest first. Compared times are always from one
 * clock: the network's, or ours.
 */
export function findOwn(
  expected: readonly Case[],
  all: readonly Case[],
  event: NewChannelEvent,
  change: Change,
): Case | undefined {
  const open = expected.filter((subject) => isAlike(subject, change));
  const { readAtMs } = event;
  // Records and channel events report each change, in order.
  if (readAtMs === undefined) {
    const mayBe = open.filter((subject) => asksFor(subject, change) && mayBeRecordOf(subject, all, event));
    // One that failed without a response may have changed nothing.
    return mayBe.find(({ state }) => state !== "failed") ?? mayBe[0];
  }
  // A listing shows only the last change, and includes every call that was answered before it was read.
  const last = open.findLast((subject) => isAnswered(subject, readAtMs));
  return open.find(
    (subject) =>
      asksFor(subject, change) &&
      !wasSeenBefore(subject, all, event) &&
      (subject === last || !isAnswered(subject, readAtMs) || wasSeenByNext(subject, all, event)),
  );
}

/** Whether the call was answered before a listing began to be read. */
export function isAnswered({ settledAtMs }: Case, readAtMs: number): boolean {
  return settledAtMs !== null && settledAtMs < readAtMs;
}

/** How long after a call a listing may still show the state from before it. Milliseconds. */
const listingLag = 10_000;

/** Whether a listing shows what this case read before its call: it does not include the call yet. */
export function isOutdated({ stateBefore, settledAtMs }: Case, event: NewChannelEvent): boolean {
  const { occurredAt, readAtMs } = event;
  if (!stateBefore || settledAtMs === null || readAtMs === undefined) return false;
  // Others may pin the same cast again, and a pin has no time.
  if (event.kind === "pin.changed")
    return event.data.castHash === stateBefore && readAtMs <= settledAtMs + listingLag;
  return (
    (event.kind === "user.banned" || event.kind === "invite.created") && occurredAt <= Number(stateBefore)
  );
}

/** An entry that this case, or an earlier one, saw before its call: a reading begun before the response may show it. */
function wasSeenBefore(subject: Case, all: readonly Case[], event: NewChannelEvent): boolean {
  const { kind, occurredAt, readAtMs = Infinity } = event;
  if ((kind !== "user.banned" && kind !== "invite.created") || isAnswered(subject, readAtMs)) return false;
  return all.some(
    ({ id, stateBefore, ...one }) =>
      id <= subject.id && isAlike(one, subject) && Boolean(stateBefore) && occurredAt <= Number(stateBefore),
  );
}

/** An entry that our next case saw before its call, by the network's time: a listing may be slow to show it. */
function wasSeenByNext(subject: Case, all: readonly Case[], { kind, occurredAt }: NewChannelEvent): boolean {
  if (kind !== "user.banned" && kind !== "invite.created") return false;
  const seen = findNext(subject, all)?.stateBefore;
  return Boolean(seen) && occurredAt <= Number(seen);
}

/** A case's record is newer than the latest one it saw before its call, and no newer than the one the next case saw. */
function mayBeRecordOf(subject: Case, all: readonly Case[], event: NewChannelEvent): boolean {
  if (event.kind !== "record.hidden" && event.kind !== "record.unhidden") return true;
  const tolerance = event.sourceKey.startsWith(channelEventPrefix) ? eventTolerance : 0;
  if (event.occurredAt + tolerance < timeOfRecord(subject.stateBefore)) return false;
  const next = findNext(subject, all);
  return next === undefined || event.occurredAt - tolerance <= timeOfRecord(next.stateBefore);
}

/** The time in a reading's version of a record: "hide 1700000000". */
function timeOfRecord(version: string | null): number {
  return version ? Number(version.split(" ")[1]) : -Infinity;
}

/** Whether a case without a response changed nothing: our next case read the same state before its call. */
export function hadNoEffect(subject: Case, all: readonly Case[]): boolean {
  return subject.state === "failed" && findNext(subject, all)?.stateBefore === subject.stateBefore;
}

/** The next case on the same aspect that read before its own call. */
function findNext(subject: Case, all: readonly Case[]): Case | undefined {
  return all.find((next) => next.id > subject.id && isAlike(next, subject) && next.stateBefore !== null);
}

/** Whether this is a side effect of a case whose call was made, apart from its own change. */
export function isConsequence(subject: Case, event: NewChannelEvent): boolean {
  return (
    subject.echo !== null &&
    subject.targetFid === event.subjectFid &&
    subject.channelId === event.channelId &&
    Boolean(consequences[event.kind]?.includes(subject.kind))
  );
}

/** The target of the cases that may have caused an event, as returned by `targetKey`. */
export function targetOf(event: NewChannelEvent): string | undefined {
  const change = changeOf(event);
  if (change) return change.target;
  const { channelId, subjectFid } = event;
  if (channelId === null || subjectFid === null) return undefined;
  return targetKey({ channelId, kind: "ban", targetFid: subjectFid });
}
