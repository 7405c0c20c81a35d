import Fastify, { type FastifyInstance, type FastifyReply } from "fastify";
import { isLoopback } from "../listening.ts";
import type { Log } from "../log.ts";
import { pageHeaders } from "../web/page-headers.ts";
import { addAccountRoutes } from "./account-routes.ts";
import { addApi } from "./api/add-api.ts";
import type { ConsoleParts } from "./console-parts.ts";
import { addDeskRoutes } from "./desk-routes.ts";
import { createLimits } from "./limits.ts";
import { addLiveRoute } from "./live.ts";
import { createNaming } from "./resolve-names.ts";
import { addConsolePage } from "./page-routes.ts";
import { explainRefusal } from "./refusals.ts";
import { addRuleRoutes } from "./rule-routes.ts";
import { addSignIn } from "./sign-in.ts";
import { createVisits } from "./session-context.ts";

const headersOf = (origin: string) => ({
  ...pageHeaders,
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  ...(origin.startsWith("https:") && { "strict-transport-security": "max-age=31536000" }),
});

/** Maximum bytes of a body, such as a reason or a filter. */
const bodyLimit = 32 * 1024;

/**
 * The console: the moderators' commands in a browser. It has no permissions or rules of its own. Discord identifies
 * people, and the commands check permissions and act.
 */
export function createConsole(parts: ConsoleParts, log: Log): FastifyInstance {
  const { origin, trustedProxies = [] } = parts;
  const trustProxy = trustedProxies.length > 0 && [...trustedProxies];
  const headers = headersOf(origin);
  const server = Fastify({
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    bodyLimit,
    trustProxy,
    // An invalid address, such as one with %zz, never reaches a hook.
    frameworkErrors: (_error, _request, reply: FastifyReply) =>
      void reply.headers(headers).code(400).send(noAddress),
  });
  server.removeContentTypeParser("text/plain");
  const limits = createLimits(server);
  if (origin.startsWith("https:") && !trustProxy) warnOfProxy(server, log);
  const visits = createVisits(parts, limits);
  server.addHook("onRequest", async (request, reply) => {
    reply.headers(headers);
    const elsewhere = describeCanonical(origin, request.headers.host ?? "", request.url);
    const isPage = !request.url.startsWith("/api/");
    if (elsewhere !== undefined && request.method === "GET" && isPage) return reply.redirect(elsewhere, 302);
    if (Object.values(request.params as Record<string, string>).some((part) => part.includes("\0")))
      return reply.code(400).send(noAddress);
    // The route's own path, because an address can be encoded differently, such as %61 for an a.
    if (request.routeOptions.url?.startsWith("/console/api/")) await visits.requireOwnPage(request);
    return undefined;
  });
  server.setErrorHandler(async (error, request, reply) => {
    const { status, code, message, id } = explainRefusal(error);
    const path = request.url.split("?")[0];
    if (status >= 500 || code === "invalid_configuration")
      log.error({ err: error, path, interaction: id }, "a request to the console failed");
    if ((request.routeOptions.url ?? path)?.startsWith("/console/api/")) {
      return reply
        .code(status)
        .send({ error: { code, message, names: await findNames(parts, path ?? "", message) } });
    }
    // Sign-in uses plain addresses. The page has the texts, so that a link cannot inject others.
    return reply.redirect(`/console?problem=${code}`, 302);
  });
  server.setNotFoundHandler(async (_request, reply) =>
    reply
      .code(404)
      .send({ error: { code: "not_found", message: "There is no such page. The console is at /console." } }),
  );
  addSignIn(server, parts, limits);
  addAccountRoutes(server, parts, visits, limits);
  const named = createNaming(parts);
  addDeskRoutes(server, visits, named);
  addRuleRoutes(server, visits, named);
  addLiveRoute(server, parts, visits);
  server.register(addConsolePage);
  addApi(server, parts, limits, log);
  return server;
}

/** Requests that reach a local console over https come through a proxy, so they all share its address and its limits. */
function warnOfProxy(server: FastifyInstance, log: Log): void {
  let isWarned = false;
  server.addHook("onRequest", async ({ ip }) => {
    if (isWarned || !isLoopback(ip)) return;
    isWarned = true;
    log.warn(
      "requests to the console arrive through a proxy on this machine. Set TRUSTED_PROXIES=127.0.0.1; otherwise everyone who signs in shares one rate limit",
    );
  });
}

const noAddress = {
  error: { code: "invalid_input", message: "That is not a valid address. The console is at /console." },
};

/** Errors can mention people too, for example who has claimed a review. */
async function findNames(
  { members }: ConsoleParts,
  path: string,
  message: string,
): Promise<Record<string, string>> {
  const [, server] = /\/servers\/(\d{5,20})\//.exec(path) ?? [];
  return server !== undefined && message.includes("<") ? members.namesIn(server, message) : {};
}

/** On this machine "localhost" and "127.0.0.1" have separate cookies, so one of them redirects to the console's address. */
function describeCanonical(origin: string, host: string, url: string): string | undefined {
  const own = new URL(origin);
  const name = host.replace(/:\d+$/, "");
  const isOther = own.protocol === "http:" && host !== own.host && isLoopback(name);
  return isOther ? `${origin}${url}` : undefined;
}
