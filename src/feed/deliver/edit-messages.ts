import { sql } from "kysely";
import type { BotContext } from "../../bot-context.ts";
import type { OutboxData } from "../../database/tables/outbox.ts";
import { readLanguage, textsFor } from "../../languages/languages.ts";
import { toEvent } from "../../observe/events.ts";
import type { OutboxRow, Sender } from "../../outbox/send-outbox.ts";
import { colors } from "../../text/colors.ts";
import { isAnnounced, type AnnouncedEvent } from "../feed-kinds.ts";
import { readLookups } from "../render/lookups.ts";
import { layOut, renderPost, type Post } from "../render/lay-out.ts";
import type { RoomMessage } from "../rooms.ts";
import { closedRoomBackoff } from "./deliver.ts";
import { asUnshowable, postUnshown, Unshowable } from "./unshown.ts";
import { showNumber } from "../../text/numbered.ts";

/** An erasure that fails for this long is given up and reported. An edit that is only outdated is given up much sooner. */
const expiresAfter = { erasure: 7 * 86_400_000, news: 3600_000 };
/** How long an edit waits while its room has news to send. */
const maxGiveWayMs = 30_000;

/**
 * Edits posts about erased authors, and outdated posts: rendered again from the remaining events, so that other events in
 * the same message stay as they are. Editing twice does no harm.
 */
export const editSender: Sender = {
  async send(context, row) {
    const messageId = Number(row.key);
    const message = await context.database.query
      .selectFrom("castellan.feed_messages as message")
      .innerJoin("castellan.room_queues as queue", "queue.room_id", "message.room_id")
      .select([
        "message.room_id",
        "queue.guild_id",
        "state",
        "discord_id",
        "queue.locale",
        "queue.for_readers",
      ])
      .where("message.id", "=", messageId)
      .executeTakeFirst();
    if (!message || message.state === "parked") return "dropped";
    const { room_id, discord_id } = message;
    // It is being sent.
    if (discord_id === null || (await givesWay(context, row, room_id))) return "wait";
    await context.rooms.edit(room_id, discord_id, await renderAgain(context, message, messageId, row.data));
    return "sent";
  },
  // People reopen rooms, and change what a filter blocks.
  final: [],
  expiresAfter: (row) => (isOutdatedOnly(row) ? expiresAfter.news : expiresAfter.erasure),
  backoff: closedRoomBackoff,
  giveUp({ log }, row, err) {
    const { key, erasureId } = row;
    const words =
      erasureId !== null
        ? "erase it by hand"
        : isOutdatedOnly(row)
          ? "it is out of date"
          : "it may show a hidden cast to readers";
    log[isOutdatedOnly(row) ? "warn" : "error"](
      { err, message: key, erasureId },
      `a message was not edited: ${words}`,
    );
  },
};

/** It neither erases anything nor hides a cast from readers. */
function isOutdatedOnly({ erasureId, data }: OutboxRow): boolean {
  return erasureId === null && data.readers === undefined;
}

/** Discord accepts about one message or edit a second in a room: news goes first, up to a limit. */
async function givesWay({ database, clock }: BotContext, row: OutboxRow, roomId: string): Promise<boolean> {
  const now = clock.now();
  if (!isOutdatedOnly(row) || now - row.requestedAtMs > maxGiveWayMs) return false;
  const { rows } = await sql`
    select from castellan.room_queues join castellan.feed_rows using (room_id)
    where room_id = ${roomId} and retry_at_ms <= ${now} and message_id is null and (rank = 0 or held_until_ms <= ${now})
    limit 1
  `.execute(database.query);
  return rows.length > 0;
}

interface Room {
  room_id: string;
  guild_id: string;
  locale: string;
  for_readers: boolean;
}

async function renderAgain(
  context: BotContext,
  room: Room,
  messageId: number,
  { eventIds = [], lines = [] }: OutboxData,
): Promise<RoomMessage> {
  const rows = await context.database.query
    .selectFrom("castellan.feed_rows as told")
    .innerJoin("castellan.events as event", "event.id", "told.event_id")
    .selectAll("event")
    .select("head_id")
    .where("message_id", "=", messageId)
    .orderBy("event_id")
    .execute();
  const groups = new Map<number, AnnouncedEvent[]>();
  for (const { head_id, ...row } of rows) {
    const event = toEvent(row);
    const id = head_id ?? event.id;
    groups.set(id, [...(groups.get(id) ?? []), ...(isAnnounced(event) ? [event] : [])]);
  }
  const posts = await renderGroups(context, room, groups);
  const { erased } = textsFor(room.locale).posts.cast;
  const shown = eventIds.map((id): Post => {
    const embed = {
      description: erased,
      color: colors.muted,
      ...(!room.for_readers && { footer: showNumber("event", id) }),
    };
    return posts.get(id) ?? { embed, buttons: [], alone: false };
  });
  const { embeds, buttons } = layOut(shown);
  const [first, ...rest] = embeds;
  // A room for readers has reviews only from the time when it was not.
  if (room.for_readers) return { nonce: `feed-${messageId}`, embeds, buttons };
  const description = [first?.description, ...lines].join("\n");
  return {
    nonce: `feed-${messageId}`,
    embeds: first && lines.length > 0 ? [{ ...first, description }, ...rest] : embeds,
    buttons,
  };
}

/**
 * The posts of these groups of events, by each group's first event. They are read together. If stored data makes that
 * fail, each is read alone, so that an event that cannot be shown does not keep others from being edited.
 */
async function renderGroups(
  context: BotContext,
  room: Room,
  groups: ReadonlyMap<number, readonly AnnouncedEvent[]>,
): Promise<Map<number, Post>> {
  const { database, clock, settings, log } = context;
  const posts = new Map<number, Post>();
  try {
    const events = [...groups.values()].flat();
    const lookups = await database.transaction((tx) =>
      readLookups(tx, room.guild_id, events, clock.now(), settings.linkBase, {
        roomId: room.room_id,
        language: readLanguage(room.locale),
        forReaders: room.for_readers,
      }),
    );
    for (const [id, group] of groups) {
      if (group.length === 0) throw new Unshowable("this version does not know this kind of event");
      posts.set(id, renderPost(group, lookups));
    }
  } catch (error) {
    const err = asUnshowable(error);
    if (!(err instanceof Unshowable)) throw err;
    const [id] = groups.keys();
    if (id !== undefined && groups.size === 1) {
      log.error({ err, event: id }, `event ${showNumber("event", id)} could not be shown`);
      const place = { forReaders: room.for_readers, nowMs: clock.now() };
      return posts.set(id, postUnshown(id, textsFor(room.locale), place));
    }
    for (const one of groups) {
      for (const [head, post] of await renderGroups(context, room, new Map([one]))) posts.set(head, post);
    }
  }
  return posts;
}
