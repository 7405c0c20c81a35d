import { randomBytes } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Interface } from "../../contract/endpoint.ts";
import { AppError, asAppError, httpErrors, registryErrors, type Mistake } from "../../errors.ts";
import type { Log } from "../../log.ts";

/** Answers a failed request in its interface's format; a bug is logged, and the response shows only its id. */
export function answerError(
  log: Log,
): (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => void {
  return (thrown, request, reply) => {
    const of = request.routeOptions?.config?.interface ?? "client";
    const error = readError(thrown);
    const status = error && httpErrors[error.code]?.status;
    reply.header("content-type", "application/json; charset=utf-8");
    if (error && status) {
      if (status === 503 && error.cause) log.warn({ err: error.cause }, "the database does not respond");
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

/**
 * The AppError for a failed request: thrown by an operation, made from Fastify's rejection (sizes, broken JSON, URLs),
 * or from an unavailable database. Undefined for a bug.
 */
function readError(thrown: unknown): AppError | undefined {
  const known = asAppError(thrown);
  if (known?.code === "database_unavailable") {
    return new AppError("not_ready", known.message, { retryAfter: 1, cause: known.cause ?? known });
  }
  return known ?? readFastifyRefusal(thrown);
}

function readFastifyRefusal(thrown: unknown): AppError | undefined {
  if (!(thrown instanceof Error) || !("code" in thrown) || !("statusCode" in thrown)) return undefined;
  const { code, statusCode } = thrown;
  if (typeof code !== "string" || !code.startsWith("FST_")) return undefined;
  if (statusCode === 413) return new AppError("too_large", "The body is too large.", { cause: thrown });
  if (typeof statusCode !== "number" || statusCode >= 500) return undefined;
  const message = fastifyRefusals[code] ?? "The request is not well-formed.";
  return new AppError("invalid_request", message, { cause: thrown });
}

const fastifyRefusals: Record<string, string> = {
  FST_ERR_CTP_INVALID_JSON_BODY: "The body is not valid JSON.",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "The body must be JSON, with Content-Type: application/json.",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "The body's length does not match Content-Length.",
  FST_ERR_BAD_URL: "The URL is not well-formed.",
};

/** The error's body in the format of the called interface. */
export function describeError(of: Interface, error: AppError): object {
  if (of === "registry" && error.code in registryErrors) {
    return { error: "Validation failure", code: error.code, message: error.message };
  }
  return shape(of, error.code, error.message, error.instancePath, error.mistakes);
}

/** The response to a bug: an id to find in the log. */
function describeBug(of: Interface, id: string): object {
  return shape(of, "internal_error", `Something went wrong (error ${id}).`);
}

function shape(
  of: Interface,
  reason: string,
  message: string,
  instancePath?: string,
  mistakes: readonly Mistake[] = [],
): object {
  if (of === "registry") return { error: message };
  if (of === "hub") return { error: reason, error_detail: message };
  const more = mistakes.map(({ path, message, count }) => ({ message, reason, instancePath: path, count }));
  return { errors: [{ message, reason, instancePath }, ...more] };
}

/** Answers and closes connections that do not send HTTP, or send it too slowly. */
export function refuseBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = brokenRequestStatuses[error.code ?? ""] ?? 400;
  const refusal = new AppError("invalid_request", "The request is not well-formed HTTP, or came too slowly.");
  const body = JSON.stringify(describeError("client", refusal));
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

const brokenRequestStatuses: Record<string, number> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
};
