import { sql } from "kysely";
import type { BotContext } from "../../bot-context.ts";
import type { Queryable, Tx } from "../../database/database.ts";
import { eventsSource } from "../../observe/live/current-plan.ts";
import { newEvent } from "../../observe/events.ts";
import { announceBulkChange } from "../bulks/announce.ts";
import { banKinds, endedBy, isBanKind, lockTarget, toCase, type Case, type CaseKind } from "./case.ts";
import { isAlike } from "./change.ts";
import { readShown } from "./read-shown.ts";
import { announceSettled, settleLate } from "./settle.ts";
import { isInForce, succeeded } from "../../database/tables/case-states.ts";

/*
 * An echo is expected until its source has been read completely after our call was answered. After that, no observed
 * change is ours. A missing record means that nothing was changed. A listing that shows another state means that others
 * made an unseen change.
 */

/** How long after a response a reading shows the change: the second reading of records, the next full one of listings. */
const lag = { records: 10_000, listings: 60_000 };
/** How many targets one run handles. */
const batch = 200;

const isRecord = sql<boolean>`cases.kind in ('hide', 'unhide')`;

const isLinked = sql<boolean>`exists (select from castellan.links where links.channel_id = cases.channel_id)`;

/**
 * The source of the echo was read after it: channel events if the network serves them, because they report earlier changes
 * later than a listing does. Or nothing is read, because no server is linked to the channel.
 */
const isRead = sql<boolean>`(
  not ${isLinked}
  or case when ${isRecord} then exists (
    select from castellan.sources where source = 'records/' || cases.channel_id
      and not behind and succeeded_at_ms > cases.settled_at_ms + ${lag.records})
  else exists (
    select from castellan.sources as listings
    left join castellan.sources as events on events.source = ${eventsSource} and events.has_baseline
      and events.failing_since_ms is null
    where listings.source = 'listings/' || cases.channel_id
      and coalesce(events.succeeded_at_ms, listings.completed_at_ms) > cases.settled_at_ms + ${lag.listings})
  end)`;

/** It is in force, and is the last case of its target. */
const isLast = sql<boolean>`cases.state = 'applied' and not exists (
  select from castellan.cases as other where other.target_key = cases.target_key and other.id <> cases.id
    and (other.event_id > cases.event_id or other.state = 'requested'))`;

function settledWithEcho(query: Queryable) {
  return query.selectFrom("castellan.cases").where("echo", "is not", null).where("state", "<>", "requested");
}

/**
 * Whether reading records, or listings, would show more of an echo: because it has not come yet, or, for listings, because
 * the reading after which none can come is due.
 */
