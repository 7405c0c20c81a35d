// @ts-nocheck
import type { Context } from "../context.ts";
import { emptyMessage } from "../discord-error.ts";
import { messageFlag } from "../numbers.ts";
import type { UploadedFile } from "../rest/exchange.ts";
import { numberComponents } from "../shapes/component-tree.ts";
import { isEmpty, type MessageBody } from "../shapes/message.ts";
import type { Message, MessageOrigin } from "../world/world.ts";
import { takeAttachments } from "./attachments.ts";
import { keepMessage } from "./keep-message.ts";
import { readMentions } from "./mentions.ts";

interface Posting {
  roomId: string;
  authorId: string;
  body: MessageBody;
  files?: readonly UploadedFile[];
  origin?: MessageOrigin;
  /** Message type: 0 for a post, 19 for a reply, 20 and 23 for the answer to a command. */
  type?: number;
  replyTo?: string | null;
  /** Who alone sees it, where it is ephemeral. */
  visibleTo?: string | null;
}

const settable = messageFlag.suppressEmbeds | messageFlag.suppressNotifications | messageFlag.componentsV2;

/** Posts a message; its body has passed the checks of form. */
export function postMessage(context: Context, posting: Posting): Message {
  const { body, files = [], visibleTo = null } = posting;
  if (isEmpty(body, files.length)) throw emptyMessage();
  const attachments = takeAttachments(context, body, files, [], visibleTo === null);
  return keepMessage(context, { ...draftMessage(context, posting), attachments }, "MESSAGE_CREATE");
}

/** Posts the "thinking…" message of a deferred answer. */
export function postLoading(context: Context, posting: Posting): Message {
  const draft = draftMessage(context, posting);
  return keepMessage(context, { ...draft, flags: draft.flags | messageFlag.loading }, "MESSAGE_CREATE");
}

function draftMessage(context: Context, posting: Posting): Message {
  const { body, visibleTo = null } = posting;
  const content = body.content?.trim() ?? "";
  const components = numberComponents(body.components ?? []);
  return {
    id: context.nextId(),
    roomId: posting.roomId,
    authorId: posting.authorId,
    type: posting.type ?? (posting.replyTo ? 19 : 0),
    content,
    embeds: body.embeds ?? [],
    components,
    attachments: [],
    flags: ((body.flags ?? 0) & settable) | (visibleTo === null ? 0 : messageFlag.ephemeral),
    createdAt: context.clock.now(),
    editedAt: null,
    ...readMentions({ content, components }, body.allowed_mentions),
    nonce: body.nonce ?? null,
    origin: posting.origin ?? null,
    replyTo: posting.replyTo ?? null,
    visibleTo,
  };
}

/** Changes the fields that the body names. A deferred answer that gets its content was not "edited". */
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
  const loading = (message.flags & messageFlag.loading) !== 0;
  const flags = (message.flags & ~messageFlag.loading) | ((body.flags ?? 0) & settable);
  const edited: Message = {
    ...message,
    content,
    components,
    embeds,
    attachments,
    flags,
    editedAt: loading ? null : context.clock.now(),
    ...readMentions({ content, components }, body.allowed_mentions),
  };
  return keepMessage(context, edited, "MESSAGE_UPDATE");
}
