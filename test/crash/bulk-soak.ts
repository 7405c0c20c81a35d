/**
 * `npm run soak:bulk -- --targets 500 --kills 10`: bulks whose process is killed again and again; on the embedded engine, or by
 * `.ci/services.sh` on PostgreSQL and Redis.
 */
import { parseArgs } from "node:util";
import { prepareTemplate } from "../support/database-template.ts";
import { hasServer } from "../support/services.ts";
import { killBulk, type BulkDeed } from "./kill-bulk.ts";

const { values } = parseArgs({
  options: {
    targets: { type: "string", default: "500" },
    kills: { type: "string", default: "10" },
  },
});
const [targets, kills] = [Number(values.targets), Number(values.kills)];
const deeds: readonly BulkDeed[] = ["hide", "ban"];
const write = (line: string) => void process.stdout.write(`${line}\n`);

await prepareTemplate();
let failed = 0;
for (const deed of deeds) {
  write(
    `\na bulk of ${targets} to ${deed}, ${kills} kills, on ${hasServer ? "PostgreSQL and Redis" : "PGlite"}`,
  );
  const verdicts = await killBulk({ deed, targets, kills, tell: (line) => write(`  ${line}`) });
  for (const { title, looked, faults } of verdicts) {
    write(`  ${faults.length === 0 ? "passed" : "FAILED"}  ${String(looked).padStart(6)}  ${title}`);
    for (const fault of faults.slice(0, 10)) write(`            ${fault}`);
    failed += faults.length === 0 ? 0 : 1;
  }
}
process.exit(failed === 0 ? 0 : 1);
