import type { IncomingMessage } from "node:http";
import Fastify, { type FastifyInstance, type FastifyPluginAsync } from "fastify";
import type { Clock } from "../../clock.ts";
import { boundTo, isLoopback, nearOriginOf, originOf } from "../../listening.ts";
import type { Log } from "../../log.ts";
import { createUserActions, type UserActions } from "./actions/user-actions.ts";
import type { Context } from "./context.ts";
import { createGateway } from "./gateway/gateway.ts";
import { type OriginRules, refusalOf } from "./guard-origin.ts";
import { createInteractions } from "./interactions/interactions.ts";
import { sendFile } from "./messages/attachments.ts";
import { authorizePath, createGrants } from "./oauth/grants.ts";
import { addOAuthRoutes, oauthPrefix } from "./oauth/oauth-routes.ts";
import { createRateLimits } from "./rest/rate-limits.ts";
import { createRestApi, restPrefix } from "./rest/rest-api.ts";
import { createListeners, type State } from "./state.ts";
import { openJournal } from "./world/journal.ts";
import { seedWorld, type WorldPlan } from "./world/seed-world.ts";

export interface DiscordOptions extends Omit<WorldPlan, "botName"> {
  /** Append-only file for guilds, messages and commands. Each server needs its own. */
  file: string;
  /** Other machines are allowed only if this is not a loopback address. */
  host: string;
  /** 0 selects a free port. */
  port: number;
  /** The bot's token. */
  token: string;
  clock: Clock;
  log: Log;
  /** If set, the application can ask people who they are. */
  clientSecret?: string | undefined;
  botName?: string;
  /** Host names other than loopback under which the server can be called. */
  allowedHosts?: readonly string[];
  /** Privileged intents that the application was granted; none by default. */
  grantedIntents?: number;
  /** Milliseconds between heartbeats. */
  heartbeat?: number;
  /** The number of shards that clients are told to start; one by default. */
  shards?: number;
  /** How many messages a room accepts within five seconds; Discord accepts five. */
  roomLimit?: number;
  /** Milliseconds until an interaction fails; Discord waits 3000. */
  acknowledgeWithin?: number;
  /** Milliseconds that an interaction's token is valid; 15 minutes on Discord. */
  tokenLife?: number;
  /** Adds hooks to the REST API that come before its own. */
  restHooks?: (api: FastifyInstance) => void;
  /** Serves the page, which is not part of Discord. */
  page?: (discord: DiscordControls) => FastifyPluginAsync;
}

/** Actions of people in the local Discord, and what they act on. */
export interface DiscordControls {
  context: Context;
  people: UserActions;
  applicationId: string;
}

export interface Discord extends DiscordControls {
  /** http://host:port for use on this machine */
  origin: string;
  /** http://host:port as it is bound */
  bound: string;
  /** For `rest.api` of discord.js. */
  api: string;
  stop: () => Promise<void>;
}

/** Starts a strict local Discord: REST v10, gateway v10, and people who act in it. */
export async function startDiscord(options: DiscordOptions): Promise<Discord> {
  const journal = openJournal(options.file);
  const context = createContext(options, journal);
  const controls: DiscordControls = {
    context,
    people: createUserActions(context),
    applicationId: context.world.applicationId,
  };
  const server = createServer(context, {
    openToOthers: !isLoopback(options.host),
    hosts: options.allowedHosts ?? [],
    ...(options.clientSecret !== undefined && { entrance: authorizePath }),
  });
  server.register(createRestApi(context, options.restHooks), { prefix: restPrefix });
  server.register((routes) => addOAuthRoutes(routes, context), { prefix: oauthPrefix });
  if (options.page) server.register(options.page(controls));
  await server.listen({ host: options.host, port: options.port });
  const place = boundTo(server.server);
  context.origin = nearOriginOf(place);
  return {
    ...controls,
    origin: context.origin,
    bound: originOf(place),
    api: `${context.origin}/api`,
    async stop() {
      context.interactions.close();
      context.gateway.close();
      await server.close();
      journal.close();
    },
  };
}

function createContext(options: DiscordOptions, journal: ReturnType<typeof openJournal>): Context {
  const { botName = "castellan", people, guilds, clock, log, token, grantedIntents = 0 } = options;
  const state: State = {
    ...journal,
    nextId: seedWorld(journal, { botName, people, guilds }, clock),
    clock,
    log,
    token,
    origin: "",
    grantedIntents,
    happened: createListeners(),
  };
  const { heartbeat = 41_250, shards = 1, acknowledgeWithin = 3000, tokenLife = 15 * 60_000 } = options;
  return Object.assign(state, {
    gateway: createGateway(state, { heartbeat, shards }),
    interactions: createInteractions(state, { acknowledgeWithin, tokenLife }),
    grants: createGrants(clock, options.clientSecret),
    rateLimits: createRateLimits(clock, options.roomLimit),
    violations: [],
  });
}

/** The only server, for REST API, gateway, attachments and page. It refuses requests of other origins. */
function createServer(context: Context, rules: OriginRules): FastifyInstance {
  const server = Fastify({
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    return503OnClosing: false,
    frameworkErrors: (_error, _request, { raw }) => void raw.writeHead(400).end(),
  });
  server.addHook("onRequest", async (request, reply) => {
    const refusal = refusalOf(request.raw, rules);
    if (!refusal && isReadable(request.raw)) return;
    // Handled directly, because the API's and page's hooks do not need it.
    reply.hijack();
    reply.raw.writeHead(refusal ? 403 : 400, { "content-type": "text/plain" }).end(refusal);
  });
  server.get<{ Params: { id: string } }>("/attachments/:id/:name", (request, reply) =>
    sendFile(context, request.params.id, reply),
  );
  server.server.on("upgrade", (request, socket, head) => {
    // Node does not handle this error: without a listener, an aborted request would end the process.
    socket.on("error", () => socket.destroy());
    if (refusalOf(request, rules) || !isReadable(request)) socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
    else context.gateway.accept(request, socket, head);
  });
  return server;
}

/** A request's target may not be a valid path ("//"). Refused here, so that no other code has to check. */
function isReadable({ url }: IncomingMessage): boolean {
  return URL.canParse(url ?? "/", "http://sandbox");
}
