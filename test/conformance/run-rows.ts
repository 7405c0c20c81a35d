import { startVitest } from "vitest/node";
import { collectRows, type Row } from "./report.ts";

/** Runs test files of test/interface (all where none are named), from this folder of the project. */
export async function runRows(root: string, files: readonly string[] = []): Promise<Row[]> {
  const rows: Row[] = [];
  const named = files.map((file) => `test/interface/${file}.test.ts`);
  const vitest = await startVitest("test", named.length > 0 ? named : ["test/interface"], {
    root,
    watch: false,
    reporters: [collectRows(rows)],
  });
  await vitest.close();
  // The exit code is ours to give.
  process.exitCode = 0;
  return rows;
}
