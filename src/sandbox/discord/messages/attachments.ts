import type { Context } from "../context.ts";
import { DiscordError, invalidForm } from "../discord-error.ts";
import type { UploadedFile } from "../rest/exchange.ts";
import type { MessageBody } from "../shapes/message.ts";
import { applyChange } from "../world/apply-change.ts";
import type { Attachment } from "../world/world.ts";

/** The attachments that a message has after a request: those it keeps, then those that were uploaded. */
export function takeAttachments(
  context: Context,
  body: MessageBody,
  files: readonly UploadedFile[],
  present: readonly Attachment[],
  kept: boolean,
): Attachment[] {
  const listed = body.attachments ?? null;
  for (const [index, { id }] of (listed ?? []).entries()) {
    if (present.some((attachment) => attachment.id === id)) continue;
    if (files.some((file) => file.field === `files[${id}]`)) continue;
    const message = "The attachment was not found among the uploaded files";
    throw invalidForm([{ path: ["attachments", index, "id"], code: "ATTACHMENT_NOT_FOUND", message }]);
  }
  const staying = listed ? present.filter(({ id }) => listed.some((entry) => entry.id === id)) : present;
  if (staying.length + files.length > 10)
    throw new DiscordError(400, 30015, "Maximum number of attachments in a message reached (10)", {
      violation: true,
    });
  const added = files.map((file) => {
    const entry = listed?.find(({ id }) => file.field === `files[${id}]`);
    return storeFile(context, file, entry?.filename ?? file.filename, entry?.description ?? null, kept);
  });
  return [...staying, ...added];
}

/** Keeps the content of a file; in the journal only where the message goes there too. */
export function storeFile(
  context: Context,
  file: Pick<UploadedFile, "content" | "contentType">,
  filename: string,
  description: string | null,
  kept: boolean,
): Attachment {
  const id = context.nextId();
  const change = { kind: "file", id, base64: file.content.toString("base64") } as const;
  if (kept) context.record(change);
  else applyChange(context.world, change);
  return { id, filename, contentType: file.contentType, description, size: file.content.length };
}
