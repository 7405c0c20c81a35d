import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { Clock } from "../../clock.ts";
import { boundTo, isLoopback, nearOriginOf, originOf } from "../../listening.ts";
import type { Log } from "../../log.ts";
import { createUserActions, type UserActions } from "./actions/user-actions.ts";
import type { Context } from "./context.ts";
import { createGateway } from "./gateway/gateway.ts";
import { refusalOf, type OriginRules } from "./guard-origin.ts";
import { createInteractions } from "./interactions/interactions.ts";
import { createListeners } from "./listeners.ts";
import { answerRequest, isApiPath } from "./rest/answer-request.ts";
import { createFaults } from "./rest/faults.ts";
import { createRateLimits } from "./rest/rate-limits.ts";
import { attachmentPrefix, serveAttachment } from "./serve-attachment.ts";
import { openJournal } from "./world/journal.ts";
import { changeGuild, type GuildChanges } from "./world/change-guild.ts";
import { changeRoom, type RoomChanges } from "./world/change-room.ts";
import { settleWorld, type WorldPlan } from "./world/settle-world.ts";

export interface DiscordOptions extends Omit<WorldPlan, "botName"> {
  /** Append-only file that keeps guilds, messages and commands; the caller gives each server its own. */
  file: string;
  /** Other machines are let in only where it is no loopback address. */
  host: string;
  /** 0 takes a free one. */
  port: number;
  /** The bot's token. */
  token: string;
  clock: Clock;
  log: Log;
  botName?: string;
  /** Names besides loopback under which the server may be called. */
  allowedHosts?: readonly string[];
  /** Privileged intents that the application was granted; none unless said. */
  grantedIntents?: number;
  /** Milliseconds between heartbeats. */
  heartbeat?: number;
  /** How many shards clients are told to make; one unless said. */
  shards?: number;
  /** Milliseconds until an interaction has failed; Discord gives 3000. */
  acknowledgeWithin?: number;
  /** Milliseconds that an interaction's token lives; Discord gives 15 minutes. */
  tokenLife?: number;
  /** Answers what is not Discord's: the page. */
  page?: (discord: Discord) => RequestListener;
}

export interface Discord extends GuildChanges, RoomChanges {
  /** http://host:port as this machine reaches it */
  origin: string;
  /** http://host:port as it is bound */
  bound: string;
  /** For `rest.api` of discord.js. */
  api: string;
  applicationId: string;
  context: Context;
  people: UserActions;
  /** From now on only this token is right. */
  rotateToken: (token: string) => void;
  stop: () => Promise<void>;
}

/** Starts a strict local Discord: REST v10, gateway v10, and people who act in it. */
export async function startDiscord(options: DiscordOptions): Promise<Discord> {
  const { clock, log, botName = "castellan", page } = options;
  const journal = openJournal(options.file);
  const nextId = settleWorld(journal, { botName, people: options.people, guilds: options.guilds }, clock);
  let { token } = options;
  let origin = "";
  const context: Context = {
    world: journal.world,
    record: journal.record,
    nextId,
    clock,
    log,
    token: () => token,
    origin: () => origin,
    grantedIntents: options.grantedIntents ?? 0,
    gateway: createGateway(() => context, {
      heartbeat: options.heartbeat ?? 41_250,
      shards: options.shards ?? 1,
    }),
    interactions: createInteractions(() => context, {
      acknowledgeWithin: options.acknowledgeWithin ?? 3000,
      tokenLife: options.tokenLife ?? 15 * 60_000,
    }),
    rateLimits: createRateLimits(clock),
    faults: createFaults(),
    violations: [],
    happened: createListeners(),
    exchanged: createListeners(),
  };
  const server = createServer();
  await listen(server, options.port, options.host);
  const place = boundTo(server);
  origin = nearOriginOf(place);
  const discord: Discord = {
    origin,
    bound: originOf(place),
    api: `${origin}/api`,
    applicationId: journal.world.applicationId,
    context,
    people: createUserActions(context),
    ...changeGuild(context),
    ...changeRoom(context),
    rotateToken(next) {
      token = next;
    },
    async stop() {
      context.interactions.close();
      context.gateway.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      journal.close();
    },
  };
  const rules = { openToOthers: !isLoopback(options.host), hosts: options.allowedHosts ?? [] };
  attend(server, context, rules, page?.(discord));
  return discord;
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

function attend(
  server: Server,
  context: Context,
  rules: OriginRules,
  page: RequestListener | undefined,
): void {
  server.on("request", (request, response) => {
    const refusal = refusalOf(request, rules);
    if (refusal) return void response.writeHead(403, { "content-type": "text/plain" }).end(refusal);
    if (!isReadable(request)) return void response.writeHead(400).end();
    const path = request.url ?? "/";
    if (path.startsWith(attachmentPrefix)) return serveAttachment(context, request, response);
    if (!isApiPath(path)) return page ? page(request, response) : void response.writeHead(404).end();
    answerRequest(context, request, response).catch((error: unknown) => {
      context.log.error({ error, path }, "the local Discord failed");
      response
        .writeHead(500, { "content-type": "application/json" })
        .end('{"message":"500: Internal","code":0}');
    });
  });
  server.on("upgrade", (request, socket, head) => {
    if (refusalOf(request, rules) || !isReadable(request)) socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
    else context.gateway.accept(request, socket, head);
  });
}

/** A target may be no address at all ("//"), which nobody behind here has to reckon with. */
function isReadable({ url }: IncomingMessage): boolean {
  return URL.canParse(url ?? "/", "http://sandbox");
}
