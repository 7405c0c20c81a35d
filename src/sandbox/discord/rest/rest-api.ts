import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest, HTTPMethods } from "fastify";
import type { Context } from "../context.ts";
import { DiscordError, errorBody, invalidForm, unauthorized } from "../discord-error.ts";
import { isSnowflake, notSnowflake } from "../snowflake.ts";
import { addApplicationRoutes } from "./application.ts";
import { addChannelRoutes } from "./channels.ts";
import { addCommandRoutes } from "./commands.ts";
import { addGuildRoutes } from "./guilds.ts";
import { addInteractionRoutes } from "./interactions.ts";
import { acceptBodies, tooLarge } from "./read-body.ts";

/** Matches any API version, so that a wrong one gets Discord's answer. */
export const restPrefix = "/api/v:version(^\\d+)";
const versionedPath = /^\/api\/v(\d+)/;

/** The API versions that Discord supports. They do not differ in anything implemented here. */
const keptVersions: readonly (string | undefined)[] = ["9", "10"];

const keptViolations = 1000;

const methods: readonly HTTPMethods[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** Discord's REST API for the bot. `addHooks` may see and change requests before it does, and its responses. */
export function createRestApi(
  context: Context,
  addHooks: (api: FastifyInstance) => void = () => {},
): FastifyPluginAsync {
  return async (api) => {
    acceptBodies(api);
    // Before those of a test, which record the status.
    api.addHook("onSend", async (_request, reply, payload) => {
      if (payload === undefined && reply.statusCode === 200) reply.code(204);
      return payload;
    });
    addHooks(api);
    api.addHook("preHandler", async (request, reply) => admit(context, request, reply));
    api.setErrorHandler((thrown, request, reply) => {
      const error = asDiscordError(thrown);
      if (!error) {
        context.log.error({ err: thrown, path: pathOf(request) }, "the local Discord failed");
        return reply.code(500).send({ message: "500: Internal", code: 0 });
      }
      if (error.violation) report(context, request, error);
      return reply.code(error.status).headers(error.headers).send(errorBody(error));
    });
    addRoutes(api, context);
    api.setNotFoundHandler(() => {
      throw new DiscordError(404, 0, "404: Not Found", { violation: true });
    });
  };
}

/** Throws the errors of Discord's edge, which apply to every route, and sets the rate limit headers. */
function admit(context: Context, request: FastifyRequest, reply: FastifyReply): void {
  if (!keptVersions.includes(versionedPath.exec(request.url)?.[1])) {
    throw new DiscordError(400, 50041, "Invalid API version specified");
  }
  const path = pathOf(request);
  // Interaction endpoints have a token in their path instead of the bot's header.
  const open = /^\/(interactions|webhooks)\//.test(path);
  if (!open && request.headers.authorization !== `Bot ${context.token}`) throw unauthorized();
  checkUserAgent(context, request);
  reply.headers(context.rateLimits.count(request.method, path, open));
  checkIds(request.params);
}

/** Discord's edge refuses requests without a User-Agent, and may block any other than this. */
function checkUserAgent(context: Context, request: FastifyRequest): void {
  const name = request.headers["user-agent"];
  if (!name) throw new DiscordError(403, 40333, "internal network error", { violation: true });
  if (/^DiscordBot \(\S+, \S+\)/.test(name)) return;
  report(context, request, new DiscordError(403, 40333, "User-Agent must be DiscordBot (url, version)"));
}

/** Path parameters that are ids, with Discord's names for them. */
const idNames: Readonly<Record<string, string>> = {
  application: "application_id",
  command: "command_id",
  guild: "guild_id",
  message: "message_id",
  room: "channel_id",
  user: "user_id",
};

function checkIds(parameters: unknown): void {
  const issues = Object.entries(Object(parameters)).flatMap(([name, value]) => {
    const text = String(value);
    const known = idNames[name];
    return known === undefined || text === "@original" || isSnowflake(text)
      ? []
      : [{ path: [known], ...notSnowflake(text) }];
  });
  if (issues.length > 0) throw invalidForm(issues);
}

function addRoutes(api: FastifyInstance, context: Context): void {
  const known = new Map<string, unknown[]>();
  api.addHook("onRoute", ({ routePath, method }) => {
    known.set(routePath, [...(known.get(routePath) ?? []), method]);
  });
  addApplicationRoutes(api, context);
  addChannelRoutes(api, context);
  addInteractionRoutes(api, context);
  addCommandRoutes(api, context);
  addGuildRoutes(api, context);
  // A known path with an unsupported method.
  for (const [url, present] of new Map(known)) {
    const method = methods.filter((one) => !present.includes(one));
    const handler = () => {
      throw new DiscordError(405, 0, "405: Method Not Allowed", { violation: true });
    };
    api.route({ method, url, handler });
  }
}

/** The Discord error for a failure; undefined for a bug. */
function asDiscordError(thrown: unknown): DiscordError | undefined {
  if (thrown instanceof DiscordError) return thrown;
  const isTooLarge = thrown instanceof Error && "statusCode" in thrown && thrown.statusCode === 413;
  return isTooLarge ? tooLarge() : undefined;
}

function report(context: Context, request: FastifyRequest, { message, issues }: DiscordError): void {
  const violation = { method: request.method, path: pathOf(request), message, issues };
  context.log.warn(violation, "the bot broke a rule of Discord");
  context.violations.push(violation);
  if (context.violations.length > keptViolations) context.violations.shift();
}

/** The decoded path below the API's version. */
export function pathOf({ url }: FastifyRequest): string {
  return decodeURIComponent(url.replace(/\?.*$/s, "").replace(versionedPath, ""));
}
