// @ts-nocheck
import { randomBytes } from "node:crypto";
import { opcode } from "../numbers.ts";
import type { Connection } from "./connection.ts";

/** Dispatches that a dropped client can still ask for. */
const replayLength = 1000;

interface Dispatch {
  op: number;
  t: string;
  s: number;
  d: unknown;
}

/** One identified client; it survives its socket, so that a RESUME replays what was missed. */
export interface Session {
  id: string;
  intents: number;
  shard: readonly [number, number];
  sequence: number;
  replay: Dispatch[];
  connection: Connection | null;
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
  const dispatch = { op: opcode.dispatch, t, s: session.sequence, d };
  session.replay.push(dispatch);
  if (session.replay.length > replayLength) session.replay.shift();
  session.connection?.send(dispatch);
}

/** Whether all that was sent after `sequence` is still there. */
export function canReplay(session: Session, sequence: number): boolean {
  const first = session.replay[0]?.s ?? session.sequence + 1;
  return sequence >= first - 1;
}

export function replayAfter(session: Session, sequence: number): void {
  for (const dispatch of session.replay) if (dispatch.s > sequence) session.connection?.send(dispatch);
}

/** Discord's rule for which shard gets a guild. */
export function holdsGuild({ shard: [index, count] }: Session, guildId: string | null): boolean {
  return guildId === null ? index === 0 : Number((BigInt(guildId) >> 22n) % BigInt(count)) === index;
}

/** Drops the sessions of a shard whose client went away and came back with a new one. */
export function forgetSessions(sessions: Map<string, Session>, shard: number): void {
  for (const session of sessions.values()) {
    if (session.connection === null && session.shard[0] === shard) sessions.delete(session.id);
  }
}
