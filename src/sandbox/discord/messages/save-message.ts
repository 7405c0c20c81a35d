import { GatewayIntentBits } from "discord-api-types/v10";
import type { Context } from "../context.ts";
import { messagePayload, type MessagePayload } from "../payloads/message.ts";
import { applyChange, type Message } from "../world/world.ts";

/** How long an interaction can still change an ephemeral message, in milliseconds. */
const ephemeralLife = 15 * 60_000;

/** Saves a new or changed message and shows it to everyone who can see it. An ephemeral one is never written to the file. */
export function saveMessage(
  context: Context,
  message: Message,
  event: "MESSAGE_CREATE" | "MESSAGE_UPDATE",
): Message {
  const { world } = context;
  if (message.visibleTo === null) {
    context.record({ kind: "message", message });
    const guildId = world.rooms.get(message.roomId)?.guildId ?? null;
    context.gateway.dispatchMessage(guildId, event, (intents) => ({
      ...messageForBot(context, message, intents),
      ...(guildId === null ? {} : { guild_id: guildId }),
    }));
  } else {
    dropOldEphemerals(context, message.roomId);
    applyChange(world, { kind: "message", message });
  }
  context.happened.emit({ kind: "message", message });
  return message;
}

export function removeMessage(context: Context, message: Message): void {
  const { roomId, id: messageId, visibleTo } = message;
  const change = { kind: "message_removed", roomId, messageId } as const;
  if (visibleTo === null) {
    context.record(change);
    const guildId = context.world.rooms.get(roomId)?.guildId ?? null;
    const payload = { id: messageId, channel_id: roomId, ...(guildId === null ? {} : { guild_id: guildId }) };
    context.gateway.dispatchMessage(guildId, "MESSAGE_DELETE", () => payload);
  } else {
    applyChange(context.world, change);
  }
  context.happened.emit({ kind: "message_removed", roomId, messageId, visibleTo });
}

/** A message as the bot can read it: without the message content intent, other people's texts are blank. */
export function messageForBot(
  { world, origin, grantedIntents }: Context,
  message: Message,
  intents = grantedIntents,
): MessagePayload {
  const payload = messagePayload(world, message, origin);
  const readable =
    (intents & GatewayIntentBits.MessageContent) !== 0 ||
    message.authorId === world.applicationId ||
    message.mentionedUserIds.includes(world.applicationId) ||
    world.rooms.get(message.roomId)?.guildId === null;
  return readable ? payload : { ...payload, content: "", embeds: [], attachments: [], components: [] };
}

function dropOldEphemerals({ world, clock }: Context, roomId: string): void {
  const oldest = clock.now() - ephemeralLife;
  const kept = world.messages
    .get(roomId)
    ?.filter(({ visibleTo, createdAt }) => !visibleTo || createdAt >= oldest);
  if (kept) world.messages.set(roomId, kept);
}
