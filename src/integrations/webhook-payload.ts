import type { z } from "zod";
import type { Queryable, Tx } from "../database/database.ts";
import type { WebhookCall } from "../database/tables/outbox.ts";
import { isAnnounced } from "../feed/feed-kinds.ts";
import { readReviews } from "../feed/render/held-reviews.ts";
import { readLookups } from "../feed/render/lookups.ts";
import { renderEvent } from "../feed/render/render-event.ts";
import { readCases, type Case } from "../moderation/cases/case.ts";
import { toEvent, type ChannelEvent } from "../observe/events.ts";
import type { OutboxContext } from "../outbox/send-outbox.ts";
import { listServed } from "../outbox/request-webhooks.ts";
import { toCaseRecord, toReviewRecord, toTime } from "./records.ts";
import type { webhookPayloads } from "./schemas.ts";
import type { Webhook } from "./webhooks.ts";

type Payloads = { [Type in keyof typeof webhookPayloads]: z.input<(typeof webhookPayloads)[Type]> };
type Payload = Payloads[keyof Payloads];

/** The body of a call, as things are now; undefined if what it is about has been deleted, or is no longer the webhook's. */
export async function readPayload(
  context: OutboxContext,
  webhook: Webhook,
  call: WebhookCall,
): Promise<string | undefined> {
  const payload = await context.database.transaction(async (tx) => {
    // A channel may have been unlinked while the call waited.
    const channelIds = await listServed(tx, webhook);
    return writePayload(context, tx, { ...webhook, channelIds }, call);
  });
  return payload && JSON.stringify(payload);
}

async function writePayload(
  context: OutboxContext,
  tx: Tx,
  { guildId, channelIds }: Webhook,
  { event: type, subject }: WebhookCall,
): Promise<Payload | undefined> {
  if (type === "ping") return { type, timestamp: toTime(context.clock.now()), data: { server: guildId } };
  if (type === "case.opened") {
    const [opened] = await readCases(tx, [subject]);
    if (!opened || !channelIds.includes(opened.channelId)) return undefined;
    return { type, timestamp: toTime(opened.requestedAtMs), data: toData(guildId, opened) };
  }
  const event = await findEvent(tx, subject);
  const channel = event?.channelId ?? null;
  if (!event || (channel === null ? channelIds.length === 0 : !channelIds.includes(channel)))
    return undefined;
  const timestamp = toTime(event.observedAt);
  switch (event.kind) {
    case "case.settled": {
      const [settled] = await readCases(tx, event.caseId === null ? [] : [event.caseId]);
      return settled && { type: event.kind, timestamp, data: toData(guildId, settled) };
    }
    case "review.held":
    case "review.widened": {
      const { itemId } = event.data;
      const review = (await readReviews(tx, [itemId], context.clock.now())).get(itemId);
      // A review of a name has no channel until it is widened to others.
      if (!review?.channels.some(({ channelId }) => channelIds.includes(channelId))) return undefined;
      const data = { server: guildId, review: toReviewRecord(review, channelIds) };
      return { type: "review.opened", timestamp, data };
    }
    case "rule.hit": {
      const { ruleId: rule, mode, actions } = event.data;
      const hit = {
        channel,
        rule,
        mode,
        actions,
        fid: event.subjectFid,
        castHash: await findCastHash(tx, event.data.eventId),
      };
      return { type: event.kind, timestamp, data: { server: guildId, ...hit } };
    }
    default: {
      if (!isAnnounced(event)) return undefined;
      const lookups = await readLookups(tx, guildId, [event], context.clock.now(), context.settings.linkBase);
      const { title = "", description = "" } = renderEvent(event, lookups);
      return {
        type: "health",
        timestamp,
        data: { server: guildId, channel, kind: event.kind, title, text: description },
      };
    }
  }
}

function toData(server: string, subject: Case) {
  return { server, case: toCaseRecord(subject) };
}

async function findEvent(db: Queryable, id: number): Promise<ChannelEvent | undefined> {
  const row = await db.selectFrom("castellan.events").selectAll().where("id", "=", id).executeTakeFirst();
  return row && toEvent(row);
}

async function findCastHash(db: Queryable, eventId: number): Promise<string | null> {
  const row = await db
    .selectFrom("castellan.events")
    .select("cast_hash")
    .where("id", "=", eventId)
    .executeTakeFirst();
  return row?.cast_hash ?? null;
}
