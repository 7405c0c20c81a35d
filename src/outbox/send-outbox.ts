import { sql, type RawBuilder } from "kysely";
import { exponentialBackoff, mapLimited, type Backoff } from "../async.ts";
import type { BotContext } from "../bot-context.ts";
import { createLease, isDue, isUnleased, noLease } from "../database/lease.ts";
import type { OutboxData, OutboxKind } from "../database/tables/outbox.ts";
import { asAppError } from "../errors.ts";
import type { Rooms } from "../feed/rooms.ts";
import { report } from "../telemetry.ts";
import { classify, describeFailure, type Failure } from "./classify.ts";
import { isWebhook } from "./request-webhooks.ts";

export type OutboxContext = BotContext & { rooms: Rooms };

/** A row of the outbox, with this process's lease. */
export interface OutboxRow {
  id: number;
  kind: OutboxKind;
  key: string;
  destination: string;
  data: OutboxData;
  erasureId: number | null;
  /** UNIX milliseconds. */
  requestedAtMs: number;
  attempts: number;
  leaseToken: string;
}

/**
 * The result for a row whose turn it was: "dropped" if it is obsolete, "wait" if it has to wait for something else, or
 * why its whole destination waits, and until when (UNIX milliseconds).
 */
export type Sent = "sent" | "dropped" | "wait" | { untilMs: number; error: string };

/** The differences between the outbox's kinds. */
export interface Sender {
  /**
   * Sends the row, or returns why not. If a process sent it before and died, it is found, or sending it again does no
   * harm. Throws like `Rooms`.
   */
  send(context: OutboxContext, row: OutboxRow): Promise<Sent>;
  /** Failures after which it is not retried. */
  final: readonly Failure[];
  /** Milliseconds after the request; later failures are not retried. */
  expiresAfter(row: OutboxRow): number;
  backoff?: Backoff;
  /** Logs that it is given up. */
  giveUp(context: Pick<BotContext, "log">, row: OutboxRow, error: unknown): void;
}

export type Senders = Readonly<Record<OutboxKind, Sender>>;

/** Destinations served at the same time, and per run. */
const parallel = 8;
const maxDestinations = 200;
/** Rows or milliseconds until a destination gives way to others; Discord accepts one edit a second in a room. */
const maxRows = 20;
const maxTurnMs = 2_000;
/** Between attempts, unless the kind has its own. */
const usualBackoff: Backoff = { first: 5_000, longest: 60_000 };
/** Between checks of rows that wait for something else. */
const waits: Backoff = { ...usualBackoff, first: 1_000 };

export async function hasOutbox({ database, clock }: BotContext): Promise<boolean> {
  const due = await database.query
    .selectFrom("castellan.outbox")
    .select("id")
    .where("state", "=", "waiting")
    .where("kind", "<>", "webhook")
    .where("due_at_ms", "<=", clock.now())
    .where(isUnleased(clock))
    .limit(1)
    .executeTakeFirst();
  return due !== undefined;
}

/** Sends what is due to Discord: to people first, then edits. A failing destination does not delay others. */
export async function sendOutbox(
  context: OutboxContext,
  senders: Senders,
  signal: AbortSignal,
): Promise<void> {
  await mapLimited(await findDestinations(context), parallel, (destination) =>
    sendTo(context, senders, destination, signal),
  );
}

/** Sends what is due to one destination, for at most two seconds. Returns whether there may be more. */
export async function sendTo(
  context: OutboxContext,
  senders: Senders,
  destination: string,
  signal: AbortSignal,
): Promise<boolean> {
  const begun = context.clock.monotonic();
  for (let rows = 0; rows < maxRows; rows += 1) {
    if (signal.aborted || context.clock.monotonic() - begun > maxTurnMs) return true;
    const row = await take(context, destination);
    if (!row) return false;
    const settled = await trySending(context, senders[row.kind], row);
    await settle(context, row, settled);
    if (settled.waits) return false;
  }
  return true;
}

/**
 * Webhooks with calls that are due. Their own worker makes them, because strangers' servers may take seconds to answer. A
 * webhook that waits after a failure costs nothing, however many calls wait with it.
 */
