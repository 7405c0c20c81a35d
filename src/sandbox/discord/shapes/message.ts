import { z } from "zod";
import type { FormIssue } from "../discord-error.ts";
import { messageFlag } from "../numbers.ts";
import { Component } from "./component.ts";
import { componentIssues } from "./component-tree.ts";
import { Embeds, embedIssues } from "./embed.ts";

const Snowflake = z.string().regex(/^\d{1,20}$/);

export const AllowedMentions = z.object({
  parse: z.array(z.enum(["roles", "users", "everyone"])).nullish(),
  roles: z.array(Snowflake).max(100).nullish(),
  users: z.array(Snowflake).max(100).nullish(),
  replied_user: z.boolean().nullish(),
});
export type AllowedMentions = z.infer<typeof AllowedMentions>;

/** The body of a new or edited message, whatever route it comes by. */
export const MessageBody = z.object({
  content: z.string().max(2000).nullish(),
  embeds: Embeds.nullish(),
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

/** Rules across the fields of a message that has, or will have, these flags. `path` is where the message lies. */
export function* messageIssues(
  body: MessageBody,
  flags: number,
  path: readonly string[] = [],
): Iterable<FormIssue> {
  const v2 = (flags & messageFlag.componentsV2) !== 0;
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

/** Whether a message with this body shows nothing at all. */
export function isEmpty(body: MessageBody, files: number): boolean {
  return !body.content?.trim() && !body.embeds?.length && !body.components?.length && files === 0;
}
