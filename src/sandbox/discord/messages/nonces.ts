import type { Context } from "../context.ts";
import type { MessageBody } from "../shapes/message.ts";
import type { Message } from "../world/world.ts";

/** Discord forgets a nonce after "a few minutes". */
const nonceLife = 3 * 60_000;

/**
 * The bot's message that a request repeats, in whatever room, where it carries a nonce of the last minutes and asks for
 * it to be enforced: a nonce belongs to its author.
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
