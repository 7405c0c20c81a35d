import { PGlite, type PGliteOptions } from "@electric-sql/pglite";

/**
 * Pages outside the buffers are read through the engine's file system, which takes as long as a short statement. Four
 * times as many buffers make scattered reads a quarter faster. The engine's memory is all ours.
 */
const settings = [
  "shared_buffers=16MB",
  "wal_buffers=256kB",
  "max_connections=5",
  "search_path=bullmq,public",
];

const startParams = [...PGlite.defaultStartParams, ...settings.flatMap((setting) => ["-c", setting])];

/** Reads no types on opening, because its protocol clients know them. */
class Engine extends PGlite {
  override async _initArrayTypes(): Promise<void> {}
}

/** Opens or creates a database's files; in memory without `dataDir`. */
export async function openPglite(options: PGliteOptions): Promise<PGlite> {
  const engine = new Engine({ startParams, ...options });
  await engine.waitReady;
  return engine;
}

/**
 * One round of the wire protocol, complete when it returns. It uses a stream, because otherwise PGlite also parses
 * every response itself and never frees the memory.
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
