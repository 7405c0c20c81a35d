/**
 * `npm run bench:starts`: time until the whole program is ready, and its processor time, over `-- --starts` (10)
 * starts, each on a new data directory and then on the same one; medians. With `-- --before DIRECTORY`, in turns with
 * those of another checkout, which has to be built.
 */
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { judge, median, row, write } from "./figures.ts";
import { spawnCastellan } from "./spawn-castellan.ts";

const { values } = parseArgs({
  options: { starts: { type: "string", default: "10" }, before: { type: "string" } },
});
/** Seconds. */
const goals = { first: 6, second: 3 };

type Turn = keyof typeof goals;
interface Start {
  /** Seconds. */
  ready: number;
  /** Seconds of one core. */
  processor: number;
}

async function start(checkout: string, directory: string): Promise<Start> {
  const began = performance.now();
  const child = spawnCastellan({
    checkout,
    role: "start",
    env: {
      DATA_DIR: directory,
      PORT: "0",
      SANDBOX_PORT: "0",
      CONSOLE_PORT: "0",
      SANDBOX_TRAFFIC: "off",
      LOG_LEVEL: "error",
    },
    stdout: "pipe",
  });
  if (!child.stdout) throw new Error("nothing is heard of it");
  for await (const line of createInterface(child.stdout)) if (line.includes("ready:")) break;
  const ready = (performance.now() - began) / 1000;
  const fields = (await readFile(`/proc/${child.pid}/stat`, "utf8")).split(" ");
  child.kill();
  await once(child, "exit");
  return { ready, processor: (Number(fields[13]) + Number(fields[14])) / 100 };
}

const checkouts = [...(values.before ? [values.before] : []), "."];
const starts = checkouts.map((): Record<Turn, Start[]> => ({ first: [], second: [] }));
for (let round = 0; round < Number(values.starts); round += 1) {
  for (const [index, checkout] of checkouts.entries()) {
    const directory = await mkdtemp(join(tmpdir(), "castellan-bench-"));
    for (const turn of ["first", "second"] as const)
      starts[index]?.[turn].push(await start(checkout, directory));
    await rm(directory, { recursive: true });
  }
}

write(row("seconds", "least", "median", "most", "processor"));
for (const [index, checkout] of checkouts.entries()) {
  for (const turn of ["first", "second"] as const) {
    const own = starts[index]?.[turn] ?? [];
    const ready = own.map((each) => each.ready);
    const cells = [
      Math.min(...ready),
      median(ready),
      Math.max(...ready),
      median(own.map((each) => each.processor)),
    ];
    write(row(`${checkout}: ${turn} start`, ...cells.map((value) => value.toFixed(2))));
  }
}
const mine = starts.at(-1);
const met = (["first", "second"] as const).map((turn) =>
  judge(`${turn} start: seconds until ready`, median(mine?.[turn].map(({ ready }) => ready) ?? []), {
    most: goals[turn],
  }),
);
process.exitCode = met.every(Boolean) ? 0 : 1;
