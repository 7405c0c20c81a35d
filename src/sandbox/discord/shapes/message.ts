import { MessageFlags } from "discord-api-types/v10";
import { z } from "zod";
import type { FormIssue } from "../discord-error.ts";
import { Component } from "./component.ts";
import { componentIssues } from "./component-tree.ts";
import { parseForm } from "./parse-form.ts";

const WebUrl = z.url({ protocol: /^https?$/ }).max(2048);
const MediaUrl = z.url({ protocol: /^(https?|attachment)$/ }).max(2048);

const Embed = z.object({
  type: z.string().optional(),
  title: z.string().max(256).nullish(),
  description: z.string().max(4096).nullish(),
  url: WebUrl.nullish(),
  timestamp: z.iso.datetime({ offset: true }).nullish(),
  color: z.int().min(0).max(0xffffff).nullish(),
  footer: z.object({ text: z.string().min(1).max(2048), icon_url: MediaUrl.nullish() }).nullish(),
  image: z.object({ url: MediaUrl }).nullish(),
  thumbnail: z.object({ url: MediaUrl }).nullish(),
  author: z
    .object({ name: z.string().min(1).max(256), url: WebUrl.nullish(), icon_url: MediaUrl.nullish() })
    .nullish(),
  fields: z
    .array(
      z.object({
        name: z.string().min(1).max(256),
        value: z.string().min(1).max(1024),
        inline: z.boolean().nullish(),
      }),
    )
    .max(25)
    .nullish(),
});
export type Embed = z.infer<typeof Embed>;

const Snowflake = z.string().regex(/^\d{1,20}$/);

const AllowedMentions = z.object({
  parse: z.array(z.enum(["roles", "users", "everyone"])).nullish(),
  roles: z.array(Snowflake).max(100).nullish(),
  users: z.array(Snowflake).max(100).nullish(),
  replied_user: z.boolean().nullish(),
});
export type AllowedMentions = z.infer<typeof AllowedMentions>;

/** The body of a new or edited message, for all routes. */
export const MessageBody = z.object({
  content: z.string().max(2000).nullish(),
  embeds: z.array(Embed).max(10).nullish(),
  components: z.array(Component).nullish(),
  flags: z.int().min(0).nullish(),
  nonce: z
    .union([z.string(), z.int()])
    .refine((nonce) => String(nonce).length <= 25, { params: { code: "NONCE_TYPE_TOO_LONG" } })
    .nullish(),
  enforce_nonce: z.boolean().nullish(),
  allowed_mentions: AllowedMentions.nullish(),
  attachments: z
    .array(
      z.object({
        id: z.union([z.string(), z.int()]).transform(String),
        filename: z.string().max(1024).nullish(),
        description: z.string().max(1024).nullish(),
      }),
    )
    .max(10)
    .nullish(),
  message_reference: z
    .object({ message_id: Snowflake, fail_if_not_exists: z.boolean().optional() })
    .nullish(),
});
export type MessageBody = z.infer<typeof MessageBody>;

/** Rules across the fields of a message with these flags. `path` is the message's place in the body. */
export function* messageIssues(
  body: MessageBody,
  flags: number,
  path: readonly string[] = [],
): Iterable<FormIssue> {
  const v2 = (flags & MessageFlags.IsComponentsV2) !== 0;
  if (v2) yield* legacyFieldIssues(body, path);
  yield* embedIssues(body.embeds ?? [], [...path, "embeds"]);
  yield* componentIssues(body.components ?? [], v2, [...path, "components"]);
  yield* mentionIssues(body.allowed_mentions ?? {}, [...path, "allowed_mentions"]);
}

function* legacyFieldIssues(body: MessageBody, path: readonly string[]): Iterable<FormIssue> {
  for (const field of ["content", "embeds"] as const) {
    if (!body[field]?.length) continue;
    const message = `The '${field}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2`;
    yield { path: [...path, field], code: "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2", message };
  }
}

function* mentionIssues(mentions: AllowedMentions, path: readonly string[]): Iterable<FormIssue> {
  for (const kind of ["users", "roles"] as const) {
    if (!mentions.parse?.includes(kind) || !mentions[kind]?.length) continue;
    const message = `parse:["${kind}"] and ${kind}: [ids...] are mutually exclusive.`;
    yield { path, code: "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE", message };
  }
}

/** Whether a message with this body would be empty. */
export function isEmpty(body: MessageBody, files: number): boolean {
  return !body.content?.trim() && !body.embeds?.length && !body.components?.length && files === 0;
}

/** Each embed needs content, and all embeds of a message share 6,000 characters. */
function* embedIssues(embeds: readonly Embed[], path: readonly string[]): Iterable<FormIssue> {
  for (const [index, embed] of embeds.entries()) {
    if (shows(embed)) continue;
    const message = "This field is required";
    yield { path: [...path, index, "description"], code: "BASE_TYPE_REQUIRED", message };
  }
  const total = embeds.reduce((sum, embed) => sum + embedSize(embed), 0);
  if (total > 6000) {
    yield { path, code: "MAX_EMBED_SIZE_EXCEEDED", message: "Embed size exceeds maximum size of 6000" };
  }
}

function shows({ title, description, footer, author, fields, image, thumbnail, timestamp }: Embed): boolean {
  return [title, description, footer, author, fields?.length, image, thumbnail, timestamp].some(Boolean);
}

function embedSize({ title, description, footer, author, fields }: Embed): number {
  const texts = [
    title,
    description,
    footer?.text,
    author?.name,
    ...(fields ?? []).flatMap((f) => [f.name, f.value]),
  ];
  return texts.reduce((sum, text) => sum + (text?.length ?? 0), 0);
}

/** The body of a new message. Throws 50035 if it is malformed. */
export function readNewMessage(body: unknown): MessageBody {
  return parseForm(MessageBody, body, (message) => messageIssues(message, message.flags ?? 0));
}

/** An edit is checked with its message's flags: components v2 and ephemeral cannot be changed. */
export function readEdit(body: unknown, flags: number): MessageBody {
  return parseForm(
    MessageBody,
    body,
    (edit) => messageIssues(edit, flags | (edit.flags ?? 0)),
    (edit) => visibilityIssues(edit, flags),
  );
}

function* visibilityIssues(edit: MessageBody, flags: number): Iterable<FormIssue> {
  if (((edit.flags ?? 0) & MessageFlags.Ephemeral) > (flags & MessageFlags.Ephemeral)) {
    const text = "Whether a message is ephemeral cannot be changed by an edit";
    yield { path: ["flags"], code: "MESSAGE_FLAGS_INVALID", message: text };
  }
}
