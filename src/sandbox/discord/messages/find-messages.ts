import type { Context } from "../context.ts";
import type { MessageBody } from "../shapes/message.ts";
import { firstNotBefore, type Message, type World } from "../world/world.ts";

export interface MessagePage {
  before?: string | undefined;
  after?: string | undefined;
  around?: string | undefined;
  limit: number;
}

/** Messages newest first, as `userId` sees them: public ones and their own ephemeral ones. Null sees only public ones. */
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

/** Discord forgets a nonce after "a few minutes". */
const nonceLife = 3 * 60_000;

/**
 * The earlier message, in any room, that a request repeats. Only if the request has a nonce of the last minutes and
 * asks Discord to enforce it. Nonces are scoped to the author.
 */
export function findRepeated({ world, clock }: Context, body: MessageBody): Message | undefined {
  if (!body.enforce_nonce || body.nonce == null) return undefined;
  const nonce = String(body.nonce);
  const oldest = clock.now() - nonceLife;
  for (const messages of world.messages.values()) {
    for (let index = messages.length - 1; index >= 0; index -= 1) {
      const message = messages[index];
      if (!message || message.createdAt < oldest) break;
      if (message.authorId === world.applicationId && String(message.nonce) === nonce) return message;
    }
  }
  return undefined;
}
