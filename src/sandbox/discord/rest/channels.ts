import { ChannelType } from "discord-api-types/v10";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { Context } from "../context.ts";
import {
  blockedByAutoMod,
  DiscordError,
  invalidForm,
  missingAccess,
  missingPermissions,
  slowedDown,
  threadArchived,
  unknown,
} from "../discord-error.ts";
import { findRepeated, listMessages } from "../messages/find-messages.ts";
import { messageForBot, removeMessage } from "../messages/save-message.ts";
import { editMessage, postMessage } from "../messages/write-message.ts";
import { roomPayload } from "../payloads/guild.ts";
import { type MessageBody, readEdit, readNewMessage } from "../shapes/message.ts";
import { parseForm } from "../shapes/parse-form.ts";
import { isSnowflake } from "../snowflake.ts";
import { changeThread } from "../world/change-room.ts";
import { botMay, type PermissionName } from "../world/permissions.ts";
import { findMessage, type Message, type Room, type World } from "../world/world.ts";

interface InRoom {
  Params: { room: string };
}
interface OfMessage {
  Params: { room: string; message: string };
}

const DirectRoomBody = z.object({ recipient_id: z.string() });

const Snowflake = z.string().refine(isSnowflake, { params: { code: "NUMBER_TYPE_COERCE" } });

const ListQuery = z.object({
  before: Snowflake.optional(),
  after: Snowflake.optional(),
  around: Snowflake.optional(),
  limit: z.coerce.number<string>().int().min(1).max(100).default(50),
});

/** Rooms, including direct ones, and their messages as the bot posts and reads them. */
export function addChannelRoutes(api: FastifyInstance, context: Context): void {
  const { world } = context;
  api.get<InRoom>("/channels/:room", async ({ params }) => roomPayload(world, findRoom(world, params.room)));
  api.post<InRoom>("/channels/:room/typing", async ({ params }) => {
    const room = findRoom(world, params.room, "SendMessages");
    context.happened.emit({ kind: "typing", roomId: room.id, userId: world.applicationId });
  });
  api.post("/users/@me/channels", async ({ body }) =>
    roomPayload(world, openDirectRoom(context, parseForm(DirectRoomBody, body).recipient_id)),
  );
  api.get<InRoom>("/channels/:room/messages", async ({ params, query }) => {
    const room = findRoom(world, params.room);
    if (!botMay(world, room, "ReadMessageHistory")) return [];
    const messages = listMessages(world, room.id, parseForm(ListQuery, query), null);
    return messages.map((message) => messageForBot(context, message));
  });
  api.post<InRoom>("/channels/:room/messages", async ({ params, body, files }) => {
    const posted = readNewMessage(body);
    const room = findRoom(world, params.room, "SendMessages");
    enterRoom(context, room);
    if (posted.embeds?.length && !botMay(world, room, "EmbedLinks")) throw missingPermissions();
    if (files.length > 0 && !botMay(world, room, "AttachFiles")) throw missingPermissions();
    const repeated = findRepeated(context, posted);
    if (!repeated) requireWelcome(context, room, posted);
    const replyTo = findReplied(world, room, posted);
    const authorId = world.applicationId;
    const message =
      repeated ?? postMessage(context, { roomId: room.id, authorId, body: posted, files, replyTo });
    return messageForBot(context, message);
  });
  api.get<OfMessage>("/channels/:room/messages/:message", async ({ params }) => {
    const room = findRoom(world, params.room, "ReadMessageHistory");
    return messageForBot(context, findPublicMessage(world, room, params.message));
  });
  api.patch<OfMessage>("/channels/:room/messages/:message", async ({ params, body, files }) => {
    const room = findRoom(world, params.room);
    const message = findPublicMessage(world, room, params.message);
    if (room.thread?.archived) throw threadArchived();
    if (message.authorId !== world.applicationId) {
      throw new DiscordError(403, 50005, "Cannot edit a message authored by another user", {
        violation: true,
      });
    }
    const edit = readEdit(body, message.flags);
    // An edit with an embed that the bot may not show is not refused: the embed vanishes.
    if (edit.embeds && !botMay(world, room, "EmbedLinks")) edit.embeds = [];
    return messageForBot(context, editMessage(context, message, edit, files));
  });
  api.delete<OfMessage>("/channels/:room/messages/:message", async ({ params }) => {
    const room = findRoom(world, params.room);
    const message = findPublicMessage(world, room, params.message);
    const own = message.authorId === world.applicationId;
    if (!own && !botMay(world, room, "ManageMessages")) throw missingPermissions();
    removeMessage(context, message);
  });
}

