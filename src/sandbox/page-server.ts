import type { FastifyInstance, FastifyPluginAsync } from "fastify";
import { AppError, type ErrorCode } from "../errors.ts";
import type { Log } from "../log.ts";
import { addChatRoutes } from "./chat-pane/chat-routes.ts";
import type { DiscordControls } from "./discord/start-discord.ts";
import { addNetworkRoutes } from "./network-pane/network-routes.ts";
import { addAuthorizePage } from "./sign-in/authorize-page.ts";
import type { NetworkPane } from "./network-pane/pane.ts";
import { type PageAccess, requireAccess } from "./page-access.ts";
import { explainToPage, type PageError } from "../web/page-errors.ts";
import { addPageFiles } from "../web/page-files.ts";
import { pageHeaders } from "../web/page-headers.ts";

/** Maximum bytes of a body; commands with files may have more. */
const bodyLimit = 64 * 1024;

export interface SandboxPageOptions {
  /** Without it the page has only its chat. */
  pane?: NetworkPane | undefined;
  /** Whether the first room begins with the steps through the sample network. */
  tour?: boolean | undefined;
  /** Without it everybody who reaches the page can use it. */
  access?: PageAccess | undefined;
}

/** The page on a local Discord: `startDiscord({page: (discord) => createSandboxPage(discord, log), …})`. */
export function createSandboxPage(
  discord: DiscordControls,
  log: Log,
  { pane, access, tour = false }: SandboxPageOptions = {},
): FastifyPluginAsync {
  return createPage(log, access, (server) => {
    // From left to right.
    server.get("/panes", async () => (pane ? ["chat", "network"] : ["chat"]));
    addChatRoutes(server, discord, tour);
    if (pane) addNetworkRoutes(server, pane);
    server.register((routes) => addAuthorizePage(routes, discord.context));
  });
}

/**
 * Serves the page's files and its panes' requests: JSON in, JSON out, 204 without content. The server it belongs to
 * has already checked Host and Origin.
 */
export function createPage(
  log: Log,
  access: PageAccess | undefined,
  addRoutes: (server: FastifyInstance) => void,
): FastifyPluginAsync {
  return async (server) => {
    // A form of another page cannot send JSON without a preflight.
    server.removeContentTypeParser("text/plain");
    server.addHook("onRequest", async (request, reply) => {
      reply.headers(pageHeaders);
      const isFile = request.routeOptions.url?.startsWith("/page/");
      if (access && !isFile) requireAccess(access, request, reply);
    });
    server.addHook("onRoute", (route) => {
      route.bodyLimit ??= bodyLimit;
    });
    server.addHook("onSend", async (_request, reply, payload) => {
      if (payload === undefined && reply.statusCode === 200) reply.code(204);
      return payload;
    });
    server.setErrorHandler((error, request, reply) => {
      const { status, code, message, id } = explainToPage(error, { statuses, refused });
      // Without the query, which may contain the page's secret.
      const path = request.url.split("?")[0];
      if (status === 500) log.error({ err: error, path, interaction: id }, "the page's server failed");
      return reply.code(status).send({ error: { code, message } });
    });
    server.setNotFoundHandler(() => {
      throw new AppError("not_found", "There is no such page.");
    });
    addPageFiles(server, files);
    addRoutes(server);
  };
}

const files = {
  "/": "sandbox.html",
  "/page/sandbox.js": "sandbox.js",
  "/page/sandbox.js.map": "sandbox.js.map",
  "/page/sandbox.css": "sandbox.css",
  "/page/sandbox.css.map": "sandbox.css.map",
  "/page/sign-in.css": "sign-in.css",
  "/page/sign-in.css.map": "sign-in.css.map",
  "/page/castle.svg": "castle.svg",
};

const statuses: Partial<Record<ErrorCode, number>> = { not_allowed: 403, not_found: 404, too_large: 413 };

const refused = (status: number): PageError =>
  status === 413
    ? { status, code: "too_large", message: "That is too large." }
    : { status: 400, code: "invalid_input", message: "The page must send valid JSON." };
