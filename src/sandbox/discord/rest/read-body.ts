import type { FastifyInstance, FastifyRequest } from "fastify";
import { DiscordError, invalidForm } from "../discord-error.ts";
import type { UploadedFile } from "./exchange.ts";

const bodyLimit = 25 * 1024 * 1024;
const fileLimit = 10 * 1024 * 1024;

/** Accepts JSON, or a form with the JSON in `payload_json` and files in its other parts. An empty body is allowed. */
export function acceptBodies(api: FastifyInstance): void {
  api.removeAllContentTypeParsers();
  api.decorateRequest("files");
  api.addHook("onRequest", async (request) => {
    request.files = [];
  });
  api.addContentTypeParser(
    "application/json",
    { parseAs: "string", bodyLimit },
    async (_request: FastifyRequest, text: string) => (text === "" ? undefined : parseJson(text)),
  );
  // Reads all files before it continues, because the size limit applies to all of them together.
  api.addContentTypeParser(
    "multipart/form-data",
    { parseAs: "buffer", bodyLimit },
    async (request: FastifyRequest, raw: Buffer) => {
      const { json, files } = await readForm(raw, request.headers["content-type"] ?? "");
      request.files = files;
      return json === undefined ? undefined : parseJson(json);
    },
  );
  api.addContentTypeParser(
    "*",
    { parseAs: "buffer", bodyLimit },
    async (_request: FastifyRequest, raw: Buffer) => {
      if (raw.length > 0) throw wrongType();
    },
  );
}

async function readForm(raw: Buffer, contentType: string): Promise<{ json?: string; files: UploadedFile[] }> {
  const form = await new Response(new Uint8Array(raw), { headers: { "content-type": contentType } })
    .formData()
    .catch(() => {
      throw badJson();
    });
  const json = form.get("payload_json");
  const uploads = [...form].flatMap(([field, value]) =>
    typeof value === "string" ? [] : [{ field, value }],
  );
  const files = uploads.map(async ({ field, value }) => {
    if (value.size > fileLimit) throw tooLarge();
    const content = Buffer.from(await value.arrayBuffer());
    return { field, filename: value.name, contentType: value.type || "application/octet-stream", content };
  });
  return { ...(typeof json === "string" && { json }), files: await Promise.all(files) };
}

function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    // Only a lone surrogate, for example from an emoji cut in half, is serialized as such an escape.
    if (!/(?<!\\)(?:\\\\)*\\ud[89a-f]/.test(JSON.stringify(value))) return value;
  } catch {
    // The same answer for both, because Discord cannot read such text.
  }
  throw badJson();
}

export function tooLarge(): DiscordError {
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
