import { PGlite, type PGliteOptions } from "@electric-sql/pglite";

/** The major version of the embedded Postgres: no other can read its files. */
export const engineVersion = "18";

/** Small buffers: the operating system caches the files anyway, and all of the engine's memory is ours. */
const settings = [
  "shared_buffers=4MB",
  "wal_buffers=256kB",
  "max_connections=5",
  "search_path=bullmq,public",
];

export const engineOptions = {
  startParams: [...PGlite.defaultStartParams, ...settings.flatMap((setting) => ["-c", setting])],
} satisfies PGliteOptions;