export function findDueWebhooks({ clock }: BotContext, limit: number): RawBuilder<{ id: string }> {
  return sql`
    select 'webhook ' || hook.id as id from castellan.webhooks as hook
    where ${isDue(clock)} and exists (
      select from castellan.outbox where destination = 'webhook ' || hook.id and kind = 'webhook' and state = 'waiting'
        and due_at_ms <= ${clock.now()} and ${isUnleased(clock)})
    order by succeeded_at_ms nulls first limit ${limit}`;
}

async function findDestinations({ database, clock }: BotContext): Promise<string[]> {
  const { rows } = await sql<{ destination: string }>`
    select destination from castellan.outbox
    where state = 'waiting' and kind <> 'webhook' and due_at_ms <= ${clock.now()} and ${isUnleased(clock)}
    group by destination order by bool_and(kind = 'edit'), min(due_at_ms) limit ${maxDestinations}
  `.execute(database.query);
  return rows.map(({ destination }) => destination);
}

/** Leases the next row of a destination; undefined if none is due, or another process is sending there. */
async function take({ database, clock }: BotContext, destination: string): Promise<OutboxRow | undefined> {
  return database.transaction(async (tx) => {
    // Of two processes, the second sees the first one's lease.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`outbox ${destination}`}, 0))`.execute(tx);
    const lease = createLease("castellan.outbox", clock);
    const isDue = sql`destination = ${destination} and state = 'waiting' and due_at_ms <= ${clock.now()} and ${isUnleased(clock)}`;
    const isFree = sql`not exists (
      select from castellan.outbox where destination = ${destination} and state = 'waiting' and not ${isUnleased(clock)})`;
    const next = isWebhook(destination)
      ? sql`kind = 'webhook' and ${isDue} order by due_at_ms, id limit 1`
      : sql`${isDue} and ${isFree} order by kind = 'edit', due_at_ms, id limit 1`;
    const { rows } = await sql<OutboxRow>`
      update castellan.outbox set attempts = attempts + 1, lease_token = ${lease.lease_token},
        leased_until_ms = ${lease.leased_until_ms}
      where id = (select id from castellan.outbox where ${next})
      returning id, kind, key, destination, data, erasure_id as "erasureId", requested_at_ms as "requestedAtMs", attempts,
        lease_token as "leaseToken"
    `.execute(tx);
    return rows[0];
  });
}

async function trySending(context: OutboxContext, sender: Sender, row: OutboxRow): Promise<Settled> {
  const { clock, log } = context;
  try {
    const sent = await sender.send(context, row);
    if (sent === "wait") return { due_at_ms: clock.now() + exponentialBackoff(row.attempts, waits) };
    if (typeof sent === "object") return { due_at_ms: sent.untilMs, error: sent.error, waits: true };
    return { state: sent, error: null, settled_at_ms: clock.now() };
  } catch (err) {
    const failure = classify(err);
    const now = clock.now();
    if (failure === "sent") return { state: "sent", error: null, settled_at_ms: now };
    const error = describeFailure(err);
    if (sender.final.includes(failure) || now - row.requestedAtMs > sender.expiresAfter(row)) {
      sender.giveUp(context, row, err);
      return { state: "failed", error, settled_at_ms: now };
    }
    const { kind, key, attempts } = row;
    log.warn({ err, kind, key, attempts }, "an outbox request could not be sent yet");
    const pause = exponentialBackoff(attempts, sender.backoff ?? usualBackoff);
    return { error, due_at_ms: now + Math.max(pause, (asAppError(err)?.retryAfter ?? 0) * 1000) };
  }
}

interface Settled {
  state?: "sent" | "dropped" | "failed";
  error?: string | null;
  settled_at_ms?: number;
  due_at_ms?: number;
  /** The whole destination waits. */
  waits?: true;
}

/** Settles only the request that was sent: a later one stays open. A row dropped in the meantime stays dropped. */
async function settle(
  { database }: BotContext,
  row: OutboxRow,
  { waits: _, ...settled }: Settled,
): Promise<void> {
  const held = database.query
    .updateTable("castellan.outbox")
    .where("id", "=", row.id)
    .where("lease_token", "=", row.leaseToken);
  const { numUpdatedRows } = await held
    .set({ ...settled, ...noLease })
    .where("requested_at_ms", "=", row.requestedAtMs)
    .where("state", "=", "waiting")
    .executeTakeFirst();
  if (numUpdatedRows === 0n) await held.set(noLease).execute();
  else if (settled.state) report("castellan:outbox.settled", { kind: row.kind, result: settled.state });
}
