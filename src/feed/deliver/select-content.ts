import { sql } from "kysely";
import type { Tx } from "../../database/database.ts";
import { toEvent } from "../../observe/event-row.ts";
import { isTold, type ToldEvent } from "../feed-kind.ts";
import type { RoomButton, RoomEmbed } from "../rooms.ts";
import { loadFacts } from "../render/facts.ts";
import { renderDigest, type DigestEvent } from "../render/render-digest.ts";
import { renderEvent } from "../render/render-event.ts";
import { reviewButtons } from "../render/review.ts";

/** The next message of a room: some of its oldest rows, and how they are told. */
export interface Content {
  eventIds: number[];
  embeds: RoomEmbed[];
  buttons: RoomButton[][];
}

/** Discord's limits for one message. */
const mostEmbeds = 10;
const mostCharacters = 6000;

/** Events older than this are told together … */
const oldAfter = 3600;
/** … when more than so many of them wait, … */
const fewOld = 20;
/** … and at most so many in one digest. */
const mostDigested = 2000;

export interface Lane {
  room_id: string;
  guild_id: string;
  one_by_one: number;
}

/** undefined when nothing waits. `now` in UNIX seconds. */
export async function selectContent(tx: Tx, lane: Lane, now: number): Promise<Content | undefined> {
  const events = await findWaiting(tx, lane.room_id, lane.one_by_one > 0 ? 1 : mostEmbeds);
  if (events.length === 0) return undefined;
  const old = now - oldAfter;
  if (events.length === mostEmbeds && events.every((event) => event.occurredAt < old)) {
    const digest = await selectDigest(tx, lane.room_id, old);
    if (digest) return digest;
  }
  const told = untilButtons(events);
  const facts = await loadFacts(tx, lane.guild_id, told, now * 1000);
  const embeds = fitMessage(told.map((event) => renderEvent(event, facts)));
  const [first] = told;
  const item = first?.kind === "review.held" ? facts.reviews.get(first.data.itemId) : undefined;
  return {
    eventIds: told.slice(0, embeds.length).map((event) => event.id),
    embeds,
    buttons: item ? reviewButtons(item) : [],
  };
}

/** What has buttons stands alone in its message, for they belong to one event. */
function untilButtons(events: readonly ToldEvent[]): readonly ToldEvent[] {
  const index = events.findIndex((event) => event.kind === "review.held");
  return index < 0 ? events : events.slice(0, Math.max(1, index));
}

async function selectDigest(tx: Tx, roomId: string, old: number): Promise<Content | undefined> {
  const { rows } = await sql<DigestEvent>`
    select events.id, kind, occurred_at as "occurredAt"
    from castellan.feed_rows rows join castellan.events on events.id = rows.event_id
    where room_id = ${roomId} and message_id is null
    order by event_id limit ${mostDigested}
  `.execute(tx);
  const end = rows.findIndex((event) => event.occurredAt >= old);
  const events = end === -1 ? rows : rows.slice(0, end);
  if (events.length <= fewOld) return undefined;
  return { eventIds: events.map((event) => event.id), embeds: [renderDigest(events)], buttons: [] };
}

async function findWaiting(tx: Tx, roomId: string, limit: number): Promise<ToldEvent[]> {
  const rows = await tx
    .selectFrom("castellan.feed_rows")
    .innerJoin("castellan.events as event", "event.id", "castellan.feed_rows.event_id")
    .selectAll("event")
    .where("room_id", "=", roomId)
    .where("message_id", "is", null)
    .orderBy("event_id")
    .limit(limit)
    .execute();
  return rows.map(toEvent).filter(isTold);
}

/** As many as fit, at least one. */
export function fitMessage(embeds: readonly RoomEmbed[]): RoomEmbed[] {
  let characters = 0;
  const end = embeds.findIndex((embed) => (characters += lengthOf(embed)) > mostCharacters);
  return embeds.slice(0, end === -1 ? mostEmbeds : Math.max(1, end));
}

function lengthOf({ title, description, footer, fields }: RoomEmbed): number {
  const texts = [title, description, footer, ...(fields ?? []).flatMap(({ name, value }) => [name, value])];
  return texts.reduce((total, text) => total + (text?.length ?? 0), 0);
}
