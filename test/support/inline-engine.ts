import { PGlite, type PGliteOptions } from "@electric-sql/pglite";
import { engineOptions } from "./engine-options.ts";
import { executeRequest } from "./execute-request.ts";
import type { Engine } from "./session.ts";

/** Postgres in this thread: its statements block everything else, which suits tests and one-off tools only. */
export async function openInlineEngine(options: PGliteOptions): Promise<Engine> {
  const instance = await PGlite.create({ ...engineOptions, ...options });
  return {
    execute: (request) => executeRequest(instance, request),
    close: () => instance.close(),
  };
}
