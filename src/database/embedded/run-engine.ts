/** The thread in which the embedded Postgres runs, so that no statement blocks the process's event loop. */
import { readFile } from "node:fs/promises";
import { parentPort } from "node:worker_threads";
import type { PGlite, PGliteOptions } from "@electric-sql/pglite";
import { makeFiles, type Place } from "./empty-files.ts";
import { openPglite } from "./pglite.ts";
import { executeRequest } from "./wire.ts";

/** First the files to open; then the bytes of one request after the other, or null to close. */
export type ThreadRequest = Place | Uint8Array | null;
/** The bytes of the answer, or null: ready at first, closed at last. */
export type ThreadAnswer = Uint8Array | null;

/** Of which Node's types know no values. */
declare const WebAssembly: {
  compile(bytes: Uint8Array): Promise<NonNullable<PGliteOptions["pgliteWasmModule"]>>;
};

const port = parentPort;
if (!port) throw new Error("run-engine must be started as a worker thread");

const engine = new URL("pglite.wasm", import.meta.resolve("@electric-sql/pglite"));
const compiling = readFile(engine).then(async (bytes) => {
  const compiled = await WebAssembly.compile(bytes);
  discard(bytes);
  return compiled;
});
// Whoever opens files hears of it.
compiling.catch(() => {});
let instance: PGlite | undefined;

async function open(place: Place): Promise<void> {
  await makeFiles(place);
  instance = await openPglite({ dataDir: place.files, pgliteWasmModule: await compiling });
  answer(null);
}

/** Frees bytes at once that would stay until memory is next cleaned up, which may be never: sent to nobody, they are gone. */
function discard(bytes: Buffer): void {
  const { port1, port2 } = new MessageChannel();
  port2.close();
  port1.postMessage(null, [bytes.buffer as ArrayBuffer]);
}

async function close(): Promise<void> {
  await instance?.close();
  answer(null);
}

async function execute(request: Uint8Array): Promise<void> {
  if (!instance) throw new Error("no files were opened");
  const bytes = await executeRequest(instance, request);
  // It is our own copy, which can be handed over.
  answer(bytes, [bytes.buffer as ArrayBuffer]);
}

function answer(message: ThreadAnswer, handedOver: ArrayBuffer[] = []): void {
  port?.postMessage(message, handedOver);
}

port.on("message", (request: ThreadRequest) => {
  if (request === null) void close();
  else void (request instanceof Uint8Array ? execute(request) : open(request));
});
