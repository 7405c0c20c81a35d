// @ts-nocheck
import { randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Log } from "../../log.ts";
import { jsonType } from "./add-endpoint.ts";
import { describeBug, describeError, statusOf } from "./describe-error.ts";
import { readError } from "./read-error.ts";

/** Answers a failed request in the shape of its interface; a bug is logged, and only its id is shown. */
export function answerError(
  log: Log,
): (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => void {
  return (thrown, request, reply) => {
    const of = request.routeOptions?.config?.interface ?? "client";
    const error = readError(thrown);
    const status = error && statusOf(error);
    reply.header("content-type", jsonType);
    if (error && status) {
      if (status === 503 && error.cause) log.warn({ err: error.cause }, "the database does not answer");
      if (error.retryAfter !== undefined) reply.header("retry-after", error.retryAfter);
      if (status === 401) reply.header("www-authenticate", "Bearer");
      reply.code(status).send(JSON.stringify(describeError(of, error)));
      return;
    }
    const id = randomBytes(6).toString("hex");
    log.error({ err: thrown, id, method: request.method, route: request.routeOptions?.url }, "a call failed");
    reply.code(500).send(JSON.stringify(describeBug(of, id)));
  };
}
