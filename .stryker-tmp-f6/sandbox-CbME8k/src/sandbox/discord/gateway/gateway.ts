// @ts-nocheck
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import type { Context } from "../context.ts";
import { intent, opcode } from "../numbers.ts";
import { attendClient } from "./attend-client.ts";
import type { Connection } from "./connection.ts";
import { holdsGuild, sendDispatch, type Session } from "./session.ts";

/** Events that go only to clients which asked for them. */
const neededIntents: Readonly<Record<string, number>> = {
  CHANNEL_CREATE: intent.guilds,
  CHANNEL_UPDATE: intent.guilds,
  CHANNEL_DELETE: intent.guilds,
  GUILD_UPDATE: intent.guilds,
};

export interface Gateway {
  sessions: Map<string, Session>;
  connections: Set<Connection>;
  accept: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /** Sends an event of a guild to the shard that holds it; of no guild, to the first shard. */
  dispatch: (guildId: string | null, event: string, payload: unknown) => void;
  /** The same for messages: their payload depends on the intents of who gets it. */
  dispatchMessage: (guildId: string | null, event: string, payload: (intents: number) => unknown) => void;
  online: () => boolean;
  /** Cuts every socket without a word. */
  drop: () => void;
  /** Asks every client to reconnect (op 7). */
  askReconnect: () => void;
  /** Tells every client that its session is invalid (op 9). */
  invalidate: (resumable: boolean) => void;
  close: () => void;
}

export interface GatewaySettings {
  /** Milliseconds between heartbeats. */
  heartbeat: number;
}

/** `context` is asked for late, because it holds the gateway. */
export function createGateway(context: () => Context, settings: GatewaySettings): Gateway {
  const server = new WebSocketServer({ noServer: true });
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
      for (const session of gateway.sessions.values()) {
        if (holdsGuild(session, guildId) && (session.intents & needed) === needed)
          sendDispatch(session, event, payload);
      }
    },
    dispatchMessage(guildId, event, payload) {
      const needed = guildId === null ? intent.directMessages : intent.guildMessages;
      for (const session of gateway.sessions.values()) {
        if (!holdsGuild(session, guildId) || (session.intents & needed) === 0) continue;
        sendDispatch(session, event, payload(session.intents));
      }
    },
    online: () => [...gateway.sessions.values()].some((session) => session.connection !== null),
    drop() {
      for (const connection of gateway.connections) connection.terminate();
    },
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
