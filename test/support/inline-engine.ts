import { PGlite, type PGliteOptions } from "@electric-sql/pglite";
import { engineOptions, executeRequest } from "../../src/database/embedded/pglite.ts";
import type { Engine } from "../../src/database/embedded/session.ts";

/** The embedded engine in the test's own thread, whose statements block everything else there. */
export async function openInlineEngine(options: PGliteOptions): Promise<Engine> {
  const instance = await PGlite.create({ ...engineOptions, ...options });
  return {
    execute: (request) => executeRequest(instance, request),
    close: () => instance.close(),
  };
}
