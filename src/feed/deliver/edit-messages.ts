import { exponentialBackoff } from "../../async.ts";
import type { BotContext } from "../../bot-context.ts";
import { asAppError } from "../../errors.ts";
import { toEvent } from "../../observe/events.ts";
import { colors } from "../../text/colors.ts";
import { isAnnounced, type AnnouncedEvent } from "../feed-kinds.ts";
import { readLookups } from "../render/lookups.ts";
import { layOut, renderPost, type Post } from "../render/lay-out.ts";
import { erasedWords } from "../render/phrases.ts";
import type { RoomMessage, Rooms } from "../rooms.ts";
import { asUnshowable, postUnshown, Unshowable } from "./unshown.ts";
import { showNumber } from "../../text/numbered.ts";

/** Edits in one run; Discord takes about one a second in a room. */
const most = 25;
const waits = { first: 30_000, longest: 3600_000 };
/** What cannot be erased for so long is given up: the report names it. What is only out of date is let go much sooner. */
const giveUpAfterMs = { erasure: 7 * 86_400_000, news: 3600_000 };

interface DueEdit {
  erasure_id: number | null;
  message_id: number;
  event_ids: number[];
  requested_at_ms: number;
  attempts: number;
}

/**
 * Edits what was posted about erased authors, and what is not so any more: rendered anew from what is left, so that others' events in the same message
 * stay as they are. A message on its way is waited for; what cannot be edited is tried for a week. Editing twice does no harm.
 */
export async function editMessages(
  context: BotContext,
  rooms: Rooms,
  signal: AbortSignal,
  mayGoOn: () => Promise<boolean> = async () => true,
): Promise<void> {
  const due = await context.database.query
    .selectFrom("castellan.message_edits")
    .select(["message_id", "erasure_id", "event_ids", "requested_at_ms", "attempts"])
    .where("state", "=", "waiting")
    .where("retry_at_ms", "<=", context.clock.now())
    .orderBy("retry_at_ms")
    .limit(most)
    .execute();
  for (const edit of due) {
    if (signal.aborted || !(await mayGoOn())) return;
    await editMessage(context, rooms, edit);
  }
}

export async function hasEdits({ database, clock }: BotContext): Promise<boolean> {
  const due = database.query
    .selectFrom("castellan.message_edits")
    .select("message_id")
    .where("state", "=", "waiting")
    .where("retry_at_ms", "<=", clock.now())
    .limit(1);
  return (await due.executeTakeFirst()) !== undefined;
}

async function editMessage(context: BotContext, rooms: Rooms, edit: DueEdit): Promise<void> {
  const message = await context.database.query
    .selectFrom("castellan.feed_messages as message")
    .innerJoin("castellan.feed_lanes as lane", "lane.room_id", "message.room_id")
    .select(["message.room_id", "lane.guild_id", "state", "discord_id"])
    .where("message.id", "=", edit.message_id)
    .executeTakeFirst();
  if (!message || message.state === "parked") return settle(context, edit, { state: "done", error: null });
  const { room_id, guild_id, discord_id } = message;
  if (discord_id === null) return retry(context, edit, "The message is on its way.");
  try {
    const content = await renderAgain(context, guild_id, edit);
    await rooms.edit(room_id, discord_id, content);
  } catch (error) {
    // Nobody reads it any more.
    if (asAppError(error, "message_gone")) return settle(context, edit, { state: "done", error: null });
    context.log.warn({ err: error, room: room_id, message: discord_id }, "a message could not be edited yet");
    return retry(context, edit, asAppError(error)?.message ?? "Discord did not answer as it should.");
  }
  return settle(context, edit, { state: "done", error: null });
}

async function renderAgain(context: BotContext, guildId: string, edit: DueEdit): Promise<RoomMessage> {
  const rows = await context.database.query
    .selectFrom("castellan.feed_rows as told")
    .innerJoin("castellan.events as event", "event.id", "told.event_id")
    .selectAll("event")
    .select("head_id")
    .where("message_id", "=", edit.message_id)
    .orderBy("event_id")
    .execute();
  const groups = new Map<number, AnnouncedEvent[]>();
  for (const { head_id, ...row } of rows) {
    const event = toEvent(row);
    const id = head_id ?? event.id;
    groups.set(id, [...(groups.get(id) ?? []), ...(isAnnounced(event) ? [event] : [])]);
  }
  const posts = await renderGroups(context, guildId, groups);
  const shown = edit.event_ids.map((id): Post => {
    const embed = { description: erasedWords, color: colors.muted, footer: showNumber("event", id) };
    return posts.get(id) ?? { embed, buttons: [], alone: false };
  });
  return { nonce: `feed-${edit.message_id}`, ...layOut(shown) };
}

