// @ts-nocheck
import type { Context } from "../context.ts";
import { intent } from "../numbers.ts";
import { messagePayload } from "../payloads/message.ts";
import type { Message } from "../world/world.ts";

/** A message as the bot may read it: what others wrote is blank without the intent for message content. */
export function messageForBot(context: Context, message: Message, intents: number): Record<string, unknown> {
  const { world } = context;
  const payload = messagePayload(world, message, context.origin());
  const readable =
    (intents & intent.messageContent) !== 0 ||
    message.authorId === world.applicationId ||
    message.mentionedUserIds.includes(world.applicationId) ||
    world.rooms.get(message.roomId)?.guildId === null;
  return readable ? payload : { ...payload, content: "", embeds: [], attachments: [], components: [] };
}
