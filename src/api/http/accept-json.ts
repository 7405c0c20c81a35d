import type { FastifyInstance } from "fastify";
import { AppError } from "../../errors.ts";
import { findJsonMistake } from "../../text/broken-json.ts";

/** Accepts only JSON bodies; an empty body counts as none. Keys that would poison prototypes are ignored. */
export function acceptJsonOnly(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser("remove", "remove");
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("application/json", { parseAs: "string" }, (request, body: string, done) => {
    if (body === "") done(null, undefined);
    else void parse(request, body, (error, value) => done(error && explainBrokenJson(body, error), value));
  });
}

function explainBrokenJson(body: string, error: Error): Error {
  const mistake = findJsonMistake(body);
  if (!mistake) return error;
  const { line, column, why } = mistake;
  const message = `The body is not valid JSON: line ${line}, column ${column}: ${why}.`;
  return new AppError("invalid_request", message, { cause: error });
}
