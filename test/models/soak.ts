/**
 * `npm run soak:models -- --runs 10000 --histories 1000 --seed 1`: random sequences against the models of interface.md's
 * states, in order on the embedded engine; with TEST_DATABASE_URL on that server instead, of eight callers at once. Then
 * histories of channels (histories.ts), and interleavings of what we and others do (own-actions.ts; `--interleavings 400`).
 */
import { parseArgs } from "node:util";
import { prepareTemplate } from "../support/database-template.ts";
import { hasServer } from "../support/services.ts";
import { findBrokenInvariants } from "../support/sample-network.ts";
import { createTestNetwork } from "../support/world.ts";
import { aspects, interleaveAll } from "./own-actions.ts";
import { liveAll } from "./run-histories.ts";
import { modelRuns } from "./subjects.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: hasServer ? "1000" : "10000" },
    histories: { type: "string", default: "1000" },
    interleavings: { type: "string", default: "400" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
});
const seed = Number(values.seed);
const each = Math.ceil(Number(values.runs) / modelRuns.length);
const write = (line: string) => void process.stdout.write(`${line}\n`);

await prepareTemplate();
write(
  `${hasServer ? "PostgreSQL, eight callers at once" : "PGlite, one call after the other"}; seed ${seed}`,
);
let failed = 0;
const runs = each > 0 ? modelRuns : [];
for (const { title, inOrder, atOnce } of runs) {
  const network = await createTestNetwork();
  await network.seed.bot(9001);
  const start = Date.now();
  try {
    const run = await (hasServer ? atOnce : inOrder)({ network, runs: each, seed });
    const broken = await findBrokenInvariants(network.context.database.query);
    if (broken.length > 0) throw new Error(`in the database afterwards: ${JSON.stringify(broken)}`);
    write(`  passed  ${run} sequences of ${title} (${Math.round((Date.now() - start) / 1000)} s)`);
  } catch (error) {
    failed += 1;
    write(`  FAILED  ${title}\n${error instanceof Error ? error.message : String(error)}`);
  }
  await network.context.database.close();
}
write(`${(runs.length - failed) * each} sequences without a counterexample, ${failed} models with one`);
const wanted = Number(values.histories);
// Each hundred has a database of its own: the rows of those before are of no use to the next.
const lived = { histories: 0, steps: 0 };
for (let from = 0; from < wanted; from += 100) {
  const start = Date.now();
  try {
    const { histories, steps } = await liveAll(Math.min(100, wanted - from), seed + from);
    lived.histories += histories;
    lived.steps += steps;
    write(
      `  passed  ${histories} histories of ${steps} steps (${Math.round((Date.now() - start) / 1000)} s)`,
    );
  } catch (error) {
    failed += 1;
    const cause = error instanceof Error ? error.cause : undefined;
    write(`  FAILED  histories of seed ${seed + from}\n${String(error)}\n${String(cause)}`);
  }
}
write(`${lived.histories} histories of ${lived.steps} steps without a contradiction`);
const ofEach = Math.ceil(Number(values.interleavings) / aspects.length);
let interleaved = 0;
for (const aspect of aspects) {
  for (let from = 0; from < ofEach; from += 100) {
    const start = Date.now();
    try {
      const made = await interleaveAll(aspect, Math.min(100, ofEach - from), seed + from);
      interleaved += made;
      write(`  passed  ${made} interleavings of ${aspect} (${Math.round((Date.now() - start) / 1000)} s)`);
    } catch (error) {
      failed += 1;
      const cause = error instanceof Error ? error.cause : undefined;
      write(`  FAILED  ${aspect} of seed ${seed + from}\n${String(error)}\n${String(cause)}`);
    }
  }
}
write(`${interleaved} interleavings without a contradiction`);
process.exit(failed === 0 ? 0 : 1);
