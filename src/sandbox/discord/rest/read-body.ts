import type { IncomingMessage } from "node:http";
import { DiscordError, invalidForm } from "../discord-error.ts";
import type { UploadedFile } from "./exchange.ts";

const largestBody = 25 * 1024 * 1024;
const largestFile = 10 * 1024 * 1024;

export interface ReadBody {
  body: unknown;
  files: UploadedFile[];
}

/** Reads JSON, or a form whose `payload_json` is the JSON and whose other parts are files. */
export async function readBody(request: IncomingMessage): Promise<ReadBody> {
  const raw = await readAll(request);
  const contentType = request.headers["content-type"] ?? "";
  if (raw.length === 0) return { body: undefined, files: [] };
  if (contentType.startsWith("multipart/form-data")) return readForm(raw, contentType);
  if (!contentType.startsWith("application/json")) throw wrongType();
  return { body: parseJson(raw.toString("utf8")), files: [] };
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    // A request without an encoding gives buffers.
    const buffer = chunk as Buffer;
    size += buffer.length;
    if (size > largestBody) throw tooLarge();
    chunks.push(buffer);
  }
  return Buffer.concat(chunks);
}

async function readForm(raw: Buffer, contentType: string): Promise<ReadBody> {
  const form = await new Response(raw, { headers: { "content-type": contentType } }).formData().catch(() => {
    throw badJson();
  });
  const read: ReadBody = { body: undefined, files: [] };
  for (const [field, value] of form) {
    if (typeof value === "string") {
      if (field === "payload_json") read.body = parseJson(value);
      continue;
    }
    if (value.size > largestFile) throw tooLarge();
    const content = Buffer.from(await value.arrayBuffer());
    read.files.push({
      field,
      filename: value.name,
      contentType: value.type || "application/octet-stream",
      content,
    });
  }
  return read;
}

function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    // Only half a surrogate pair, as a cut through an emoji leaves it, is written as such an escape.
    if (!/(?<!\\)(?:\\\\)*\\ud[89a-f]/.test(JSON.stringify(value))) return value;
  } catch {
    // The same answer: it is no text that Discord reads.
  }
  throw badJson();
}

function tooLarge(): DiscordError {
  return new DiscordError(413, 40005, "Request entity too large", { violation: true });
}

function wrongType(): DiscordError {
  const message =
    "Expected \"Content-Type\" header to be one of {'application/json', 'multipart/form-data', 'application/x-www-form-urlencoded'}.";
  return invalidForm([{ path: [], code: "CONTENT_TYPE_INVALID", message }]);
}

function badJson(): DiscordError {
  return new DiscordError(400, 50109, "The request body contains invalid JSON.", { violation: true });
}
