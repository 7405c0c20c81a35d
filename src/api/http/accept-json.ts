import type { FastifyInstance } from "fastify";
import { AppError } from "../../errors.ts";
import { findJsonMistake } from "../../text/broken-json.ts";

/** Accepts only JSON bodies in UTF-8; an empty body counts as none. Keys that would poison prototypes are ignored. */
export function acceptJsonOnly(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser("remove", "remove");
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("application/json", { parseAs: "buffer" }, (request, body: Buffer, done) => {
    const text = readText(request.headers["content-encoding"], body);
    if (text instanceof AppError) done(text);
    else if (text === "") done(null, undefined);
    else void parse(request, text, (error, value) => done(error && explainBrokenJson(text, error), value));
  });
}

/** A body's text, or why it cannot be read. Undecodable bytes are not replaced, because the result would be stored. */
function readText(encoding: string | undefined, body: Buffer): string | AppError {
  if (encoding !== undefined && encoding !== "identity") {
    return new AppError("invalid_request", "The body must not be compressed (Content-Encoding).");
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch (cause) {
    return new AppError("invalid_request", "The body is not UTF-8.", { cause });
  }
}

function explainBrokenJson(body: string, error: Error): Error {
  const mistake = findJsonMistake(body);
  if (!mistake) return error;
  const { line, column, why } = mistake;
  const message = `The body is not valid JSON: line ${line}, column ${column}: ${why}.`;
  return new AppError("invalid_request", message, { cause: error });
}