export async function awaitsEcho(
  { database, clock }: BotContext,
  of: "records" | "listings",
): Promise<boolean> {
  const row = await settledWithEcho(database.query)
    .select("id")
    .where(of === "records" ? isRecord : sql<boolean>`not ${isRecord}`)
    .where((is) =>
      is.or([
        is("echo", "=", "expected"),
        ...(of === "listings" ? [is("settled_at_ms", "<", clock.now() - lag.listings)] : []),
      ]),
    )
    .where(isLinked)
    .where(sql<boolean>`not ${isRead}`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function hasEchoesToResolve({ database }: BotContext): Promise<boolean> {
  const row = await settledWithEcho(database.query)
    .select("id")
    .where(isLinked)
    .where(isRead)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Resolves all echoes that can no longer come. Any number of callers may call this at once. */
export async function resolveEchoes(context: BotContext): Promise<void> {
  const { database } = context;
  // The usual case: it was seen, and nothing else happened.
  await database.query
    .updateTable("castellan.cases")
    .set({ echo: null })
    .where(
      "id",
      "in",
      settledWithEcho(database.query)
        .select("id")
        .where("echo", "=", "seen")
        .where(isRead)
        .where(isLast)
        .orderBy("id")
        .forUpdate()
        .skipLocked(),
    )
    .execute();
  const due = await settledWithEcho(database.query)
    .select("target_key")
    .distinct()
    .where(isRead)
    .limit(batch)
    .execute();
  for (const { target_key } of due)
    await database.transaction((tx) => resolveTarget(context, tx, target_key));
}

async function resolveTarget(context: BotContext, tx: Tx, target: string): Promise<void> {
  await lockTarget(tx, target);
  const over = await tx
    .updateTable("castellan.cases")
    .set({ echo: null })
    .where("target_key", "=", target)
    .where("echo", "is not", null)
    .where("state", "<>", "requested")
    .where(isRead)
    .returningAll()
    .execute();
  const resolved = over.map(toCase).toSorted((one, other) => one.id - other.id);
  const [first] = resolved;
  if (!first) return;
  const links = tx.selectFrom("castellan.links").select("guild_id").where("channel_id", "=", first.channelId);
  // Without a linked server, the channel was not read.
  if (!(await links.limit(1).executeTakeFirst())) return;
  for (const subject of resolved) {
    const { id, bulkId, guildId, channelId } = subject;
    const isCorrected = await correctOutcome(context, tx, subject);
    if (isCorrected && bulkId !== null)
      await announceBulkChange(context, tx, { id: bulkId, guildId, channelId }, `noted ${id}`);
  }
  for (const sample of resolved) {
    const alike = resolved.filter((other) => isAlike(other, sample));
    if (alike[0] === sample) await compare(context, tx, sample, alike);
  }
}

/** Whether what the network showed, or did not show, contradicts the outcome, which is then corrected. */
async function correctOutcome(context: BotContext, tx: Tx, subject: Case): Promise<boolean> {
  const { kind, state, eventId } = subject;
  const isWithoutRecord = eventId === null && (kind === "hide" || kind === "unhide");
  if (state === "failed" ? eventId === null : !isWithoutRecord) return false;
  await (state === "failed" ? settleLate : noteAlready)(context, tx, subject);
  return true;
}

/** No record came, so the case changed nothing. One that was ended since stays reverted, but is not counted as a change. */
async function noteAlready(context: BotContext, tx: Tx, subject: Case): Promise<void> {
  await tx
    .updateTable("castellan.cases")
    .set({
      state: sql<Case["state"]>`case state when 'applied' then 'already' else state end`,
      outcome: "already",
    })
    .where("id", "=", subject.id)
    .execute();
  await announceSettled(context, tx, { ...subject, state: "already" });
}

/**
 * Makes the case in force match the network's state. If our and others' actions were recorded in the wrong order, that is
 * corrected; a change that was not announced is announced now.
 */
async function compare(context: BotContext, tx: Tx, sample: Case, resolved: readonly Case[]): Promise<void> {
  const open = await tx
    .selectFrom("castellan.cases")
    .select("id")
    .where("target_key", "=", sample.target)
    .where((is) => is.or([is("echo", "is not", null), is("state", "=", "requested")]))
    .limit(1)
    .executeTakeFirst();
  const shown = open ? undefined : await readShown(tx, sample);
  if (!shown) return;
  const isShown = (subject: Case) =>
    subject.kind === shown.kind && (shown.kind !== "pin" || subject.targetCast === shown.cast);
  const kinds = [...endsOrIs(shown.kind)];
  const rows = await tx
    .selectFrom("castellan.cases")
    .selectAll()
    .where("target_key", "=", sample.target)
    .where("kind", "in", kinds)
    .where("state", "in", succeeded)
    .orderBy("event_id", (order) => order.desc().nullsLast())
    .limit(20)
    .execute();
  const cases = rows.map(toCase);
  const held = cases.filter(({ state }) => isInForce(state));
  const wrong = held.filter((subject) => !isShown(subject) && endedBy[shown.kind]?.includes(subject.kind));
  const begins = shown.kind !== "unban" && shown.kind !== "unhide" && shown.kind !== "unpin";
  const isHeld = held.some(
    (subject) => isShown(subject) || (shown.kind === "ban" && isBanKind(subject.kind)),
  );
  if (wrong.length === 0 && (!begins || isHeld)) return;
  const newest = cases.find(({ eventId }) => eventId !== null);
  // It was announced, although others seemed to come before or after it.
  const announced = cases.find(
    (subject) =>
      isShown(subject) &&
      subject.eventId !== null &&
      (subject.eventId === newest?.eventId ||
        resolved.some(({ id }) => id === subject.id) ||
        (subject.actorKind === "outside" && (subject.settledAtMs ?? 0) >= (sample.sentAtMs ?? 0))),
  );
  if (!announced && shown.content) {
    const now = context.clock.now();
    const { id, channelId, targetFid: subjectFid } = sample;
    const sourceKey = `unseen ${id} ${shown.content.kind}`;
    await context.appendEvents(tx, [newEvent(now, { ...shown.content, sourceKey, channelId, subjectFid })]);
    return;
  }
  if (wrong.length > 0) {
    await tx
      .updateTable("castellan.cases")
      .set({ state: "reverted", has_expired: false, reverted_by_case_id: announced?.id ?? null })
      .where(
        "id",
        "in",
        wrong.map(({ id }) => id),
      )
      .execute();
  }
  if (announced && begins) {
    await tx
      .updateTable("castellan.cases")
      .set({ state: announced.actorKind === "outside" ? "outside" : "applied", reverted_by_case_id: null })
      .where("event_id", "=", announced.eventId)
      .where("state", "=", "reverted")
      .execute();
  }
}

function endsOrIs(kind: CaseKind): Set<CaseKind> {
  return new Set([kind, ...(endedBy[kind] ?? []), ...(kind === "ban" ? banKinds : [])]);
}
