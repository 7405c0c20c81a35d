import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import type { Context } from "../context.ts";
import { intent, opcode } from "../numbers.ts";
import { botIsIn } from "../world/permissions.ts";
import { attendClient } from "./attend-client.ts";
import type { Connection } from "./connection.ts";
import { holdsGuild, sendDispatch, type Session } from "./session.ts";

/** Events that go only to clients which asked for them. */
const neededIntents: Readonly<Record<string, number>> = {
  CHANNEL_CREATE: intent.guilds,
  CHANNEL_UPDATE: intent.guilds,
  CHANNEL_DELETE: intent.guilds,
  GUILD_CREATE: intent.guilds,
  GUILD_DELETE: intent.guilds,
  GUILD_UPDATE: intent.guilds,
  GUILD_ROLE_CREATE: intent.guilds,
  GUILD_ROLE_DELETE: intent.guilds,
  THREAD_CREATE: intent.guilds,
  THREAD_UPDATE: intent.guilds,
  THREAD_DELETE: intent.guilds,
};

/** After these a session can be taken up again. */
const resumableCodes: ReadonlySet<number> = new Set([4000, 4001, 4002, 4005, 4008]);

export interface Gateway {
  sessions: Map<string, Session>;
  connections: Set<Connection>;
  accept: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /** Sends an event of a guild to the shard that holds it; of no guild, to the first shard. */
  dispatch: (guildId: string | null, event: string, payload: object | ((intents: number) => object)) => void;
  /** The same for messages: their payload depends on the intents of who gets it. */
  dispatchMessage: (guildId: string | null, event: string, payload: (intents: number) => unknown) => void;
  online: () => boolean;
  /** Guilds that have an outage: clients know of them, and hear nothing of them. */
  outages: Set<string>;
  /** Cuts every socket without a word. */
  drop: () => void;
  /** Closes every socket with a code; where the code ends sessions for good, they are gone too. */
  closeAll: (code: number, reason?: string) => void;
  /** From now on IDENTIFY and RESUME are answered with this close code, or with silence; gives back how to lift it. */
  refuseIdentify: (how: number | "silence") => () => void;
  /** How IDENTIFY and RESUME are answered now; null as usual. */
  identifyRefusal: number | "silence" | null;
  shards: number;
  /** What clients are told: how often they may still identify, and in how many milliseconds 1,000 times again. */
  sessionStarts: { remaining: number; resetAfter: number };
  /** Asks every client to reconnect (op 7). */
  askReconnect: () => void;
  /** Tells every client that its session is invalid (op 9). */
  invalidate: (resumable: boolean) => void;
  close: () => void;
}

export interface GatewaySettings {
  /** Milliseconds between heartbeats. */
  heartbeat: number;
  /** How many shards clients are told to make. */
  shards: number;
}

/** `context` is asked for late, because it holds the gateway. */
export function createGateway(context: () => Context, settings: GatewaySettings): Gateway {
  const server = new WebSocketServer({ noServer: true });
  const canHear = (guildId: string | null) =>
    guildId === null || (!gateway.outages.has(guildId) && botIsIn(context().world, guildId));
  const gateway: Gateway = {
    sessions: new Map(),
    connections: new Set(),
    accept(request, socket, head) {
      server.handleUpgrade(request, socket, head, (client) =>
        attendClient(context(), settings, client, request),
      );
    },
    dispatch(guildId, event, payload) {
      const needed = neededIntents[event] ?? 0;
      // What a person does to the bot's own messages reaches it wherever they are.
      if (event !== "INTERACTION_CREATE" && !canHear(guildId)) return;
      for (const session of gateway.sessions.values()) {
        if (holdsGuild(session, guildId) && (session.intents & needed) === needed)
          sendDispatch(session, event, typeof payload === "function" ? payload(session.intents) : payload);
      }
    },
    dispatchMessage(guildId, event, payload) {
      const needed = guildId === null ? intent.directMessages : intent.guildMessages;
      if (!canHear(guildId)) return;
      for (const session of gateway.sessions.values()) {
        if (!holdsGuild(session, guildId) || (session.intents & needed) === 0) continue;
        sendDispatch(session, event, payload(session.intents));
      }
    },
    online: () => [...gateway.sessions.values()].some((session) => session.connection !== null),
    drop() {
      for (const connection of gateway.connections) connection.terminate();
    },
    closeAll(code, reason = "") {
      if (!resumableCodes.has(code)) gateway.sessions.clear();
      for (const connection of gateway.connections) connection.close(code, reason);
    },
    refuseIdentify(how) {
      gateway.identifyRefusal = how;
      return () => void (gateway.identifyRefusal = null);
    },
    identifyRefusal: null,
    shards: settings.shards,
    outages: new Set(),
    sessionStarts: { remaining: 1000, resetAfter: 86_400_000 },
    askReconnect() {
      for (const connection of gateway.connections) connection.send({ op: opcode.reconnect, d: null });
    },
    invalidate(resumable) {
      for (const connection of gateway.connections)
        connection.send({ op: opcode.invalidSession, d: resumable });
      if (!resumable) gateway.sessions.clear();
    },
    close() {
      gateway.drop();
      server.close();
    },
  };
  return gateway;
}
