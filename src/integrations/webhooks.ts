import { randomBytes } from "node:crypto";
import { sql, type Selectable } from "kysely";
import type { BotContext } from "../bot-context.ts";
import { camelCased, type CamelCased } from "../database/camel-case.ts";
import type { Queryable, Tx } from "../database/database.ts";
import type { OutboxTables, WebhookEvent, WebhookTable } from "../database/tables/outbox.ts";
import { AppError } from "../errors.ts";
import { request } from "../outbox/request.ts";
import { webhookDestination } from "../outbox/request-webhooks.ts";

/*
 * A webhook is an address of a server's people that is called when something happens, as the Standard Webhooks
 * specification describes it. A call is a row of the outbox, and its content is made when it is sent.
 */

export type Webhook = CamelCased<Selectable<WebhookTable>>;

/** In the order in which they are offered. */
export const webhookEvents = [
  "case.opened",
  "case.settled",
  "review.opened",
  "rule.hit",
  "health",
] as const satisfies WebhookEvent[];

const maxWebhooks = 5;
/** Calls that the delivery log shows. */
const maxShown = 10;

interface NewWebhook {
  guildId: string;
  name: string;
  url: string;
  events: readonly WebhookEvent[];
  channelIds: readonly string[];
  createdBy: string;
}

/** Stores a webhook, requests a first call, and returns the secret. Throws `invalid_input` for a name in use, or for too many. */
export async function createWebhook(
  tx: Tx,
  { clock }: Pick<BotContext, "clock">,
  { guildId, name, url, events, channelIds, createdBy }: NewWebhook,
): Promise<string> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`webhooks ${guildId}`}, 0))`.execute(tx);
  const known = await listWebhooks(tx, guildId);
  if (known.length >= maxWebhooks)
    throw new AppError("invalid_input", `A server has at most ${maxWebhooks} webhooks. Remove one first.`);
  if (known.some((one) => one.name === name))
    throw new AppError("invalid_input", `There is a webhook ${name} already. Remove it first.`);
  const secret = `whsec_${randomBytes(32).toString("base64")}`;
  const { id } = await tx
    .insertInto("castellan.webhooks")
    .values({
      guild_id: guildId,
      name,
      url,
      secret,
      events: [...events],
      channel_ids: [...channelIds],
      created_by: createdBy,
      created_at_ms: clock.now(),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await request(tx, [
    {
      kind: "webhook",
      key: `${id} ping`,
      destination: webhookDestination(id),
      requestedAtMs: clock.now(),
      data: { webhook: { id, event: "ping", subject: id } },
    },
  ]);
  return secret;
}

/** By name. */
export async function listWebhooks(db: Queryable, guildId: string): Promise<Webhook[]> {
  const rows = await db
    .selectFrom("castellan.webhooks")
    .selectAll()
    .where("guild_id", "=", guildId)
    .orderBy("name")
    .execute();
  return rows.map(camelCased);
}

export async function findWebhook(db: Queryable, id: number): Promise<Webhook | undefined> {
  const row = await db.selectFrom("castellan.webhooks").selectAll().where("id", "=", id).executeTakeFirst();
  return row && camelCased(row);
}

/** Throws `not_found`. */
export async function requireWebhook(db: Queryable, guildId: string, name: string): Promise<Webhook> {
  const found = (await listWebhooks(db, guildId)).find((one) => one.name === name);
  if (found) return found;
  throw new AppError("not_found", "There is no such webhook in this server.");
}

/** Calls that are not made yet are dropped. */
export async function removeWebhook(
  tx: Tx,
  { clock }: Pick<BotContext, "clock">,
  { id }: Webhook,
): Promise<void> {
  await tx.deleteFrom("castellan.webhooks").where("id", "=", id).execute();
  await tx
    .updateTable("castellan.outbox")
    .set({ state: "dropped", settled_at_ms: clock.now() })
    .where("kind", "=", "webhook")
    .where("destination", "=", webhookDestination(id))
    .where("state", "=", "waiting")
    .execute();
}

export type WebhookDelivery = CamelCased<Selectable<OutboxTables["castellan.outbox"]>>;

/** Its latest calls, newest first. */
export async function listDeliveries(db: Queryable, { id }: Webhook): Promise<WebhookDelivery[]> {
  const rows = await db
    .selectFrom("castellan.outbox")
    .selectAll()
    .where("kind", "=", "webhook")
    .where("destination", "=", webhookDestination(id))
    .orderBy("id", "desc")
    .limit(maxShown)
    .execute();
  return rows.map(camelCased);
}

/**
 * Requests a call again at once, whatever became of it, with the same id; and all that wait for the same address. Returns the
 * destination to wake. Throws `not_found`.
 */
export async function sendAgain(
  { database, clock }: Pick<BotContext, "database" | "clock">,
  { id }: Webhook,
  deliveryId: number,
): Promise<string> {
  const now = clock.now();
  const destination = webhookDestination(id);
  return database.transaction(async (tx) => {
    const { numAffectedRows } = await sql`
      update castellan.outbox set state = 'waiting', attempts = 0, error = null, settled_at_ms = null,
        requested_at_ms = greatest(${now}, requested_at_ms + 1), due_at_ms = ${now}
      where id = ${deliveryId} and kind = 'webhook' and destination = ${destination}
    `.execute(tx);
    if (numAffectedRows === 0n) throw new AppError("not_found", "This webhook has no such call.");
    await tx.updateTable("castellan.webhooks").set({ retry_at_ms: null }).where("id", "=", id).execute();
    await tx
      .updateTable("castellan.outbox")
      .set({ due_at_ms: now })
      .where("destination", "=", destination)
      .where("kind", "=", "webhook")
      .where("state", "=", "waiting")
      .where("due_at_ms", ">", now)
      .execute();
    return destination;
  });
}
