import type { Tx } from "../../database/database.ts";
import {
  channelEventPrefix,
  toEvent,
  type ChannelEvent,
  type NewChannelEvent,
} from "../../observe/events.ts";
import { endedBy, lockTarget, readCases, toCase, type Case } from "./case.ts";
import {
  changeOf,
  consequenceKinds,
  findOwn,
  hadNoEffect,
  isAlike,
  isAnswered,
  isOutdated,
  isConsequence,
  mayBeOurs,
  targetOf,
  type Change,
} from "./change.ts";
import { lockCaseNumbers, takeNumbers } from "./case-numbers.ts";
import { requestOpened, subjectFidOf } from "./propose.ts";
import { revertEnded } from "./revert-ended.ts";
import { requestedOrInForce } from "../../database/tables/case-states.ts";

/**
 * Finds the effects of our own cases once the network shows them: sets `caseId` and `depth`, and leaves out changes that
 * became an event when their case was settled. The rest is by others; our own changes that came after such an event,
 * although announced earlier, are listed in `precedes`.
 */
export async function claimEvents(tx: Tx, events: NewChannelEvent[]): Promise<NewChannelEvent[]> {
  const wanted = events.filter((event) => event.caseId === null && mayBeOurs(event));
  if (wanted.length === 0) return events;
  const cases = await findCases(tx, wanted);
  const expected = new Set(
    cases.filter((subject) => subject.echo === "expected" && !hadNoEffect(subject, cases)),
  );
  const known = new Set<NewChannelEvent>();
  for (const event of wanted) {
    const change = changeOf(event);
    if (!change) {
      const cause = cases.findLast((subject) => isConsequence(subject, event));
      if (cause) assign(event, cause);
      // The only sign of these cases.
      if (cause?.kind === "revoke_invite" || cause?.kind === "remove_member") expected.delete(cause);
      continue;
    }
    const own = findOwn([...expected], cases, event, change);
    if (own && own.eventId !== null) known.add(event);
    else if (own) assign(event, own);
    if (own) expected.delete(own);
    const { readAtMs } = event;
    const alike = [...expected].filter((subject) => isAlike(subject, change));
    // A listing covers every call answered before it was read, and every change before the one that it shows.
    if (readAtMs !== undefined) {
      for (const subject of alike) {
        const isOver = own ? subject.id < own.id : isAnswered(subject, readAtMs);
        if (isOver && !isOutdated(subject, event)) expected.delete(subject);
      }
    }
    if (!own) event.precedes = findLater(event, change, cases, expected);
  }
  const seen = cases.filter((subject) => subject.echo === "expected" && !expected.has(subject));
  if (seen.length > 0) {
    await tx
      .updateTable("castellan.cases")
      .set({ echo: "seen" })
      .where(
        "id",
        "in",
        seen.map(({ id }) => id),
      )
      .execute();
  }
  await lockNumbers(tx, wanted);
  return events.filter((event) => !known.has(event));
}

/** Cases that came after others' change, by what they read, by the order of reports, or by the network's times. */
function findLater(
  event: NewChannelEvent,
  change: Change,
  cases: readonly Case[],
  expected: ReadonlySet<Case>,
): number[] {
  const { readAtMs } = event;
  const alike = cases.filter(
    (subject) => isAlike(subject, change) && subject.actorKind !== "outside" && subject.state !== "requested",
  );
  const first = alike.find((subject) => expected.has(subject));
  const later = alike.filter((subject) =>
    readAtMs === undefined
      ? first !== undefined && subject.id >= first.id
      : !isAnswered(subject, readAtMs) || isOutdated(subject, event),
  );
  const others = cases.filter((subject) => isAlike(subject, change) && wasLaterOnNetwork(subject, event));
  return [...later, ...others].map(({ id }) => id);
}

/** Whether a ban or invite by others, from a listing, is later than this event: both times are the network's. */
function wasLaterOnNetwork(
  { kind, actorKind, requestedAtMs }: Case,
  { sourceKey, occurredAt }: NewChannelEvent,
): boolean {
  const isTimed = kind === "ban" || kind === "invite";
  return (
    isTimed &&
    actorKind === "outside" &&
    sourceKey.startsWith(channelEventPrefix) &&
    requestedAtMs > occurredAt * 1000
  );
}

function assign(event: NewChannelEvent, { id, depth }: Case): void {
  event.caseId = id;
  event.depth = depth;
}

/**
 * Changes that no case claimed take case numbers after the events took theirs, while rules take case numbers first. So
 * case numbers are already locked here, or two transactions could wait for each other.
 */
