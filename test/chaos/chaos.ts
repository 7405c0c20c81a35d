/**
 * `npm run chaos`: injects faults under load into two api, two bot and three worker processes, one fault after the other, and
 * prints for each whether everything worked again in time. `-- --only NAME,…` injects these alone, `-- --list` lists
 * them, and with `-- --slower 3` recovery may take three times as long, on a busy machine.
 * At the end, all posts and all answers to moderators are compared with the network's records.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { checkCases } from "../crash/check-cases.ts";
import { checkCaseFeed, checkFeed } from "../crash/check-feed.ts";
import { checkNetwork } from "../crash/check-network.ts";
import { caseRoom, feedRoom, gather, lastEventId, readCases } from "../crash/evidence.ts";
import { openLedger } from "../crash/ledger.ts";
import { openScene, startTraffic } from "../crash/traffic.ts";
import { repeated, type Verdict } from "../crash/verdict.ts";
import { createRandom } from "../support/random.ts";
import { createRecorder, findWrong, findMissing, readPosts } from "./compare.ts";
import { findFaults } from "./faults/index.ts";
import { doomedRoom, openFleet, type Fleet } from "./fleet.ts";
import { createPeople, outageTexts, setUp } from "./load.ts";
import { runFault, type Row, type Run } from "./run-fault.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    list: { type: "boolean" },
    slower: { type: "string", default: "1" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
});
const write = (line: string) => void process.stdout.write(`${line}\n`);
const faults = findFaults(values.only).map((fault) => ({
  ...fault,
  seconds: fault.seconds * Number(values.slower),
}));
if (values.list) {
  for (const { name, injected, holds, seconds } of faults) {
    write(`${name.padEnd(28)} ${injected}. Must hold: ${holds}; recovery within ${seconds} s.`);
  }
  process.exit();
}

function describe({ fault, recovered, problems }: Row): string {
  const colour = problems.length === 0 ? "green" : "RED  ";
  const took = recovered === undefined ? "never" : `${recovered.toFixed(1)} s`;
  const lines = [
    `${colour}  ${fault.name.padEnd(28)} ${took.padStart(7)} of ${fault.seconds} s  ${fault.holds}`,
  ];
  return [...lines, ...problems.slice(0, 8).map((problem) => `         ${problem.slice(0, 400)}`)].join("\n");
}

/** Compares all posts and answers with the network's records and the cases. */
async function compareAll({ fleet, scene, record }: Run, sinceEvent: number): Promise<Verdict[]> {
  await untilCalm(fleet);
  const { ledger } = scene;
  ledger.surprises = ledger.surprises.filter((text) => !outageTexts.test(text));
  const recorded = await record();
  const posted = readPosts(fleet, recorded);
  const evidence = {
    ...(await gather(scene, sinceEvent)),
    feed: fleet.posts(feedRoom),
    caseFeed: fleet.posts(caseRoom),
  };
  const scams = [...ledger.casts].filter(([, text]) => text.startsWith("airdrop")).map(([hash]) => hash);
  const hidden = evidence.records.filter(({ castHash }) => scams.includes(castHash));
  const onNetwork = await checkNetwork(scene, evidence);
  const codes = await fleet.site.stop();
  const cases = await readCases(fleet.site);
  return [
    {
      title: "every name and record of the network is posted once and in order, with its maker",
      looked: recorded.names.length + recorded.records.length,
      faults: [
        ...findMissing(recorded, posted).map((item) => `missing: ${item}`),
        ...findWrong(recorded, posted),
      ],
    },
    {
      title: "the rule hid each cast once",
      looked: scams.length,
      faults: [
        ...scams.filter((hash) => !hidden.some(({ castHash }) => castHash === hash)),
        ...repeated(hidden.map(({ castHash }) => castHash)),
      ],
    },
    ...onNetwork,
    ...checkFeed(evidence).filter(({ title }) => /twice/.test(title)),
    checkCaseFeed(evidence, cases),
    ...checkCases(ledger, evidence, cases),
    {
      title: "asked to end, each process ends well",
      looked: codes.length,
      faults: codes.flatMap((code) => (code === 0 ? [] : [`exit code ${code}`])),
    },
  ];
}

/** Waits until nothing has been open or waiting for 15 s, in which everything is read again. */
async function untilCalm({ postgres, database }: Fleet): Promise<void> {
  const open = `
    select (select count(*) from castellan.cases where state = 'requested')
      + (select count(*) from castellan.rule_evaluations where settled_at_ms is null)
      + (select count(*) from castellan.feed_rows where message_id is null and room_id <> '${doomedRoom}')
      + (select count(*) from castellan.feed_messages where state = 'bound' and room_id <> '${doomedRoom}') as open`;
  const end = performance.now() + 180_000;
  for (let calm = 0; calm < 15; await sleep(1_000)) {
    const [row] = await postgres.query(open, database);
    calm = Number(row?.["open"]) === 0 ? calm + 1 : 0;
    if (performance.now() > end)
      throw new Error(`not calm after three minutes: ${String(row?.["open"])} open`);
  }
}

const rows: Row[] = [];
const began = performance.now();
write(`${faults.length} faults, seed ${values.seed}`);
const fleet = await openFleet();
let failed = 0;
try {
  const scene = openScene(fleet.site, openLedger(), createRandom(Number(values.seed)));
  await setUp(scene, fleet);
  const sinceEvent = await lastEventId(scene);
  const run: Run = { fleet, scene, record: createRecorder(scene, sinceEvent), known: new Set() };
  const traffic = startTraffic(scene, createPeople(scene));
  for (const [index, fault] of faults.entries()) {
    const row = await runFault(run, fault, index + 1).catch((error: unknown): Row => ({
      fault,
      recovered: undefined,
      problems: [String(error)],
    }));
    rows.push(row);
    write(describe(row));
  }
  await traffic.stop();
  const { names, casts, records, cases, unanswered } = scene.ledger;
  write(
    `\n${names.size} names, ${casts.size} casts, ${[...records.values()].flat().length} records, ${cases.length} cases answered; ${unanswered} calls were not`,
  );
  for (const { title, looked, faults: found } of await compareAll(run, sinceEvent)) {
    write(`  ${found.length === 0 ? "passed" : "FAILED"}  ${String(looked).padStart(6)}  ${title}`);
    for (const one of found.slice(0, 10)) write(`            ${one}`);
    failed += found.length === 0 ? 0 : 1;
  }
} finally {
  await fleet.close();
}
const red = rows.filter(({ problems }) => problems.length > 0);
write(
  `\n${rows.length - red.length} green, ${red.length} red, ${failed} comparisons failed, in ${Math.round((performance.now() - began) / 1000)} s`,
);
process.exit(red.length + failed === 0 ? 0 : 1);
