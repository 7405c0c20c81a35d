import { InteractionResponseType, InteractionType, MessageFlags, MessageType } from "discord-api-types/v10";
import type { Context } from "../context.ts";
import { invalidForm, threadArchived } from "../discord-error.ts";
import { editMessage, postLoading, postMessage, type Posting } from "../messages/write-message.ts";
import type { UploadedFile } from "../rest/exchange.ts";
import { Callback, callbackIssues } from "../shapes/interaction.ts";
import { type MessageBody, readEdit } from "../shapes/message.ts";
import { parseForm } from "../shapes/parse-form.ts";
import { findMessage, type Message, type MessageOrigin } from "../world/world.ts";
import type { Interaction, Outcome } from "./interactions.ts";

/** Applies the first answer to an interaction. */
export function answerInteraction(
  context: Context,
  interaction: Interaction,
  body: unknown,
  files: readonly UploadedFile[],
): Outcome {
  const callback = parseForm(Callback, body, (answer) =>
    callbackIssues(answer, interaction.type, interaction.source),
  );
  const outcome = applyCallback(context, interaction, callback, files);
  interaction.acknowledged = true;
  interaction.originalId = outcome.kind === "message" ? outcome.message.id : (interaction.source?.id ?? null);
  interaction.settle(outcome);
  const { userId, id, roomId } = interaction;
  context.happened.emit({ kind: "interaction", userId, interactionId: id, state: "answered" });
  if (outcome.kind === "modal") {
    context.happened.emit({ kind: "modal", userId, interactionId: id, roomId, modal: outcome.modal });
  }
  return outcome;
}

function applyCallback(
  context: Context,
  interaction: Interaction,
  callback: Callback,
  files: readonly UploadedFile[],
): Outcome {
  switch (callback.type) {
    case InteractionResponseType.ApplicationCommandAutocompleteResult:
      return { kind: "choices", choices: callback.data.choices };
    case InteractionResponseType.Modal:
      return { kind: "modal", modal: callback.data };
    case InteractionResponseType.DeferredMessageUpdate:
      return { kind: "deferred_update" };
    case InteractionResponseType.ChannelMessageWithSource: {
      refuseClosedThread(context, interaction);
      const posting = replyTo(context, interaction, callback.data ?? {}, files);
      return { kind: "message", message: postMessage(context, posting) };
    }
    case InteractionResponseType.DeferredChannelMessageWithSource: {
      refuseClosedThread(context, interaction);
      const posting = replyTo(context, interaction, callback.data ?? {}, []);
      return { kind: "message", message: postLoading(context, posting) };
    }
    case InteractionResponseType.UpdateMessage: {
      refuseClosedThread(context, interaction);
      const source = currentSource(context, interaction);
      const edit = readEdit(callback.data ?? {}, source.flags);
      return { kind: "updated", message: editMessage(context, source, edit, files) };
    }
  }
}

function refuseClosedThread({ world }: Context, { roomId }: Interaction): void {
  const thread = world.rooms.get(roomId)?.thread;
  if (thread?.locked && thread.archived) throw threadArchived();
}

/** How to post the bot's message that answers an interaction. */
export function replyTo(
  context: Context,
  interaction: Interaction,
  body: MessageBody,
  files: readonly UploadedFile[],
): Posting {
  const { type, userId, roomId, originalId } = interaction;
  const ephemeral = ((body.flags ?? 0) & MessageFlags.Ephemeral) !== 0;
  return {
    roomId,
    authorId: context.world.applicationId,
    body,
    files,
    type: type === InteractionType.ApplicationCommand ? MessageType.ChatInputCommand : MessageType.Default,
    origin: { ...originOf(interaction), ...(originalId !== null && { originalId }) },
    visibleTo: ephemeral ? userId : null,
  };
}

function originOf({ id, type, userId, name, source, opener }: Interaction): MessageOrigin {
  const used = type === InteractionType.MessageComponent && source;
  return {
    id,
    type,
    userId,
    name,
    ...(used && { interactedMessageId: used.id }),
    ...(opener && { opener: originOf(opener) }),
  };
}

function currentSource({ world }: Context, { source }: Interaction): Message {
  const message = source && findMessage(world, source.roomId, source.id);
  if (!message) {
    throw invalidForm([{ path: ["type"], code: "BASE_TYPE_INVALID", message: "The message is gone" }]);
  }
  return message;
}
