// @ts-nocheck
import type { Context } from "../context.ts";
import type { MessageBody } from "../shapes/message.ts";
import type { Message } from "../world/world.ts";

/** Discord forgets a nonce after "a few minutes". */
const nonceLife = 3 * 60_000;

/** The message that a request repeats, where it carries a nonce of the last minutes and asks for it to be enforced. */
export function findRepeated(
  { world, clock }: Context,
  roomId: string,
  body: MessageBody,
): Message | undefined {
  if (!body.enforce_nonce || body.nonce == null) return undefined;
  const nonce = String(body.nonce);
  const oldest = clock.now() - nonceLife;
  const messages = world.messages.get(roomId) ?? [];
  return messages.findLast((message) => message.createdAt >= oldest && String(message.nonce) === nonce);
}
