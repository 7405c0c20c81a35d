// @ts-nocheck
import { Writable } from "node:stream";
import pino from "pino";
import type { Log } from "../../src/log.ts";

/** A log whose lines a test can read. */
export function collectLog(): { log: Log; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      // pino writes one JSON object a line.
      lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
      done();
    },
  });
  return { log: pino({ level: "trace" }, stream), lines };
}
