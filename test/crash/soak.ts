/** `npm run soak -- --kills 30 --together 10 --seed 1`: the full figures of the crash test, with a table of them. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { besiege, killing } from "./siege.ts";
import type { Mode } from "./site.ts";

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "30" },
    together: { type: "string", default: "10" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
});
const seed = Number(values.seed);
const sieges: [mode: Mode, title: string, kills: number][] = [
  ["bot", "the bot alone", Number(values.kills)],
  ["together", "everything together", Number(values.together)],
];
const write = (line: string) => void process.stdout.write(`${line}\n`);
let passed = 0;
let failed = 0;
for (const [mode, title, kills] of sieges) {
  if (kills === 0) continue;
  const directory = await mkdtemp(join(tmpdir(), "castellan-soak-"));
  write(`\n${title}: ${kills} kills, seed ${seed}`);
  const verdicts = await besiege({ mode, disturb: killing(kills, seed + 1), seed, directory, tell: write });
  for (const { title: what, looked, faults } of verdicts) {
    write(`  ${faults.length === 0 ? "passed" : "FAILED"}  ${String(looked).padStart(6)}  ${what}`);
    for (const fault of faults.slice(0, 10)) write(`            ${fault}`);
  }
  const bad = verdicts.filter(({ faults }) => faults.length > 0).length;
  failed += bad;
  passed += verdicts.length - bad;
  if (bad === 0) await rm(directory, { recursive: true });
  else write(`  its data stays in ${directory}`);
}
write(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
