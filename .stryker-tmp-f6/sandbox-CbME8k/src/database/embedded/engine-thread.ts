/** The thread in which the embedded Postgres runs, so that no statement blocks the process's event loop. */
// @ts-nocheck

import { parentPort, workerData } from "node:worker_threads";
import { PGlite } from "@electric-sql/pglite";
import { engineOptions } from "./engine-options.ts";

/** The bytes of one request, or null to close. */
export type ThreadRequest = Uint8Array | null;
/** The bytes of the answer, or null: ready at first, closed at last. */
export type ThreadAnswer = Uint8Array | null;

const port = parentPort;
if (!port) throw new Error("engine-thread must be started as a worker thread");
const instance = await PGlite.create(String(workerData), engineOptions);

port.on("message", (request: ThreadRequest) => {
  if (request === null) {
    void instance.close().then(() => port.postMessage(null satisfies ThreadAnswer));
    return;
  }
  const answer = instance.execProtocolRawSync(request);
  // PGlite answers with a copy of its own, which can be handed over; it types the buffer too widely.
  port.postMessage(answer satisfies ThreadAnswer, [answer.buffer as ArrayBuffer]);
});
port.postMessage(null satisfies ThreadAnswer);