async function lockNumbers(tx: Tx, events: readonly NewChannelEvent[]): Promise<void> {
  const unclaimed = events.filter((event) => event.caseId === null && changeOf(event));
  const channels = new Set(unclaimed.map((event) => event.channelId).filter((id) => id !== null));
  if (channels.size === 0) return;
  const links = await tx
    .selectFrom("castellan.links")
    .select("guild_id")
    .where("channel_id", "in", [...channels])
    .execute();
  await lockCaseNumbers(tx, ...links.map(({ guild_id }) => guild_id));
}

/** Once the events have ids: claimed cases get theirs, and unclaimed changes become cases from outside. */
export async function recordClaims(tx: Tx, events: readonly ChannelEvent[]): Promise<void> {
  for (const event of events) {
    if (event.caseId === null || !changeOf(event)) continue;
    await tx
      .updateTable("castellan.cases")
      .set({ event_id: event.id })
      .where("id", "=", event.caseId)
      .execute();
  }
  await addOutsideCases(tx, events);
}

/**
 * A call that was not sent, or was rejected, caused nothing: any change that this case claimed meanwhile was made by
 * others, and is recorded as theirs. Only for the holder of the case.
 */
export async function giveBackClaims(
  tx: Tx,
  { id, channelId, target, targetFid, leaseToken }: Case,
): Promise<void> {
  await lockTarget(tx, target);
  const held = await tx
    .selectFrom("castellan.cases")
    .select("event_id")
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
        is("id", "=", held.event_id),
        is.and([
          is("channel_id", "=", channelId),
          is("subject_fid", "=", targetFid),
          is("kind", "in", consequenceKinds),
        ]),
      ]),
    )
    .returningAll()
    .execute();
  await tx.updateTable("castellan.cases").set({ event_id: null, echo: null }).where("id", "=", id).execute();
  await addOutsideCases(tx, rows.map(toEvent));
}

/** Records others' changes, in every server that is linked to the channel. */
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
  // A reading locked them before (lockNumbers); a link may have come since, and a case that gives back has not.
  await lockCaseNumbers(tx, ...links.map(({ guild_id }) => guild_id));
  const after = await readCases(
    tx,
    outside.flatMap(({ event }) => event.precedes ?? []),
  );
  for (const { guild_id, channel_id } of links) {
    const own = outside.filter(({ event }) => event.channelId === channel_id);
    const first = await takeNumbers(tx, { guildId: guild_id, channelId: channel_id }, own.length);
    const rows = own.map(({ event, change }, index) => ({
      guild_id,
      channel_id,
      number: first + index,
      target_key: change.target,
      kind: change.kind,
      ...stateAfter(after.find((later) => event.precedes?.includes(later.id) && isEndedBy(change, later))),
      target_fid: change.targetFid,
      target_cast: change.targetCast,
      subject_fid: subjectFidOf(change),
      ...(event.kind === "invite.created" && {
        role: event.data.role,
        actor_fid: event.data.inviterFid || null,
      }),
      actor_kind: "outside" as const,
      requested_at_ms: event.occurredAt * 1000,
      settled_at_ms: event.observedAt,
      event_id: event.id,
    }));
    const inserted = await tx.insertInto("castellan.cases").values(rows).returningAll().execute();
    await requestOpened(tx, inserted, Math.max(...own.map(({ event }) => event.observedAt)));
    for (const [index, added] of inserted.entries())
      await revertEnded(tx, toCase(added), own[index]?.event.precedes);
  }
}

/** The state after others' changes that came before our case. */
function stateAfter(ending: Case | undefined) {
  return {
    state: ending ? ("reverted" as const) : ("outside" as const),
    reverted_by_case_id: ending?.id ?? null,
  };
}

function isEndedBy({ kind, targetCast }: Change, later: Case): boolean {
  const isSamePin = kind === "pin" && later.kind === "pin" && later.targetCast === targetCast;
  return !isSamePin && Boolean(endedBy[later.kind]?.includes(kind));
}

/**
 * Cases on the targets of these events, oldest first: those in force, and those whose effect the network may still show.
 * Locks them like `lockTarget`, because others' changes may end them.
 */
async function findCases(tx: Tx, events: readonly NewChannelEvent[]): Promise<Case[]> {
  const targets = new Set<string>();
  for (const event of events) {
    const target = targetOf(event);
    if (target) targets.add(target);
  }
  const rows = await tx
    .selectFrom("castellan.cases")
    .selectAll()
    .where("target_key", "in", [...targets])
    .where((is) => is.or([is("state", "in", requestedOrInForce), is("echo", "is not", null)]))
    .orderBy("id")
    .forUpdate()
    .execute();
  return rows.map(toCase);
}
