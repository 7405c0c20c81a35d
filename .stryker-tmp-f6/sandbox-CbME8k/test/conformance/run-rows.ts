// @ts-nocheck
import { startVitest } from "vitest/node";
import type { ServerAddress } from "../support/interface-server.ts";
import { collectRows, type Row } from "./report.ts";

export interface WhichRows {
  /** Of test/interface; all where none are named. */
  files?: readonly string[];
  /** Against this server, file after file; else each file has an embedded network of its own. */
  server?: ServerAddress;
}

/** Runs the tests of the interface, from this folder of the project. */
export async function runRows(root: string, { files = [], server }: WhichRows = {}): Promise<Row[]> {
  const rows: Row[] = [];
  const named = files.map((file) => `test/interface/${file}.test.ts`);
  const vitest = await startVitest("test", named.length > 0 ? named : ["test/interface"], {
    root,
    watch: false,
    reporters: [collectRows(rows)],
    ...(server && { provide: { interfaceServer: server }, fileParallelism: false, testTimeout: 60_000 }),
  });
  await vitest.close();
  // The exit code is ours to give.
  process.exitCode = 0;
  return rows;
}
