import { ComponentType, MessageFlags, MessageType } from "discord-api-types/v10";
import type { Context } from "../context.ts";
import { emptyMessage } from "../discord-error.ts";
import type { UploadedFile } from "../rest/exchange.ts";
import { numberComponents, walkComponents } from "../shapes/component-tree.ts";
import { type AllowedMentions, isEmpty, type MessageBody } from "../shapes/message.ts";
import { notifiable } from "../world/permissions.ts";
import type { Message, MessageOrigin } from "../world/world.ts";
import { takeAttachments } from "./attachments.ts";
import { saveMessage } from "./save-message.ts";

export interface Posting {
  roomId: string;
  authorId: string;
  body: MessageBody;
  files?: readonly UploadedFile[];
  origin?: MessageOrigin;
  /** By default a post, or a reply if it replies to something. */
  type?: MessageType;
  replyTo?: string | null;
  /** The only person who sees it, if it is ephemeral. */
  visibleTo?: string | null;
}

const settable =
  MessageFlags.SuppressEmbeds | MessageFlags.SuppressNotifications | MessageFlags.IsComponentsV2;

/** Posts a message whose body was already checked. */
export function postMessage(context: Context, posting: Posting): Message {
  const { body, files = [], visibleTo = null } = posting;
  if (isEmpty(body, files.length)) throw emptyMessage();
  const attachments = takeAttachments(context, body, files, [], visibleTo === null);
  return saveMessage(context, { ...draftMessage(context, posting), attachments }, "MESSAGE_CREATE");
}

/** Posts the "thinking…" message of a deferred answer. */
export function postLoading(context: Context, posting: Posting): Message {
  const draft = draftMessage(context, posting);
  return saveMessage(context, { ...draft, flags: draft.flags | MessageFlags.Loading }, "MESSAGE_CREATE");
}

function draftMessage(context: Context, posting: Posting): Message {
  const { body, visibleTo = null } = posting;
  const content = body.content?.trim() ?? "";
  const components = numberComponents(body.components ?? []);
  return {
    id: context.nextId(),
    roomId: posting.roomId,
    authorId: posting.authorId,
    type: posting.type ?? (posting.replyTo ? MessageType.Reply : MessageType.Default),
    content,
    embeds: body.embeds ?? [],
    components,
    attachments: [],
    flags: ((body.flags ?? 0) & settable) | (visibleTo === null ? 0 : MessageFlags.Ephemeral),
    createdAt: context.clock.now(),
    editedAt: null,
    ...readMentions(context, { ...posting, content, components }, body.allowed_mentions),
    nonce: body.nonce ?? null,
    origin: posting.origin ?? null,
    replyTo: posting.replyTo ?? null,
    visibleTo,
  };
}

/** Changes the fields in the body. A deferred answer that gets its content does not count as "edited". */
export function editMessage(
  context: Context,
  message: Message,
  body: MessageBody,
  files: readonly UploadedFile[],
): Message {
  const content = body.content === undefined ? message.content : (body.content?.trim() ?? "");
  const components =
    body.components === undefined ? message.components : numberComponents(body.components ?? []);
  const embeds = body.embeds === undefined ? message.embeds : (body.embeds ?? []);
  const attachments = takeAttachments(context, body, files, message.attachments, message.visibleTo === null);
  if (isEmpty({ content, components, embeds }, attachments.length)) throw emptyMessage();
  const loading = (message.flags & MessageFlags.Loading) !== 0;
  const flags = (message.flags & ~MessageFlags.Loading) | ((body.flags ?? 0) & settable);
  const edited: Message = {
    ...message,
    content,
    components,
    embeds,
    attachments,
    flags,
    editedAt: loading ? null : context.clock.now(),
    ...readMentions(context, { ...message, content, components }, body.allowed_mentions),
  };
  return saveMessage(context, edited, "MESSAGE_UPDATE");
}

type Mentions = Pick<Message, "mentionedUserIds" | "mentionedRoleIds" | "mentionsEveryone">;

/** The people a message pings: those named in its text, as far as `allowed` and the author's permissions let it. */
function readMentions(
  { world }: Context,
  message: Pick<Message, "roomId" | "authorId" | "content" | "components">,
  allowed: AllowedMentions | null | undefined,
): Mentions {
  const displays = [...walkComponents(message.components, [])].map(({ component }) =>
    component.type === ComponentType.TextDisplay ? component.content : "",
  );
  const text = [message.content, ...displays].join("\n");
  const may = (kind: "users" | "roles", id: string) =>
    !allowed || (allowed.parse?.includes(kind) ?? false) || (allowed[kind]?.includes(id) ?? false);
  const { roleIds, everyone } = notifiable(world, message.roomId, message.authorId);
  return {
    mentionedUserIds: named(text, /<@!?(\d+)>/g).filter((id) => may("users", id)),
    mentionedRoleIds: named(text, /<@&(\d+)>/g).filter((id) => may("roles", id) && roleIds.has(id)),
    mentionsEveryone:
      everyone &&
      /@(everyone|here)\b/.test(text) &&
      (!allowed || (allowed.parse?.includes("everyone") ?? false)),
  };
}

function named(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].map((match) => match[1] ?? ""))];
}
