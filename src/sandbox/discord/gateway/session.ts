import { randomBytes } from "node:crypto";
import { constants, createDeflate } from "node:zlib";
import { GatewayOpcodes } from "discord-api-types/v10";
import { WebSocket } from "ws";

/** Number of past dispatches that a reconnecting client can still receive. */
const replayLength = 1000;

interface Dispatch {
  op: number;
  t: string;
  s: number;
  d: unknown;
}

/** One identified client. It survives its socket, so that a RESUME replays missed events. */
export interface Session {
  id: string;
  intents: number;
  shard: readonly [number, number];
  sequence: number;
  replay: Dispatch[];
  connection: Connection | null;
}

/** Shared by all sockets of the gateway. */
export interface Sessions {
  sessions: Map<string, Session>;
  connections: Set<Connection>;
  /** The present answer to IDENTIFY and RESUME: a close code or silence; null for normal operation. */
  identifyRefusal: number | "silence" | null;
  /** Guilds with an outage: clients know of them, but receive none of their events. */
  outages: Set<string>;
  online: () => boolean;
}

export function createSession(
  intents: number,
  shard: readonly [number, number],
  connection: Connection,
): Session {
  return { id: randomBytes(16).toString("hex"), intents, shard, sequence: 0, replay: [], connection };
}

export function sendDispatch(session: Session, t: string, d: unknown): void {
  session.sequence += 1;
  const dispatch = { op: GatewayOpcodes.Dispatch, t, s: session.sequence, d };
  session.replay.push(dispatch);
  if (session.replay.length > replayLength) session.replay.shift();
  session.connection?.send(dispatch);
}

/** Whether all dispatches after `sequence` are still stored. */
export function canReplay(session: Session, sequence: number): boolean {
  const first = session.replay[0]?.s ?? session.sequence + 1;
  return sequence >= first - 1;
}

export function replayAfter(session: Session, sequence: number): void {
  for (const dispatch of session.replay) if (dispatch.s > sequence) session.connection?.send(dispatch);
}

/** Discord's formula for a guild's shard. */
export function holdsGuild({ shard: [index, count] }: Session, guildId: string | null): boolean {
  return guildId === null ? index === 0 : Number((BigInt(guildId) >> 22n) % BigInt(count)) === index;
}

/** Drops a shard's old sessions when its client returns with a new one. */
export function forgetSessions(sessions: Map<string, Session>, shard: number): void {
  for (const session of sessions.values()) {
    if (session.connection === null && session.shard[0] === shard) sessions.delete(session.id);
  }
}

/** A client's socket, with or without compression. */
export interface Connection {
  send: (payload: unknown) => void;
  close: (code: number, reason: string) => void;
  terminate: () => void;
}

export function createConnection(socket: WebSocket, compress: boolean): Connection {
  return {
    send: compress ? compressedSend(socket) : (payload) => sendIfOpen(socket, JSON.stringify(payload)),
    close: (code, reason) => socket.close(code, reason),
    terminate: () => socket.terminate(),
  };
}

function sendIfOpen(socket: WebSocket, data: string | Buffer): void {
  if (socket.readyState === WebSocket.OPEN) socket.send(data);
}

/** `zlib-stream`: one deflate stream per socket, flushed after each payload. */
function compressedSend(socket: WebSocket): Connection["send"] {
  const deflate = createDeflate();
  let chunks: Buffer[] = [];
  deflate.on("data", (chunk: Buffer) => chunks.push(chunk));
  deflate.on("error", () => socket.terminate());
  socket.on("close", () => deflate.close());
  return (payload) => {
    deflate.write(JSON.stringify(payload));
    deflate.flush(constants.Z_SYNC_FLUSH, () => {
      sendIfOpen(socket, Buffer.concat(chunks));
      chunks = [];
    });
  };
}
