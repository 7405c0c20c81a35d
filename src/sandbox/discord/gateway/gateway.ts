import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { GatewayIntentBits } from "discord-api-types/v10";
import { WebSocketServer } from "ws";
import type { State } from "../state.ts";
import { botIsIn } from "../world/permissions.ts";
import { serveClient } from "./serve-client.ts";
import { holdsGuild, sendDispatch, type Sessions } from "./session.ts";

/** Events that are sent only to clients that requested their intent. */
const neededIntents: Readonly<Record<string, number>> = {
  CHANNEL_CREATE: GatewayIntentBits.Guilds,
  CHANNEL_UPDATE: GatewayIntentBits.Guilds,
  CHANNEL_DELETE: GatewayIntentBits.Guilds,
  GUILD_CREATE: GatewayIntentBits.Guilds,
  GUILD_DELETE: GatewayIntentBits.Guilds,
  GUILD_UPDATE: GatewayIntentBits.Guilds,
  GUILD_ROLE_CREATE: GatewayIntentBits.Guilds,
  GUILD_ROLE_UPDATE: GatewayIntentBits.Guilds,
  GUILD_ROLE_DELETE: GatewayIntentBits.Guilds,
  THREAD_CREATE: GatewayIntentBits.Guilds,
  THREAD_UPDATE: GatewayIntentBits.Guilds,
  THREAD_DELETE: GatewayIntentBits.Guilds,
  THREAD_LIST_SYNC: GatewayIntentBits.Guilds,
};

export interface Gateway extends Sessions {
  accept: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /** Sends a guild's event to its shard; an event without a guild goes to the first shard. */
  dispatch: (guildId: string | null, event: string, payload: object | ((intents: number) => object)) => void;
  /** The same for messages. Their payload depends on the recipient's intents. */
  dispatchMessage: (guildId: string | null, event: string, payload: (intents: number) => unknown) => void;
  shards: number;
  /** The identify limit that clients receive: remaining identifies, and milliseconds until the count resets. */
  sessionStarts: { remaining: number; resetAfter: number };
  close: () => void;
}

export interface GatewaySettings {
  /** Milliseconds between heartbeats. */
  heartbeat: number;
  /** The number of shards that clients are told to start. */
  shards: number;
}

export function createGateway(state: State, settings: GatewaySettings): Gateway {
  const server = new WebSocketServer({ noServer: true });
  const canHear = (guildId: string | null) =>
    guildId === null || (!gateway.outages.has(guildId) && botIsIn(state.world, guildId));
  const gateway: Gateway = {
    sessions: new Map(),
    connections: new Set(),
    accept(request, socket, head) {
      server.handleUpgrade(request, socket, head, (client) =>
        serveClient(state, gateway, settings.heartbeat, client, request),
      );
    },
    dispatch(guildId, event, payload) {
      const needed = neededIntents[event] ?? 0;
      // Users' reactions to the bot's own messages reach it, wherever those messages are.
      if (event !== "INTERACTION_CREATE" && !canHear(guildId)) return;
      for (const session of gateway.sessions.values()) {
        if (holdsGuild(session, guildId) && (session.intents & needed) === needed)
          sendDispatch(session, event, typeof payload === "function" ? payload(session.intents) : payload);
      }
    },
    dispatchMessage(guildId, event, payload) {
      const needed = guildId === null ? GatewayIntentBits.DirectMessages : GatewayIntentBits.GuildMessages;
      if (!canHear(guildId)) return;
      for (const session of gateway.sessions.values()) {
        if (!holdsGuild(session, guildId) || (session.intents & needed) === 0) continue;
        sendDispatch(session, event, payload(session.intents));
      }
    },
    online: () => [...gateway.sessions.values()].some((session) => session.connection !== null),
    identifyRefusal: null,
    shards: settings.shards,
    outages: new Set(),
    sessionStarts: { remaining: 1000, resetAfter: 86_400_000 },
    close() {
      for (const connection of gateway.connections) connection.terminate();
      server.close();
    },
  };
  return gateway;
}
