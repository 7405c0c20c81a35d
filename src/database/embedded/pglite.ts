import { PGlite, type PGliteOptions } from "@electric-sql/pglite";

/** The major version of the embedded Postgres: no other can read its files. */
export const engineVersion = "18";

/** Small buffers: the operating system caches the files anyway, and all of the engine's memory is ours. */
const settings = [
  "shared_buffers=4MB",
  "wal_buffers=256kB",
  "max_connections=5",
  "search_path=bullmq,public",
  "plan_cache_mode=force_custom_plan",
];

export const engineOptions = {
  startParams: [...PGlite.defaultStartParams, ...settings.flatMap((setting) => ["-c", setting])],
} satisfies PGliteOptions;

/**
 * One round of the wire protocol, done when it returns. By way of a stream, for otherwise PGlite reads every answer for
 * itself as well, and keeps what it read for ever.
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
