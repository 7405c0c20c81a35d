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
