import type { Context } from "../context.ts";
import type { FormIssue } from "../discord-error.ts";
import { invalidForm } from "../discord-error.ts";
import { threadArchived } from "../messages/enter-room.ts";
import { readEdit } from "../messages/read-message-body.ts";
import { editMessage, postLoading, postMessage } from "../messages/write-message.ts";
import { callbackType, interactionType, messageFlag } from "../numbers.ts";
import type { UploadedFile } from "../rest/exchange.ts";
import { answersTo, Callback } from "../shapes/callback.ts";
import { messageIssues } from "../shapes/message.ts";
import { modalIssues } from "../shapes/modal.ts";
import { parseForm } from "../shapes/parse-form.ts";
import type { Message, MessageOrigin } from "../world/world.ts";
import type { Interaction, Outcome } from "./interactions.ts";

/** Carries out the first answer to an interaction. */
export function answerInteraction(
  context: Context,
  interaction: Interaction,
  body: unknown,
  files: readonly UploadedFile[],
): Outcome {
  const callback = parseForm(Callback, body, (answer) => callbackIssues(answer, interaction));
  const outcome = carryOut(context, interaction, callback, files);
  interaction.acknowledged = true;
  interaction.originalId = outcome.kind === "message" ? outcome.message.id : (interaction.source?.id ?? null);
  interaction.settle(outcome);
  const { userId, id, roomId } = interaction;
  context.happened.tell({ kind: "interaction", userId, interactionId: id, state: "answered" });
  if (outcome.kind === "modal") {
    context.happened.tell({ kind: "modal", userId, interactionId: id, roomId, modal: outcome.modal });
  }
  return outcome;
}

function* callbackIssues(callback: Callback, interaction: Interaction): Iterable<FormIssue> {
  const allowed = answersTo[interaction.type] ?? [];
  const updates = callback.type === callbackType.update || callback.type === callbackType.deferredUpdate;
  if (!allowed.includes(callback.type) || (updates && !interaction.source)) {
    const message = `Value must be one of {${allowed.join(", ")}}.`;
    yield { path: ["type"], code: "BASE_TYPE_CHOICES", message };
    return;
  }
  if (callback.type === callbackType.message) {
    yield* messageIssues(callback.data ?? {}, callback.data?.flags ?? 0, ["data"]);
  }
  if (callback.type === callbackType.modal) yield* modalIssues(callback.data);
}

function carryOut(
  context: Context,
  interaction: Interaction,
  callback: Callback,
  files: readonly UploadedFile[],
): Outcome {
  if (callback.type === callbackType.choices) return { kind: "choices", choices: callback.data.choices };
  if (callback.type === callbackType.modal) return { kind: "modal", modal: callback.data };
  if (callback.type === callbackType.deferredUpdate) return { kind: "deferred_update" };
  const thread = context.world.rooms.get(interaction.roomId)?.thread;
  if (thread?.locked && thread.archived) throw threadArchived();
  const data = callback.data ?? {};
  if (callback.type === callbackType.message) {
    return { kind: "message", message: postMessage(context, replyTo(context, interaction, data, files)) };
  }
  if (callback.type === callbackType.deferredMessage) {
    return { kind: "message", message: postLoading(context, replyTo(context, interaction, data, [])) };
  }
  const source = currentSource(context, interaction);
  return { kind: "updated", message: editMessage(context, source, readEdit(data, source), files) };
}

/** How the bot's message that answers an interaction is posted. */
export function replyTo(
  context: Context,
  interaction: Interaction,
  body: Parameters<typeof postMessage>[1]["body"],
  files: readonly UploadedFile[],
): Parameters<typeof postMessage>[1] {
  const { type, userId, roomId, originalId } = interaction;
  const ephemeral = ((body.flags ?? 0) & messageFlag.ephemeral) !== 0;
  return {
    roomId,
    authorId: context.world.applicationId,
    body,
    files,
    type: type === interactionType.command ? 20 : 0,
    origin: { ...originOf(interaction), ...(originalId !== null && { originalId }) },
    visibleTo: ephemeral ? userId : null,
  };
}

function originOf({ id, type, userId, name, source, opener }: Interaction): MessageOrigin {
  const used = type === interactionType.component && source;
  return {
    id,
    type,
    userId,
    name,
    ...(used && { interactedMessageId: used.id }),
    ...(opener && { opener: originOf(opener) }),
  };
}

function currentSource(context: Context, { source }: Interaction): Message {
  const messages = source && context.world.messages.get(source.roomId);
  const message = messages?.find(({ id }) => id === source?.id);
  if (!message) {
    throw invalidForm([{ path: ["type"], code: "BASE_TYPE_INVALID", message: "The message is gone" }]);
  }
  return message;
}
