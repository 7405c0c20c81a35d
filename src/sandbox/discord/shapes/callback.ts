import { z } from "zod";
import { callbackType, interactionType, messageFlag } from "../numbers.ts";
import { ChoiceList } from "./command.ts";
import { MessageBody } from "./message.ts";
import { Modal } from "./modal.ts";

/** "Thinking…" may be for one person's eyes; nothing else is known of the message yet. */
const DeferredFlags = z.int().refine((flags) => (flags & ~messageFlag.ephemeral) === 0, {
  error: "Only EPHEMERAL can be set",
  params: { code: "MESSAGE_FLAGS_INVALID" },
});

/** The first answer to an interaction. */
export const Callback = z.discriminatedUnion("type", [
  z.object({ type: z.literal(callbackType.message), data: MessageBody.nullish() }),
  z.object({
    type: z.literal(callbackType.deferredMessage),
    data: z.object({ flags: DeferredFlags.nullish() }).nullish(),
  }),
  z.object({ type: z.literal(callbackType.deferredUpdate) }),
  z.object({ type: z.literal(callbackType.update), data: MessageBody.nullish() }),
  z.object({ type: z.literal(callbackType.choices), data: ChoiceList }),
  z.object({ type: z.literal(callbackType.modal), data: Modal }),
]);
export type Callback = z.infer<typeof Callback>;

/** Which callbacks an interaction may be answered with. */
export const answersTo: Readonly<Record<number, readonly number[]>> = {
  [interactionType.command]: [callbackType.message, callbackType.deferredMessage, callbackType.modal],
  [interactionType.component]: [
    callbackType.message,
    callbackType.deferredMessage,
    callbackType.deferredUpdate,
    callbackType.update,
    callbackType.modal,
  ],
  [interactionType.autocomplete]: [callbackType.choices],
  [interactionType.modal]: [
    callbackType.message,
    callbackType.deferredMessage,
    callbackType.deferredUpdate,
    callbackType.update,
  ],
};
