/** `npm run soak:clock -- --minutes 15`: a bot whose clock is wrong and is set while it runs, with a table of what came of it. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { runWithWrongClock } from "./clock-run.ts";

const { values } = parseArgs({
  options: { minutes: { type: "string", default: "2" }, only: { type: "string" } },
});
const write = (line: string) => void process.stdout.write(`${line}\n`);
const [hour, day] = [3600, 86_400];
/** The wrong clock, then the right one, as when somebody sets it, then the wrong one again. */
const runs = Object.entries({
  "+30 s": [30, 30, 0, 30],
  "-30 s": [-30, -30, 0, -30],
  "+2 h": [2 * hour, 2 * hour, 0, 2 * hour],
  "-1 h": [-hour, -hour, 0, -hour],
  "-1 day": [-day, -day, 0, -day],
}).filter(([name]) => values.only === undefined || name === values.only);

const minutes = Number(values.minutes);
const directory = await mkdtemp(join(tmpdir(), "castellan-clock-"));
write(`${minutes} minutes, the clocks ${runs.map(([name]) => name).join(", ")}`);
const results = await Promise.all(
  runs.map(async ([name, offsets], index) => {
    const verdicts = await runWithWrongClock({
      offsets,
      minutes,
      directory: join(directory, String(index)),
    }).catch((error: unknown) => [{ title: "the run", looked: 0, faults: [String(error)] }]);
    return { name, verdicts };
  }),
);
let failed = 0;
for (const { name, verdicts } of results) {
  for (const { title, looked, faults } of verdicts) {
    const isGood = faults.length === 0 && looked > 0;
    if (!isGood) failed += 1;
    write(`${name.padEnd(7)}  ${isGood ? "passed" : "FAILED"}  ${String(looked).padStart(5)}  ${title}`);
    for (const fault of faults.slice(0, 10)) write(`                         ${fault}`);
  }
}
if (failed === 0) await rm(directory, { recursive: true });
else write(`the data stays in ${directory}`);
process.exit(failed === 0 ? 0 : 1);
