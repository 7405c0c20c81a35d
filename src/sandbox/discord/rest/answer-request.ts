import type { IncomingMessage, ServerResponse } from "node:http";
import type { Context } from "../context.ts";
import { DiscordError, errorBody, invalidForm, unauthorized } from "../discord-error.ts";
import { isSnowflake, notSnowflake } from "../snowflake.ts";
import type { Answer, RestRequest } from "./exchange.ts";
import { type ReadBody, readBody } from "./read-body.ts";
import type { Route } from "./route.ts";
import { routes } from "./routes/index.ts";

/** The versions of the API that Discord keeps; they differ in nothing that is here. */
const apiPath = /^\/api\/v(9|10)(?=\/)/;
const anyVersion = /^\/api\/v\d+\//;

/** Whether a path is of the API, of whatever version. */
export function isApiPath(path: string): boolean {
  return anyVersion.test(path);
}

const keptViolations = 1000;

/** Answers one request of the API. */
export async function answerRequest(
  context: Context,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? "/", "http://discord");
  const read = await readBody(request).catch(asError);
  const { body, files } = read instanceof DiscordError ? { body: undefined, files: [] } : read;
  const asked: RestRequest = {
    method: request.method ?? "GET",
    path: decodePath(url.pathname.replace(anyVersion, "/")),
    parameters: {},
    query: url.searchParams,
    headers: request.headers,
    body,
    files,
  };
  const fault = context.faults.take(asked);
  if (fault === "hang") return;
  if (fault === "drop") return void request.socket.destroy();
  const known = apiPath.test(url.pathname);
  const answer =
    typeof fault === "object" ? fault : known ? await decide(context, asked, read) : wrongVersion;
  context.exchanged.tell({ ...asked, at: context.clock.now(), answer });
  if (fault === "lose") return void request.socket.destroy();
  send(response, answer);
}

const wrongVersion: Answer = {
  status: 400,
  body: { message: "Invalid API version specified", code: 50041 },
};

function asError(error: unknown): DiscordError {
  if (error instanceof DiscordError) return error;
  throw error;
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

async function decide(
  context: Context,
  request: RestRequest,
  read: ReadBody | DiscordError,
): Promise<Answer> {
  let headers: Record<string, string> = {};
  try {
    if (read instanceof DiscordError) throw read;
    const found = routes.find((route) => route.method === request.method && route.pattern.test(request.path));
    const open = found?.open ?? /^\/(interactions|webhooks)\//.test(request.path);
    if (!open && request.headers["authorization"] !== `Bot ${context.token()}`) throw unauthorized();
    checkUserAgent(context, request);
    headers = context.rateLimits.count(request.method, request.path, open);
    const answer = await runRoute(context, found, request);
    return { ...answer, headers: { ...headers, ...answer.headers } };
  } catch (error) {
    if (!(error instanceof DiscordError)) throw error;
    if (error.violation) report(context, request, error);
    return { status: error.status, body: errorBody(error), headers: { ...headers, ...error.headers } };
  }
}

function runRoute(
  context: Context,
  found: Route | undefined,
  request: RestRequest,
): Answer | Promise<Answer> {
  if (!found) {
    const known = routes.some(({ pattern }) => pattern.test(request.path));
    if (known) throw new DiscordError(405, 0, "405: Method Not Allowed", { violation: true });
    throw new DiscordError(404, 0, "404: Not Found", { violation: true });
  }
  const parameters = { ...found.pattern.exec(request.path)?.groups };
  checkIds(parameters);
  return found.handle(context, { ...request, parameters });
}

/** Parameters of paths that are ids, by Discord's names for them. */
const idNames: Readonly<Record<string, string>> = {
  application: "application_id",
  command: "command_id",
  guild: "guild_id",
  message: "message_id",
  room: "channel_id",
  user: "user_id",
};

function checkIds(parameters: Record<string, string>): void {
  const issues = Object.entries(parameters).flatMap(([name, value]) =>
    idNames[name] === undefined || value === "@original" || isSnowflake(value)
      ? []
      : [{ path: [idNames[name]], ...notSnowflake(value) }],
  );
  if (issues.length > 0) throw invalidForm(issues);
}

/** Discord's edge lets nobody in without a name, and may block who is not called so. */
function checkUserAgent(context: Context, request: RestRequest): void {
  if (!request.headers["user-agent"])
    throw new DiscordError(403, 40333, "internal network error", { violation: true });
  if (/^DiscordBot \(\S+, \S+\)/.test(String(request.headers["user-agent"]))) return;
  report(context, request, new DiscordError(403, 40333, "User-Agent must be DiscordBot (url, version)"));
}

function report(context: Context, { method, path }: RestRequest, { message, issues }: DiscordError): void {
  context.log.warn({ method, path, message, issues }, "the bot broke a rule of Discord");
  context.violations.push({ method, path, message, issues });
  if (context.violations.length > keptViolations) context.violations.shift();
}

function send(response: ServerResponse, { status, body, headers = {} }: Answer): void {
  if (body === undefined) return void response.writeHead(status, headers).end();
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}
