// @ts-nocheck
import { firstNotBefore } from "../world/apply-change.ts";
import type { Message, World } from "../world/world.ts";

export interface MessagePage {
  before?: string | undefined;
  after?: string | undefined;
  around?: string | undefined;
  limit: number;
}

/** Messages newest first, as `userId` sees them: public ones, and what is only for them. Null sees what is public. */
export function listMessages(
  world: World,
  roomId: string,
  page: MessagePage,
  userId: string | null,
): Message[] {
  const messages = (world.messages.get(roomId) ?? []).filter(
    ({ visibleTo }) => visibleTo === null || visibleTo === userId,
  );
  return chooseMessages(messages, page).toReversed();
}

function chooseMessages(
  messages: readonly Message[],
  { before, after, around, limit }: MessagePage,
): Message[] {
  if (around !== undefined) {
    const start = Math.max(0, firstNotBefore(messages, around) - Math.floor(limit / 2));
    return messages.slice(start, start + limit);
  }
  if (after !== undefined) {
    const at = firstNotBefore(messages, after);
    const start = messages[at]?.id === after ? at + 1 : at;
    return messages.slice(start, start + limit);
  }
  const end = before === undefined ? messages.length : firstNotBefore(messages, before);
  return messages.slice(Math.max(0, end - limit), end);
}