/**
 * The posts of these groups of events, by the event that each is about. They are read together. Where that fails because of
 * what is stored, each is read alone, so that an event that cannot be shown keeps no other from being edited.
 */
async function renderGroups(
  context: BotContext,
  guildId: string,
  groups: ReadonlyMap<number, readonly AnnouncedEvent[]>,
): Promise<Map<number, Post>> {
  const { database, clock, settings, log } = context;
  const posts = new Map<number, Post>();
  try {
    const events = [...groups.values()].flat();
    const lookups = await database.transaction((tx) =>
      readLookups(tx, guildId, events, clock.now(), settings.linkBase),
    );
    for (const [id, group] of groups) {
      if (group.length === 0) throw new Unshowable("this version does not know the kind of the event");
      posts.set(id, renderPost(group, lookups));
    }
  } catch (error) {
    const err = asUnshowable(error);
    if (!(err instanceof Unshowable)) throw err;
    const [id] = groups.keys();
    if (id !== undefined && groups.size === 1) {
      log.error({ err, event: id }, `event ${showNumber("event", id)} could not be shown`);
      return posts.set(id, postUnshown(id));
    }
    for (const one of groups) {
      for (const [head, post] of await renderGroups(context, guildId, new Map([one]))) posts.set(head, post);
    }
  }
  return posts;
}

async function retry(context: BotContext, edit: DueEdit, error: string): Promise<void> {
  const nowMs = context.clock.now();
  const limitMs = edit.erasure_id === null ? giveUpAfterMs.news : giveUpAfterMs.erasure;
  if (nowMs - edit.requested_at_ms > limitMs) {
    return settle(context, edit, { state: "unreachable", error });
  }
  await context.database.query
    .updateTable("castellan.message_edits")
    .set({
      attempts: edit.attempts + 1,
      retry_at_ms: nowMs + exponentialBackoff(edit.attempts + 1, waits),
      error,
    })
    .where("message_id", "=", edit.message_id)
    .where("requested_at_ms", "=", edit.requested_at_ms)
    .execute();
}

/** Settles only the request that was carried out: a later one stays open. */
async function settle(
  { database, clock, log }: BotContext,
  edit: DueEdit,
  outcome: { state: "done" | "unreachable"; error: string | null },
): Promise<void> {
  if (outcome.state === "unreachable" && edit.erasure_id === null)
    log.warn({ ...edit, ...outcome }, "a message was not edited: it says what was so before");
  else if (outcome.state === "unreachable")
    log.error({ ...edit, ...outcome }, "a message was not edited: erase it by hand");
  await database.query
    .updateTable("castellan.message_edits")
    .set({ ...outcome, settled_at_ms: clock.now() })
    .where("message_id", "=", edit.message_id)
    .where("requested_at_ms", "=", edit.requested_at_ms)
    .execute();
}

/**
 * Shows what came of an event, by its key, in every message that announced it. What cannot be edited is logged and left as
 * it is, and so is what stands in a room that is paused.
 */
export async function refreshMessages(
  { database, rooms, log }: Pick<BotContext, "database" | "log"> & { rooms: Rooms },
  sourceKey: string,
  content: Omit<RoomMessage, "nonce">,
): Promise<void> {
  const messages = await database.query
    .selectFrom("castellan.events as event")
    .innerJoin("castellan.feed_rows as row", "row.event_id", "event.id")
    .innerJoin("castellan.feed_messages as message", "message.id", "row.message_id")
    .innerJoin("castellan.feed_lanes as lane", "lane.room_id", "message.room_id")
    .select(["message.id", "message.room_id", "message.discord_id"])
    .where("event.source_key", "=", sourceKey)
    .where("message.discord_id", "is not", null)
    .where("lane.paused_since_ms", "is", null)
    .execute();
  const edits = messages.map(async ({ id, room_id, discord_id }) => {
    try {
      await rooms.edit(room_id, discord_id ?? "", { nonce: `feed-${id}`, ...content });
    } catch (error) {
      log.warn({ err: error, room: room_id, event: sourceKey }, "a message could not be edited");
    }
  });
  await Promise.all(edits);
}
