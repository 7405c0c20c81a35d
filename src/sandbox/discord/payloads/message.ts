import { MessageReferenceType } from "discord-api-types/v10";
import type { Component } from "../shapes/component.ts";
import type { Embed } from "../shapes/message.ts";
import {
  type Attachment,
  findMessage,
  type Message,
  type MessageOrigin,
  type World,
} from "../world/world.ts";
import { userPayload } from "./guild.ts";

/** A message as Discord sends it. */
export interface MessagePayload {
  id: string;
  type: number;
  channel_id: string;
  author: UserPayload;
  content: string;
  timestamp: string;
  edited_timestamp: string | null;
  tts: boolean;
  mention_everyone: boolean;
  mentions: UserPayload[];
  mention_roles: string[];
  attachments: AttachmentPayload[];
  embeds: Embed[];
  pinned: boolean;
  flags: number;
  components: Component[];
  nonce?: string | number;
  application_id?: string;
  webhook_id?: string;
  interaction_metadata?: object;
  interaction?: { id: string; type: number; name: string; user: UserPayload };
  message_reference?: { type: MessageReferenceType; channel_id: string; message_id: string };
  referenced_message?: MessagePayload | null;
}
type UserPayload = ReturnType<typeof userPayload>;
export type AttachmentPayload = ReturnType<typeof attachmentPayload>;

/** `origin` is the base address of attachments, without a trailing slash. */
export function messagePayload(world: World, message: Message, origin: string): MessagePayload {
  const author = world.users.get(message.authorId);
  if (!author) throw new Error(`no user has the id ${message.authorId}`);
  const replied = message.replyTo === null ? undefined : findMessage(world, message.roomId, message.replyTo);
  return {
    id: message.id,
    type: message.type,
    channel_id: message.roomId,
    author: userPayload(author),
    content: message.content,
    timestamp: new Date(message.createdAt).toISOString(),
    edited_timestamp: message.editedAt === null ? null : new Date(message.editedAt).toISOString(),
    tts: false,
    mention_everyone: message.mentionsEveryone,
    mentions: message.mentionedUserIds.flatMap((id) => {
      const user = world.users.get(id);
      return user ? [userPayload(user)] : [];
    }),
    mention_roles: message.mentionedRoleIds,
    attachments: message.attachments.map((attachment) => attachmentPayload(attachment, origin)),
    embeds: resolveMedia(message, origin, message.embeds.map(embedPayload)),
    pinned: false,
    flags: message.flags,
    components: resolveMedia(message, origin, message.components),
    ...(message.nonce === null ? {} : { nonce: message.nonce }),
    ...(message.origin === null ? {} : originPayload(world, message)),
    ...(message.replyTo === null
      ? {}
      : {
          message_reference: {
            type: MessageReferenceType.Default,
            channel_id: message.roomId,
            message_id: message.replyTo,
          },
          referenced_message: replied ? messagePayload(world, replied, origin) : null,
        }),
  };
}

function embedPayload(embed: Embed) {
  const fields = embed.fields?.map((field) => ({ ...field, inline: field.inline ?? false }));
  return { ...embed, ...(fields && { fields }), type: "rich" };
}

/** Replaces "attachment://name" with the addresses of the message's own files. */
function resolveMedia<T>(message: Message, origin: string, content: T[]): T[] {
  if (message.attachments.length === 0) return content;
  const resolve = (_: string, value: unknown): unknown => {
    const name = typeof value === "string" ? /^attachment:\/\/(.+)$/.exec(value)?.[1] : undefined;
    const attachment = message.attachments.find(({ filename }) => filename === name);
    return attachment ? attachmentPayload(attachment, origin).url : value;
  };
  // A copy of a JSON value has the same type.
  return JSON.parse(JSON.stringify(content), resolve) as T[];
}

export function attachmentPayload(attachment: Attachment, origin: string) {
  const url = `${origin}/attachments/${attachment.id}/${encodeURIComponent(attachment.filename)}`;
  return {
    id: attachment.id,
    filename: attachment.filename,
    size: attachment.size,
    content_type: attachment.contentType,
    url,
    proxy_url: url,
    ...(attachment.description === null ? {} : { description: attachment.description }),
  };
}

function originPayload(world: World, { origin, roomId }: Message) {
  const user = origin && world.users.get(origin.userId);
  if (!user) return {};
  const { id, type, name } = origin;
  return {
    application_id: world.applicationId,
    webhook_id: world.applicationId,
    interaction_metadata: originMetadata(world, origin, world.rooms.get(roomId)?.guildId ?? null),
    // Discord calls this field deprecated, but sends it for commands, because no other field has the command's name.
    ...(name !== null && { interaction: { id, type, name, user: userPayload(user) } }),
  };
}

function originMetadata(world: World, origin: MessageOrigin, guildId: string | null): object {
  const { id, type, userId, originalId, interactedMessageId, opener } = origin;
  const user = world.users.get(userId);
  return {
    id,
    type,
    user: user && userPayload(user),
    authorizing_integration_owners: guildId === null ? {} : { 0: guildId },
    ...(originalId !== undefined && { original_response_message_id: originalId }),
    ...(interactedMessageId !== undefined && { interacted_message_id: interactedMessageId }),
    ...(opener && { triggering_interaction_metadata: originMetadata(world, opener, guildId) }),
  };
}
