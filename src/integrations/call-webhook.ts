import { sql } from "kysely";
import { exponentialBackoff, type Backoff } from "../async.ts";
import type { BotContext } from "../bot-context.ts";
import { AppError } from "../errors.ts";
import { newEvent } from "../observe/events.ts";
import { describeFailure } from "../outbox/classify.ts";
import type { OutboxContext, OutboxRow, Sender } from "../outbox/send-outbox.ts";
import { postWebhook } from "./post-webhook.ts";
import { isListed } from "./webhook-address.ts";
import { readPayload } from "./webhook-payload.ts";
import { findWebhook, type Webhook } from "./webhooks.ts";

const hour = 3_600_000;
/** Of the whole webhook, so that a dead address costs one call for all that waits. */
const backoff: Backoff = { first: 5_000, longest: hour };
const expiresAfterMs = 24 * hour;
/** How long calls fail before rooms hear of it. */
const announceAfterMs = hour;

/** Calls the webhook's address. The receiver recognizes a repetition by the id, which stays the same. */
export const webhookSender: Sender = {
  async send(context, row) {
    const { clock, database } = context;
    const call = row.data.webhook;
    const webhook = call && (await findWebhook(database.query, call.id));
    if (!call || !webhook) return "dropped";
    const now = clock.now();
    const isExpired = now - row.requestedAtMs > expiresAfterMs;
    if (isExpired)
      throw new AppError("webhook_failed", webhook.error ?? "It was not delivered within a day.");
    if (webhook.retryAtMs !== null && webhook.retryAtMs > now) return { untilMs: webhook.retryAtMs };
    const body = await readPayload(context, webhook, call);
    if (body === undefined) return "dropped";
    await post(context, webhook, row, body);
    return "sent";
  },
  final: [],
  expiresAfter: () => expiresAfterMs,
  backoff,
  giveUp({ log }, { key, data }, err) {
    log.warn({ err, key, webhook: data.webhook?.id }, "a webhook could not be called for a day");
  },
};

async function post(context: OutboxContext, webhook: Webhook, row: OutboxRow, body: string): Promise<void> {
  const { clock, settings } = context;
  const { url, secret } = webhook;
  const mayBePrivate = isListed(new URL(url).hostname, settings.webhookHosts);
  const message = { id: `msg_${row.id}`, timestamp: Math.floor(clock.now() / 1000), body };
  try {
    await postWebhook({ url, secret, mayBePrivate }, message);
  } catch (error) {
    await noteFailure(context, webhook, describeFailure(error));
    throw error;
  }
  await context.database.query
    .updateTable("castellan.webhooks")
    .set({
      succeeded_at_ms: clock.now(),
      failing_since_ms: null,
      announced_at_ms: null,
      failures: 0,
      retry_at_ms: null,
      error: null,
    })
    .where("id", "=", webhook.id)
    .execute();
}

/** All calls of the webhook wait; after an hour of failures its server's rooms hear of it, once. */
async function noteFailure(
  context: BotContext,
  { id, guildId, name }: Webhook,
  error: string,
): Promise<void> {
  const { database, clock } = context;
  const now = clock.now();
  await database.transaction(async (tx) => {
    const { rows } = await sql<{ failures: number; since: number; isAnnounced: boolean }>`
      update castellan.webhooks set failures = failures + 1, error = ${error},
        failing_since_ms = coalesce(failing_since_ms, ${now})
      where id = ${id}
      returning failures, failing_since_ms as since, announced_at_ms is not null as "isAnnounced"
    `.execute(tx);
    const [row] = rows;
    if (!row) return;
    const isDue = !row.isAnnounced && now - row.since >= announceAfterMs;
    await tx
      .updateTable("castellan.webhooks")
      .set({
        retry_at_ms: now + exponentialBackoff(row.failures, backoff),
        ...(isDue && { announced_at_ms: now }),
      })
      .where("id", "=", id)
      .execute();
    if (!isDue) return;
    await context.appendEvents(tx, [
      newEvent(now, {
        sourceKey: `webhook ${id} fails since ${row.since}`,
        kind: "webhook.failing",
        channelId: null,
        data: { guildId, name, since: Math.floor(row.since / 1000), error },
      }),
    ]);
  });
}
