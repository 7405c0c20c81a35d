import type { FastifyReply } from "fastify";
import type { Context } from "../context.ts";
import { DiscordError, invalidForm } from "../discord-error.ts";
import type { UploadedFile } from "../rest/exchange.ts";
import type { MessageBody } from "../shapes/message.ts";
import { applyChange, type Attachment } from "../world/world.ts";

/** A message's attachments after a request: the remaining ones, then the uploaded ones. */
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

/** Stores a file's content; in the journal only if the message is stored there too. */
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

/** Sends a file's content. Images are displayed; everything else is only offered as a download. */
export function sendFile({ world }: Context, id: string, reply: FastifyReply): FastifyReply {
  const content = world.files.get(id);
  if (!content) return reply.code(404).send();
  const image = imageType(content);
  return reply
    .headers({
      "content-type": image ?? "application/octet-stream",
      "content-disposition": image ? "inline" : "attachment",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
    })
    .send(content);
}

const signatures = [
  { type: "image/png", start: [0x89, 0x50, 0x4e, 0x47] },
  { type: "image/jpeg", start: [0xff, 0xd8, 0xff] },
  { type: "image/gif", start: [0x47, 0x49, 0x46, 0x38] },
];

function imageType(content: Buffer): string | undefined {
  return signatures.find(({ start }) => start.every((byte, index) => content[index] === byte))?.type;
}
