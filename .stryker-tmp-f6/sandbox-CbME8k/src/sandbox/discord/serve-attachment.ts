// @ts-nocheck
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Context } from "./context.ts";

export const attachmentPrefix = "/attachments/";

/** Gives the content of a file. Images are shown; whatever else it is, it is only offered as a download. */
export function serveAttachment(
  { world }: Context,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const id = request.url?.slice(attachmentPrefix.length).split("/")[0] ?? "";
  const content = world.files.get(id);
  if (!content) return void response.writeHead(404).end();
  const image = imageType(content);
  response.writeHead(200, {
    "content-type": image ?? "application/octet-stream",
    "content-disposition": image ? "inline" : "attachment",
    "content-length": content.length,
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
  });
  response.end(content);
}

const signatures = [
  { type: "image/png", start: [0x89, 0x50, 0x4e, 0x47] },
  { type: "image/jpeg", start: [0xff, 0xd8, 0xff] },
  { type: "image/gif", start: [0x47, 0x49, 0x46, 0x38] },
];

function imageType(content: Buffer): string | undefined {
  return signatures.find(({ start }) => start.every((byte, index) => content[index] === byte))?.type;
}
