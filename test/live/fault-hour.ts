/**
 * `npm run soak:live -- --seeds 30 --from 1`: the fault hour. A bot on the doubles of the live services for an hour of simulated
 * time, in which all that can go wrong with them and with it does, by itself and together; then what was sent, told, asked for
 * and done is compared with the doubles' own account.
 */
import { parseArgs } from "node:util";
import { prepareTemplate } from "../support/database-template.ts";
import { liveHour } from "./fault-hour/live-hour.ts";
import { faultKinds } from "./fault-hour/faults.ts";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "30" },
    from: { type: "string", default: "1" },
    minutes: { type: "string", default: "60" },
    /** Only faults whose name has this in it. */
    only: { type: "string", default: "" },
    /** Each of them once, one after the other. */
    "in-turn": { type: "boolean", default: false },
    trace: { type: "boolean", default: false },
  },
});
const write = (line: string) => void process.stdout.write(`${line}\n`);
const kinds = faultKinds.filter(({ name }) => name.includes(values.only));
const [first, count, seconds] = [Number(values.from), Number(values.seeds), Number(values.minutes) * 60];

await prepareTemplate();
const sum = {
  sent: 0,
  told: 0,
  missing: 0,
  twice: 0,
  gone: 0,
  takenBack: 0,
  asked: 0,
  done: 0,
  unknown: 0,
  refused: 0,
};
let failed = 0;
for (let seed = first; seed < first + count; seed += 1) {
  const start = Date.now();
  const { account, actions, wrong, faults, trace } = await liveHour({
    seed,
    seconds,
    kinds,
    inTurn: values["in-turn"],
  });
  sum.sent += account.sent;
  sum.told += account.told;
  sum.missing += account.missing.length;
  sum.twice += account.twice.length;
  sum.gone += account.goneAndTold;
  sum.takenBack += account.takenBack;
  sum.asked += actions.asked;
  sum.done += actions.done;
  sum.unknown += actions.unknown;
  sum.refused += actions.refused;
  write(
    `seed ${seed}: ${faults.length} faults, sent ${account.sent}, told ${account.told}, missing ${account.missing.length}, ` +
      `twice ${account.twice.length}, gone and told ${account.goneAndTold}, taken back ${account.takenBack}; actions asked for ${actions.asked}, ` +
      `done ${actions.done}, unknown ${actions.unknown}, refused ${actions.refused}; ` +
      `${wrong.length === 0 ? "passed" : "FAILED"} (${Math.round((Date.now() - start) / 1000)} s)`,
  );
  if (wrong.length === 0) continue;
  failed += 1;
  for (const line of wrong.slice(0, 20)) write(`    ${line}`);
  for (const line of values.trace ? trace : trace.filter((one) => / s {2}(?!log|a mod|#)/.test(one)))
    write(`      ${line}`);
}
write(
  `${count} hours, ${failed} failed: ${Object.entries(sum)
    .map(([what, number]) => `${what} ${number}`)
    .join(", ")}`,
);
process.exit(failed === 0 ? 0 : 1);
