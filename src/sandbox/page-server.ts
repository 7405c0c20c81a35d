import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { ZodError } from "zod";
import { AppError, type ErrorCode } from "../errors.ts";
import type { Log } from "../log.ts";
import { requireAccess, type PageAccess } from "./page-access.ts";
import { readPageFile } from "./page-files.ts";
import type { PageRoute, PageStream } from "./page-route.ts";

const securityHeaders = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
};

export interface PageParts {
  log: Log;
  /** Their names, from left to right. */
  panes: readonly string[];
  routes: readonly PageRoute[];
  streams: readonly PageStream[];
  /** Without it the page is for everybody who reaches it. */
  access?: PageAccess | undefined;
}

/** Answers for the page: its files, and what its panes ask. Host and Origin were checked by the server before. */
export function createPage(parts: PageParts): RequestListener {
  return (request, response) => {
    for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value);
    answer(parts, request, response).catch((error: unknown) => {
      const { status, code, message } = explain(error);
      // Without the query, which may hold the page's secret.
      const path = request.url?.split("?")[0];
      if (status === 500) parts.log.error({ err: error, path }, "the page's server failed");
      if (response.headersSent) response.destroy();
      else sendJson(response, status, { error: { code, message } });
    });
  };
}

async function answer(parts: PageParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? "/", "http://page");
  const { pathname, searchParams } = url;
  const file = request.method === "GET" ? await readPageFile(pathname) : null;
  if (parts.access && (!file || pathname === "/")) requireAccess(parts.access, request, response, url);
  if (file) return void response.writeHead(200, { "content-type": file.contentType }).end(file.content);
  const stream = parts.streams.find(({ path }) => path === pathname);
  if (stream && request.method === "GET") return stream.open(request, response, searchParams);
  const route = parts.routes.find(({ method, path }) => method === request.method && path === pathname);
  if (route) {
    const body = route.method === "POST" ? await readJson(request, route.bodyLimit) : undefined;
    const result = await route.answer({ query: searchParams, body });
    if (result === undefined) response.writeHead(204).end();
    else sendJson(response, 200, result);
    return;
  }
  if (pathname === "/panes") return sendJson(response, 200, parts.panes);
  throw new AppError("not_found", "There is no such page.");
}

/** Only JSON is taken: a form of another page cannot send it without asking first. */
async function readJson(request: IncomingMessage, limit: number): Promise<unknown> {
  if (!/^application\/json\b/.test(request.headers["content-type"] ?? "")) {
    throw new AppError("invalid_input", "The page sends application/json.");
  }
  if (Number(request.headers["content-length"]) > limit) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    // A request without an encoding gives buffers.
    const buffer = chunk as Buffer;
    size += buffer.length;
    if (size > limit) throw tooLarge();
    chunks.push(buffer);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch (cause) {
    throw new AppError("invalid_input", "That is no valid JSON.", { cause });
  }
}

function tooLarge(): AppError {
  return new AppError("too_large", "That is too large.");
}

const statuses: Partial<Record<ErrorCode, number>> = { not_allowed: 403, not_found: 404, too_large: 413 };

function explain(error: unknown): { status: number; code: string; message: string } {
  if (error instanceof AppError)
    return { status: statuses[error.code] ?? 400, code: error.code, message: error.message };
  if (error instanceof ZodError) {
    const [issue] = error.issues;
    const message = `${issue?.path.join(".") || "The input"}: ${issue?.message ?? "is wrong"}`;
    return { status: 400, code: "invalid_input", message };
  }
  return { status: 500, code: "failed", message: "Something went wrong; the log says what." };
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8" }).end(JSON.stringify(body));
}
