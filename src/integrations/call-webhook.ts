import { sql } from "kysely";
import { exponentialBackoff, type Backoff } from "../async.ts";
import type { BotContext } from "../bot-context.ts";
import type { Tx } from "../database/database.ts";
import { AppError, asAppError } from "../errors.ts";
import { newEvent } from "../observe/events.ts";
import type { OutboxContext, OutboxRow, Sender } from "../outbox/send-outbox.ts";
import { webhookDestination } from "../outbox/request-webhooks.ts";
import { postWebhook } from "./post-webhook.ts";
import { isListed, readWebhookUrl } from "./webhook-address.ts";
import { readPayload } from "./webhook-payload.ts";
import { findWebhook, type Webhook } from "./webhooks.ts";

const hour = 3_600_000;
/** Of the whole webhook, so that a dead address costs one call, however many wait. */
const backoff: Backoff = { first: 5_000, longest: hour };
const expiresAfterMs = 24 * hour;
/** How long calls fail before a post announces it. */
const announceAfterMs = hour;

/** Calls the webhook's address. The receiver recognizes a repetition by the id, which stays the same. */
export const webhookSender: Sender = {
  async send(context, row) {
    const call = row.data.webhook;
    const webhook = call && (await findWebhook(context.database.query, call.id));
    if (!call || !webhook) return "dropped";
    // A new event has no failure of its own, but waits for the same address.
    const { retryAtMs, error } = webhook;
    if (retryAtMs !== null && retryAtMs > context.clock.now()) {
      return { untilMs: retryAtMs, error: error ?? "The webhook waits after a failure." };
    }
    const body = await readPayload(context, webhook, call).catch((cause: unknown) => {
      throw new AppError("webhook_failed", "Castellan could not write this call yet.", { cause });
    });
    if (body === undefined) return "dropped";
    try {
      await post(context, webhook, row, body);
    } catch (error) {
      const { message } = asAppError(error) ?? {};
      if (message === undefined) throw error;
      return { untilMs: await noteFailure(context, webhook, message), error: message };
    }
    await noteSuccess(context, webhook);
    return "sent";
  },
  final: [],
  expiresAfter: () => expiresAfterMs,
  giveUp({ log }, { key, data }, err) {
    log.error({ err, key, webhook: data.webhook?.id }, "a webhook's call could not be written for a day");
  },
};

/** Throws `webhook_failed`, or `invalid_input` for an address that is not allowed any more. */
async function post(
  { clock, settings }: OutboxContext,
  { url: given, secret }: Webhook,
  row: OutboxRow,
  body: string,
): Promise<void> {
  const url = readWebhookUrl(given, settings.webhookHosts);
  const mayBePrivate = isListed(new URL(url).hostname, settings.webhookHosts);
  const message = { id: `msg_${row.id}`, timestamp: Math.floor(clock.now() / 1000), body };
  await postWebhook({ url, secret, mayBePrivate }, message);
}

async function noteSuccess({ database, clock }: BotContext, { id }: Webhook): Promise<void> {
  const healthy = {
    failing_since_ms: null,
    announced_at_ms: null,
    failures: 0,
    retry_at_ms: null,
    error: null,
  };
  await database.query
    .updateTable("castellan.webhooks")
    .set({ succeeded_at_ms: clock.now(), ...healthy })
    .where("id", "=", id)
    .execute();
}

/**
 * All calls of the webhook wait until the returned time (UNIX milliseconds), and those that have waited for a day are
 * given up. After an hour of failures a post announces it, once.
 */
async function noteFailure(
  context: BotContext,
  { id, guildId, name }: Webhook,
  error: string,
): Promise<number> {
  const { database, clock } = context;
  const now = clock.now();
  return database.transaction(async (tx) => {
    const { rows } = await sql<{ failures: number; since: number; isAnnounced: boolean }>`
      update castellan.webhooks set failures = failures + 1, error = ${error},
        failing_since_ms = coalesce(failing_since_ms, ${now})
      where id = ${id}
      returning failures, failing_since_ms as since, announced_at_ms is not null as "isAnnounced"
    `.execute(tx);
    const [{ failures, since, isAnnounced } = { failures: 1, since: now, isAnnounced: true }] = rows;
    const retryAt = now + exponentialBackoff(failures, backoff);
    const isDue = !isAnnounced && now - since >= announceAfterMs;
    await tx
      .updateTable("castellan.webhooks")
      .set({ retry_at_ms: retryAt, ...(isDue && { announced_at_ms: now }) })
      .where("id", "=", id)
      .execute();
    await giveUpOld(tx, id, now, error);
    if (isDue) {
      const data = { guildId, name, since: Math.floor(since / 1000), error };
      const sourceKey = `webhook ${id} fails since ${since}`;
      await context.appendEvents(tx, [
        newEvent(now, { sourceKey, kind: "webhook.failing", channelId: null, data }),
      ]);
    }
    return retryAt;
  });
}

async function giveUpOld(tx: Tx, id: number, now: number, error: string): Promise<void> {
  await tx
    .updateTable("castellan.outbox")
    .set({ state: "failed", settled_at_ms: now, error })
    .where("kind", "=", "webhook")
    .where("destination", "=", webhookDestination(id))
    .where("state", "=", "waiting")
    .where("requested_at_ms", "<", now - expiresAfterMs)
    .execute();
}
