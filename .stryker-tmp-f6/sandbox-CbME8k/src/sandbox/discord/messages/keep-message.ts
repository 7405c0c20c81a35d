// @ts-nocheck
import type { Context } from "../context.ts";
import { messageForBot } from "./message-for-bot.ts";
import { applyChange } from "../world/apply-change.ts";
import type { Message } from "../world/world.ts";

/** How long an ephemeral message can still be changed by its interaction, in milliseconds. */
const ephemeralLife = 15 * 60_000;

/** Keeps a new or changed message and tells everyone who sees it. An ephemeral one is never written to the file. */
export function keepMessage(
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
  context.happened.tell({ kind: "message", message });
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
  context.happened.tell({ kind: "message_removed", roomId, messageId, visibleTo });
}

function dropOldEphemerals({ world, clock }: Context, roomId: string): void {
  const oldest = clock.now() - ephemeralLife;
  const kept = world.messages
    .get(roomId)
    ?.filter(({ visibleTo, createdAt }) => !visibleTo || createdAt >= oldest);
  if (kept) world.messages.set(roomId, kept);
}
