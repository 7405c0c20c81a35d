/**
 * `npm run soak:models -- --runs 10000 --seed 1`: random sequences against the models of interface.md's states, in order
 * on the embedded engine; with TEST_DATABASE_URL on that server instead, of eight callers at once.
 */
import { parseArgs } from "node:util";
import { prepareTemplate } from "../support/database-template.ts";
import { hasServer } from "../support/services.ts";
import { findBrokenInvariants } from "../support/sample-network.ts";
import { createTestNetwork } from "../support/world.ts";
import { modelRuns } from "./subjects.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: hasServer ? "1000" : "10000" },
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
for (const { title, inOrder, atOnce } of modelRuns) {
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
write(`${(modelRuns.length - failed) * each} sequences without a counterexample, ${failed} models with one`);
process.exit(failed === 0 ? 0 : 1);
