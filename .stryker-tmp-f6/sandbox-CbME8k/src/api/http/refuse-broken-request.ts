// @ts-nocheck
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { AppError } from "../../errors.ts";
import { describeError } from "./describe-error.ts";

/** Answers what is not even HTTP, or comes too slowly, on the bare connection, and ends it. */
export function refuseBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = statuses[error.code ?? ""] ?? 400;
  const refusal = new AppError("invalid_request", "The request is not well-formed HTTP, or came too slowly.");
  const body = JSON.stringify(describeError("client", refusal));
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

const statuses: Record<string, number> = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 };
