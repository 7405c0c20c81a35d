import { z } from "zod";
import { DiscordError, invalidForm, missingPermissions } from "../../discord-error.ts";
import { removeMessage } from "../../messages/keep-message.ts";
import { enterRoom, threadArchived } from "../../messages/enter-room.ts";
import { findRepeated } from "../../messages/nonces.ts";
import { messageForBot } from "../../messages/message-for-bot.ts";
import { readEdit, readNewMessage } from "../../messages/read-message-body.ts";
import { editMessage, postMessage } from "../../messages/write-message.ts";

import type { MessageBody } from "../../shapes/message.ts";
import { parseForm } from "../../shapes/parse-form.ts";
import { isSnowflake } from "../../snowflake.ts";
import { findMessage } from "../../world/apply-change.ts";
import type { Room, World } from "../../world/world.ts";
import { botMay } from "../../world/permissions.ts";
import { listMessages } from "../../messages/list-messages.ts";
import { noContent, ok } from "../exchange.ts";
import { route } from "../route.ts";
import { findPublicMessage, findRoom } from "./find-room.ts";

const BulkDeleteBody = z.object({ messages: z.array(z.string()).min(2).max(100) });

const Snowflake = z.string().refine(isSnowflake, { params: { code: "NUMBER_TYPE_COERCE" } });

const ListQuery = z.object({
  before: Snowflake.optional(),
  after: Snowflake.optional(),
  around: Snowflake.optional(),
  limit: z.coerce.number<string>().int().min(1).max(100).default(50),
});

/** The message that is replied to; one that is gone is a mistake, unless the sender said that it may be. */
function findReplied(world: World, room: Room, { message_reference: reference }: MessageBody): string | null {
  if (!reference) return null;
  const { message_id: id, fail_if_not_exists: needed = true } = reference;
  if (findMessage(world, room.id, id)) return id;
  if (!needed) return null;
  throw invalidForm([
    { path: ["message_reference"], code: "REPLIES_UNKNOWN_MESSAGE", message: "Unknown message" },
  ]);
}

/** Messages of a room, as the bot posts and reads them. */
export const messageRoutes = [
  route("GET", "/channels/:room/messages", (context, { parameters, query }) => {
    const room = findRoom(context, parameters.room);
    if (!botMay(context.world, room, "readMessageHistory")) return ok([]);
    const page = parseForm(ListQuery, Object.fromEntries(query));
    const messages = listMessages(context.world, room.id, page, null);
    return ok(messages.map((message) => messageForBot(context, message, context.grantedIntents)));
  }),
  route("POST", "/channels/:room/messages", (context, { parameters, body, files }) => {
    const posted = readNewMessage(body);
    const room = findRoom(context, parameters.room, "sendMessages");
    enterRoom(context, room);
    if (posted.embeds?.length && !botMay(context.world, room, "embedLinks")) throw missingPermissions();
    if (files.length > 0 && !botMay(context.world, room, "attachFiles")) throw missingPermissions();
    const repeated = findRepeated(context, posted);
    const replyTo = findReplied(context.world, room, posted);
    const authorId = context.world.applicationId;
    const message =
      repeated ?? postMessage(context, { roomId: room.id, authorId, body: posted, files, replyTo });
    return ok(messageForBot(context, message, context.grantedIntents));
  }),
  route("POST", "/channels/:room/messages/bulk-delete", (context, { parameters, body }) => {
    const room = findRoom(context, parameters.room, "manageMessages");
    for (const id of parseForm(BulkDeleteBody, body).messages) {
      removeMessage(context, findPublicMessage(context, room, id));
    }
    return noContent;
  }),
  route("GET", "/channels/:room/messages/:message", (context, { parameters }) => {
    const room = findRoom(context, parameters.room, "readMessageHistory");
    const message = findPublicMessage(context, room, parameters.message);
    return ok(messageForBot(context, message, context.grantedIntents));
  }),
  route("PATCH", "/channels/:room/messages/:message", (context, { parameters, body, files }) => {
    const room = findRoom(context, parameters.room);
    const message = findPublicMessage(context, room, parameters.message);
    if (room.thread?.archived) throw threadArchived();
    if (message.authorId !== context.world.applicationId) {
      throw new DiscordError(403, 50005, "Cannot edit a message authored by another user", {
        violation: true,
      });
    }
    const edit = readEdit(body, message);
    // An edit is not refused for an embed that the bot may not show: the embed vanishes.
    if (edit.embeds && !botMay(context.world, room, "embedLinks")) edit.embeds = [];
    const edited = editMessage(context, message, edit, files);
    return ok(messageForBot(context, edited, context.grantedIntents));
  }),
  route("DELETE", "/channels/:room/messages/:message", (context, { parameters }) => {
    const room = findRoom(context, parameters.room);
    const message = findPublicMessage(context, room, parameters.message);
    const own = message.authorId === context.world.applicationId;
    if (!own && !botMay(context.world, room, "manageMessages")) throw missingPermissions();
    removeMessage(context, message);
    return noContent;
  }),
];
