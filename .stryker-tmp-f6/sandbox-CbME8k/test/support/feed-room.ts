// @ts-nocheck
import type { TestDiscord } from "./discord.ts";

/** One event as a room reads it. */
export interface Told {
  /** The event's number, from the footer. */
  number: number;
  title: string;
  description: string;
}

/** What the bot has told a room, in the order in which it is read. */
export function readFeed(
  { context, rooms, applicationId }: TestDiscord,
  room: keyof TestDiscord["rooms"],
): Told[] {
  const messages = context.world.messages.get(rooms[room]) ?? [];
  return messages
    .filter(({ authorId, visibleTo }) => authorId === applicationId && visibleTo === null)
    .flatMap(({ embeds }) => embeds)
    .map(({ title, description, footer }) => ({
      number: Number(/^#(\d+)$/.exec(footer?.text ?? "")?.[1]),
      title: (title ?? "").replaceAll("\\", ""),
      description: description ?? "",
    }));
}
