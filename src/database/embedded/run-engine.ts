/** The thread in which the embedded Postgres runs, so that no statement blocks the process's event loop. */
import { parentPort, workerData } from "node:worker_threads";
import { PGlite } from "@electric-sql/pglite";
import { engineOptions } from "./pglite.ts";
import { executeRequest } from "./wire.ts";

/** The bytes of one request, or null to close. */
export type ThreadRequest = Uint8Array | null;
/** The bytes of the answer, or null: ready at first, closed at last. */
export type ThreadAnswer = Uint8Array | null;

const port = parentPort;
if (!port) throw new Error("run-engine must be started as a worker thread");
const instance = await PGlite.create(String(workerData), engineOptions);

port.on("message", (request: ThreadRequest) => {
  if (request === null) {
    void instance.close().then(() => port.postMessage(null satisfies ThreadAnswer));
    return;
  }
  void executeRequest(instance, request).then((answer) => {
    // It is our own copy, which can be handed over.
    port.postMessage(answer satisfies ThreadAnswer, [answer.buffer as ArrayBuffer]);
  });
});
port.postMessage(null satisfies ThreadAnswer);
