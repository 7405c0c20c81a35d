/** The thread that runs the embedded Postgres, so that statements do not block the process's event loop. */
import { parentPort } from "node:worker_threads";
import type { PGlite } from "@electric-sql/pglite";
import { makeFiles, type Place } from "./empty-files.ts";
import { executeRequest, openPglite } from "./pglite.ts";

/** First the files to open; then the bytes of each request, or null to close. */
export type ThreadRequest = Place | Uint8Array | null;
/** The bytes of a response; null when ready, and when closed. */
export type ThreadAnswer = Uint8Array | null;

const port = parentPort;
if (!port) throw new Error("run-engine must be started as a worker thread");

let instance: PGlite | undefined;

async function open(place: Place): Promise<void> {
  await makeFiles(place);
  instance = await openPglite({ dataDir: place.files });
  answer(null);
}

async function close(): Promise<void> {
  await instance?.close();
  answer(null);
}

async function execute(request: Uint8Array): Promise<void> {
  if (!instance) throw new Error("no files were opened");
  const bytes = await executeRequest(instance, request);
  // Our own copy, so it can be transferred.
  answer(bytes, [bytes.buffer as ArrayBuffer]);
}

function answer(message: ThreadAnswer, handedOver: ArrayBuffer[] = []): void {
  port?.postMessage(message, handedOver);
}

port.on("message", (request: ThreadRequest) => {
  if (request === null) void close();
  else void (request instanceof Uint8Array ? execute(request) : open(request));
});
