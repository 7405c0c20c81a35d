// @ts-nocheck
import pino, { type Logger } from "pino";

export type Log = Logger;

/** Writes JSON lines to standard error, so that standard output carries only what a person asked for. */
export function createLog(level: string): Log {
  return pino({ level, redact: ["token", "appKey", "*.token", "*.appKey"] }, pino.destination(2));
}

export const silentLog: Log = pino({ level: "silent" });
