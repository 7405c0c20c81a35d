import { sql } from "kysely";
import type { BotContext } from "../bot-context.ts";
import type { Queryable } from "../database/database.ts";
import { selectBody } from "../observe/cast-body.ts";
import type { CastBody } from "../text/show-cast.ts";

/** What a message is about, as far as stored rows show. */
export interface Mentioned {
  eventId?: number | undefined;
  kind?: string | undefined;
  fid?: number | undefined;
  castHash?: string | undefined;
  channelId?: string | undefined;
  /** The cast's content. */
  body?: CastBody | undefined;
}

interface Message {
  guildId: string;
  roomId: string;
  messageId: string;
  /** Its whole visible text. */
  text: string;
}

/** The events of a feed's message; for any other message, casts by hash or link in the text, and people by "(fid 7)". */
export async function findMentioned({ database }: BotContext, message: Message): Promise<Mentioned[]> {
  const { query } = database;
  const channelIds = await listChannels(query, message.guildId);
  if (channelIds.length === 0) return [];
  const told = await findAnnounced(query, message, channelIds);
  return told.length > 0 ? told : findWritten(query, message.text, channelIds);
}

async function listChannels(query: Queryable, guildId: string): Promise<string[]> {
  const rows = await query
    .selectFrom("castellan.links")
    .select("channel_id")
    .where("guild_id", "=", guildId)
    .where("suspended_at_ms", "is", null)
    .execute();
  return rows.map(({ channel_id }) => channel_id);
}

async function findAnnounced(
  query: Queryable,
  { roomId, messageId }: Message,
  channelIds: readonly string[],
): Promise<Mentioned[]> {
  const rows = await query
    .selectFrom("castellan.feed_messages as message")
    .innerJoin("castellan.feed_rows as row", "row.message_id", "message.id")
    .innerJoin("castellan.events as event", "event.id", "row.event_id")
    .leftJoin("castellan.casts as told", "told.hash", "event.cast_hash")
    .select([
      "event.id",
      "event.kind",
      "event.channel_id",
      "event.subject_fid",
      "event.cast_hash",
      "told.fid",
    ])
    .select(sql<CastBody | null>`case when told.hash is not null then ${selectBody("told")} end`.as("body"))
    .where("message.discord_id", "=", messageId)
    .where("message.room_id", "=", roomId)
    .where((is) => is.or([is("event.channel_id", "is", null), is("event.channel_id", "in", [...channelIds])]))
    .orderBy("event.id")
    .execute();
  return rows.map((row) => ({
    eventId: row.id,
    kind: row.kind,
    channelId: row.channel_id ?? undefined,
    fid: row.fid ?? row.subject_fid ?? undefined,
    castHash: row.cast_hash ?? undefined,
    body: row.body ?? undefined,
  }));
}

/** The most hashes that are looked up per message. */
const most = 25;

async function findWritten(
  query: Queryable,
  text: string,
  channelIds: readonly string[],
): Promise<Mentioned[]> {
  const hashes = [...new Set(text.toLowerCase().match(/\b0x[0-9a-f]{40}\b/g))].slice(0, most);
  const casts =
    hashes.length === 0
      ? []
      : await query
          .selectFrom("castellan.casts")
          .select(["hash", "fid", "channel_id", selectBody("castellan.casts").as("body")])
          .where("hash", "in", hashes)
          .where("channel_id", "in", [...channelIds])
          .orderBy("cast_at", "desc")
          .execute();
  const people = [...text.matchAll(/\(fid ([0-9]{1,15})\)/g)].map(([, fid]) => ({ fid: Number(fid) }));
  const seen = new Set(casts.map(({ fid }) => fid));
  return [
    ...casts.map(({ hash, fid, body, channel_id }) => ({ castHash: hash, fid, body, channelId: channel_id })),
    ...people.filter(({ fid }) => !seen.has(fid)).slice(0, most),
  ];
}
