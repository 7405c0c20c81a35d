import { MessageFlags } from "discord-api-types/v10";
import type { FastifyInstance } from "fastify";
import type { Context } from "../context.ts";
import { missingPermissions, unknown } from "../discord-error.ts";
import { answerInteraction, replyTo } from "../interactions/answer-interaction.ts";
import type { Interaction, Outcome } from "../interactions/interactions.ts";
import { removeMessage } from "../messages/save-message.ts";
import { editMessage, postMessage } from "../messages/write-message.ts";
import { messagePayload } from "../payloads/message.ts";
import { readEdit, readNewMessage } from "../shapes/message.ts";
import { findMessage, type Message } from "../world/world.ts";

interface OfInteraction {
  Params: { id: string; token: string };
  Querystring: { with_response?: string };
}
interface OfWebhook {
  Params: { application: string; token: string };
}
interface OfAnswer {
  Params: OfWebhook["Params"] & { message: string };
}

const answerPath = "/webhooks/:application/:token/messages/:message";

/** Answers to interactions; the token in the path is their only authorization. */
export function addInteractionRoutes(api: FastifyInstance, context: Context): void {
  const payloadOf = (message: Message) => messagePayload(context.world, message, context.origin);
  api.post<OfInteraction>("/interactions/:id/:token/callback", async ({ params, query, body, files }) => {
    const interaction = context.interactions.claim(params.id, params.token);
    const outcome = answerInteraction(context, interaction, body, files);
    if (query.with_response !== "true") return undefined;
    return callbackPayload(context, interaction, outcome, Object(body).type);
  });
  api.post<OfWebhook>("/webhooks/:application/:token", async ({ params, body, files }) => {
    const interaction = findInteraction(context, params);
    const reply = replyTo(context, interaction, readNewMessage(body), files);
    const original =
      interaction.originalId && findMessage(context.world, interaction.roomId, interaction.originalId);
    if (original && (original.flags & MessageFlags.Loading) !== 0 && original.origin?.id === interaction.id) {
      // The first follow-up replaces a deferred answer, and keeps its visibility.
      return payloadOf(editMessage(context, original, reply.body, files));
    }
    return payloadOf(postMessage(context, reply));
  });
  api.get<OfAnswer>(answerPath, async ({ params }) => payloadOf(findAnswer(context, params)));
  api.patch<OfAnswer>(answerPath, async ({ params, body, files }) => {
    const message = findAnswer(context, params);
    return payloadOf(editMessage(context, message, readEdit(body, message.flags), files));
  });
  api.delete<OfAnswer>(answerPath, async ({ params }) => {
    const message = findAnswer(context, params);
    if (message.origin === null) throw missingPermissions();
    removeMessage(context, message);
  });
}

/** The interaction of a webhook token, which must belong to this application. */
function findInteraction(context: Context, { application, token }: OfWebhook["Params"]): Interaction {
  if (application !== context.world.applicationId) throw unknown("Webhook");
  return context.interactions.byToken(token);
}

/** A message that the interaction's token can change: "@original", or a follow-up by its id. */
function findAnswer(context: Context, params: OfAnswer["Params"]): Message {
  const interaction = findInteraction(context, params);
  const wanted = params.message === "@original" ? interaction.originalId : params.message;
  const message = wanted === null ? undefined : findMessage(context.world, interaction.roomId, wanted);
  const own = message && (message.origin?.id === interaction.id || message.id === interaction.originalId);
  if (!own) throw unknown("Message");
  return message;
}

function callbackPayload(context: Context, interaction: Interaction, outcome: Outcome, type: unknown) {
  const message = "message" in outcome ? outcome.message : undefined;
  return {
    interaction: {
      id: interaction.id,
      type: interaction.type,
      ...(message && {
        response_message_id: message.id,
        response_message_loading: (message.flags & MessageFlags.Loading) !== 0,
        response_message_ephemeral: message.visibleTo !== null,
      }),
    },
    resource: { type, ...(message && { message: messagePayload(context.world, message, context.origin) }) },
  };
}
