// @ts-nocheck
import type { Context } from "../../context.ts";
import { DiscordError, unknown } from "../../discord-error.ts";
import { answerInteraction, replyTo } from "../../interactions/answer-interaction.ts";
import type { Interaction, Outcome } from "../../interactions/interactions.ts";
import { removeMessage } from "../../messages/keep-message.ts";
import { readEdit, readNewMessage } from "../../messages/read-message-body.ts";
import { editMessage, postMessage } from "../../messages/write-message.ts";
import { messageFlag } from "../../numbers.ts";
import { messagePayload } from "../../payloads/message.ts";
import { findMessage } from "../../world/apply-change.ts";
import type { Message } from "../../world/world.ts";
import { noContent, ok } from "../exchange.ts";
import { route } from "../route.ts";

function callbackPayload(context: Context, interaction: Interaction, outcome: Outcome, type: unknown) {
  const message = "message" in outcome ? outcome.message : undefined;
  return {
    interaction: {
      id: interaction.id,
      type: interaction.type,
      ...(message && {
        response_message_id: message.id,
        response_message_loading: (message.flags & messageFlag.loading) !== 0,
        response_message_ephemeral: message.visibleTo !== null,
      }),
    },
    resource: { type, ...(message && { message: messagePayload(context.world, message, context.origin()) }) },
  };
}

/** The interaction of a webhook's token, which must be of this application. */
function findInteraction(context: Context, parameters: { application: string; token: string }): Interaction {
  if (parameters.application !== context.world.applicationId) throw unknown("Webhook");
  return context.interactions.byToken(parameters.token);
}

/** A message that the interaction's token may change: "@original", or a follow-up by its id. */
function findAnswer(context: Context, interaction: Interaction, id: string): Message {
  const wanted = id === "@original" ? interaction.originalId : id;
  const message = wanted === null ? undefined : findMessage(context.world, interaction.roomId, wanted);
  const own = message && (message.origin?.id === interaction.id || message.id === interaction.originalId);
  if (!own) throw unknown("Message");
  return message;
}

/** Answers to interactions; the token in the path is their only authorization. */
export const interactionRoutes = [
  route("POST", "/interactions/:id/:token/callback", (context, { parameters, query, body, files }) => {
    const interaction = context.interactions.claim(parameters.id, parameters.token);
    const outcome = answerInteraction(context, interaction, body, files);
    if (query.get("with_response") !== "true") return noContent;
    return ok(callbackPayload(context, interaction, outcome, Object(body).type));
  }),
  route("POST", "/webhooks/:application/:token", (context, { parameters, body, files }) => {
    const interaction = findInteraction(context, parameters);
    const reply = replyTo(context, interaction, readNewMessage(body), files);
    const original =
      interaction.originalId && findMessage(context.world, interaction.roomId, interaction.originalId);
    if (original && (original.flags & messageFlag.loading) !== 0 && original.origin?.id === interaction.id) {
      // The first follow-up to a deferred answer takes its place, and is as visible as that was.
      const edited = editMessage(context, original, reply.body, files);
      return ok(messagePayload(context.world, edited, context.origin()));
    }
    return ok(messagePayload(context.world, postMessage(context, reply), context.origin()));
  }),
  route("GET", "/webhooks/:application/:token/messages/:message", (context, { parameters }) => {
    const message = findAnswer(context, findInteraction(context, parameters), parameters.message);
    return ok(messagePayload(context.world, message, context.origin()));
  }),
  route(
    "PATCH",
    "/webhooks/:application/:token/messages/:message",
    (context, { parameters, body, files }) => {
      const message = findAnswer(context, findInteraction(context, parameters), parameters.message);
      const edited = editMessage(context, message, readEdit(body, message), files);
      return ok(messagePayload(context.world, edited, context.origin()));
    },
  ),
  route("DELETE", "/webhooks/:application/:token/messages/:message", (context, { parameters }) => {
    const message = findAnswer(context, findInteraction(context, parameters), parameters.message);
    if (message.origin === null) throw new DiscordError(403, 50013, "Missing Permissions");
    removeMessage(context, message);
    return noContent;
  }),
];