/** A room in which the bot has the request's permissions. */
function findRoom(world: World, id: string, ...needed: PermissionName[]): Room {
  const room = world.rooms.get(id);
  if (!room) throw unknown("Channel");
  if (!botMay(world, room, "ViewChannel")) throw missingAccess();
  const inPlace = (name: PermissionName) =>
    room.thread && name === "SendMessages" ? "SendMessagesInThreads" : name;
  if (!needed.every((name) => botMay(world, room, inPlace(name)))) throw missingPermissions();
  return room;
}

/** A message that everyone in the room can see. */
function findPublicMessage(world: World, room: Room, id: string): Message {
  const message = findMessage(world, room.id, id);
  if (!message || message.visibleTo !== null) throw unknown("Message");
  return message;
}

/** The message that is replied to. A missing one is an error, unless the sender allowed it. */
function findReplied(world: World, room: Room, { message_reference: reference }: MessageBody): string | null {
  if (!reference) return null;
  const { message_id: id, fail_if_not_exists: needed = true } = reference;
  if (findMessage(world, room.id, id)) return id;
  if (!needed) return null;
  throw invalidForm([
    { path: ["message_reference"], code: "REPLIES_UNKNOWN_MESSAGE", message: "Unknown message" },
  ]);
}

/** Before the bot posts: only text rooms accept messages, a locked thread refuses them, and an archived one is reopened. */
function enterRoom(context: Context, room: Room): void {
  if (room.type === ChannelType.GuildCategory)
    throw new DiscordError(400, 50008, "Cannot send messages in a non-text channel");
  if (!room.thread) return;
  if (room.thread.locked && !botMay(context.world, room, "ManageThreads")) {
    throw room.thread.archived ? threadArchived() : new DiscordError(400, 160005, "This thread is locked");
  }
  if (room.thread.archived) changeThread(context, room, { archived: false });
}

/** Messages that the server blocks: AutoMod by words, slow mode by time. */
function requireWelcome({ world, clock }: Context, room: Room, { content, embeds }: MessageBody): void {
  const { blockedWords = [] } = world.guilds.get(room.guildId ?? "") ?? {};
  const text = JSON.stringify([content, embeds]).toLowerCase();
  if (blockedWords.some((word) => text.includes(word.toLowerCase()))) throw blockedByAutoMod();
  const own = world.messages.get(room.id)?.findLast(({ authorId }) => authorId === world.applicationId);
  const wait = (own?.createdAt ?? 0) + (room.slowMode ?? 0) * 1000 - clock.now();
  if (room.slowMode && wait > 0) throw slowedDown(wait / 1000);
}

/** The bot's direct room with a person; created if missing. */
function openDirectRoom(context: Context, recipientId: string): Room {
  const user = context.world.users.get(recipientId);
  if (!user || user.bot) throw unknown("User");
  const known = [...context.world.rooms.values()].find((room) => room.recipientId === recipientId);
  if (known) return known;
  const fields = { name: user.username, topic: "", position: 0, botDenied: "0" };
  const room = { id: context.nextId(), guildId: null, recipientId, ...fields };
  context.record({ kind: "room", room });
  context.happened.emit({ kind: "rooms" });
  return room;
}
