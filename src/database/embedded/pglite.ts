import { PGlite, type PGliteOptions } from "@electric-sql/pglite";

/**
 * Pages that are not in the buffers are read through the engine's file system, which takes as long as a short statement: four
 * times as many buffers give reads that go everywhere a quarter more. All of the engine's memory is ours.
 */
const settings = [
  "shared_buffers=16MB",
  "wal_buffers=256kB",
  "max_connections=5",
  "search_path=bullmq,public",
];

const startParams = [...PGlite.defaultStartParams, ...settings.flatMap((setting) => ["-c", setting])];

/** Reads no types when it opens: whoever speaks the protocol with it knows them. */
class Engine extends PGlite {
  override async _initArrayTypes(): Promise<void> {}
}

/** Opens the files of a database, or makes them; in memory without `dataDir`. */
export async function openPglite(options: PGliteOptions): Promise<PGlite> {
  const engine = new Engine({ startParams, ...options });
  await engine.waitReady;
  return engine;
}

/**
 * One round of the wire protocol, done when it returns. It uses a stream because otherwise PGlite reads every answer
 * for itself as well, and never frees what it read.
 */
export async function executeRequest(instance: PGlite, request: Uint8Array): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  await instance.execProtocolRawStream(request, {
    syncToFs: false,
    onRawData(bytes) {
      // A view of the engine's memory, which the next part overwrites.
      parts.push(bytes.slice());
      length += bytes.length;
    },
  });
  const [only] = parts;
  if (only && parts.length === 1) return only;
  const answer = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    answer.set(part, at);
    at += part.length;
  }
  return answer;
}
