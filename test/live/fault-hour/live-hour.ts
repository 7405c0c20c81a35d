import { intervalOf } from "../../../src/queue/worker.ts";
import { idWorkers, workers } from "../../../workers/index.ts";
import { silentLog } from "../../../src/log.ts";
import { createModerators } from "./act.ts";
import { checkActions, type ActionAccount } from "./check-actions.ts";
import { findSilentLag, findUnrest } from "./check-rest.ts";
import { compareTold, type Account } from "./compare.ts";
import { faultKinds, type FaultKind } from "./faults.ts";
import { openScene, type Scene } from "./open-scene.ts";
import { createRandom, type Random } from "./random.ts";
import { tellStory } from "./tell-story.ts";
import { createTraffic, type Traffic } from "./traffic.ts";

export interface HourOptions {
  seed: number;
  /** Seconds in which things go wrong, where they do not in turn; then all is well for as long as it takes to recover. */
  seconds: number;
  /** What may go wrong; at any time as many at once as chance has it. */
  kinds?: readonly FaultKind[];
  /** One fault after the other, each from its beginning to its end. */
  inTurn?: boolean;
}

export interface Hour {
  account: Account;
  actions: ActionAccount;
  /** Everything that is not as it should be. */
  wrong: string[];
  /** The faults that there were. */
  faults: string[];
  trace: string[];
}

/** Seconds between two steps, while things go wrong and afterwards. */
const steps = { usual: 10, quiet: 20 };
/** Seconds without faults at the beginning; and for all to recover. */
const [calm, recovery] = [60, 900];

/** Lets people, moderators, rules and faults have their way, and says what became of it. */
export async function liveHour({
  seed,
  seconds,
  kinds = faultKinds,
  inTurn = false,
}: HourOptions): Promise<Hour> {
  const random = createRandom(seed);
  const scene = await openScene(createRandom(seed + 1));
  try {
    const traffic = createTraffic(scene, createRandom(seed + 2));
    const moderators = createModerators(scene, traffic, createRandom(seed + 3));
    const run = createRunner(scene);
    const lag: string[] = [];
    // What was before the bot first looked is no news.
    await pass(scene, run, after(scene, 30), { step: () => {} });
    const since = Math.floor(scene.clock.now() / 1000);
    const people = {
      step(time: number) {
        traffic.step(time);
        moderators.step(time);
      },
    };
    const quiet = { step: (time: number) => traffic.step(time), every: steps.quiet };
    await pass(scene, run, after(scene, calm), people);
    const faults = createFaults(scene, random, { kinds, inTurn });
    const passing: Passing = {
      step(time) {
        people.step(time);
        faults.step();
      },
      look: async () => void lag.push(...(await findSilentLag(scene, traffic.merged))),
    };
    await pass(scene, run, inTurn ? faults.areOver : after(scene, seconds), passing);
    faults.end();
    scene.note("all is well again");
    await pass(scene, run, after(scene, recovery), quiet);
    await moderators.finish();
    // What happened last is told, too.
    await pass(scene, run, after(scene, 60), { step: () => {}, every: steps.usual });
    return await takeStock(scene, traffic, { since, lag, faults: faults.begun });
  } finally {
    await scene.close();
  }
}

async function takeStock(
  scene: Scene,
  { merged }: Traffic,
  { since, lag, faults }: { since: number; lag: string[]; faults: string[] },
): Promise<Hour> {
  const account = await compareTold(scene, merged, since);
  const actions = await checkActions(scene);
  const wrong = [
    ...account.missing.map((key) => `missing: ${key}`),
    ...account.twice.map((key) => `twice: ${key}`),
    ...account.invented.map((key) => `never happened: ${key}`),
    ...actions.wrong,
    ...new Set(lag),
    ...(await findUnrest(scene)),
    ...new Set(scene.bugs),
  ];
  const mayLose = faultKinds.some(({ name, loses }) => loses && faults.includes(name));
  if (account.goneAndTold > 0 && !mayLose)
    wrong.push(`${account.goneAndTold} events lie in gaps, and no hub lost any`);
  const told = new Set<string>();
  for (const line of wrong.slice(0, 5))
    for (const entry of await tellStory(scene, line, merged)) told.add(entry);
  return { account, actions, wrong, faults, trace: [...scene.trace, ...told] };
}

interface Passing {
  step: (seconds: number) => void;
  every?: number;
  look?: () => Promise<void>;
}

/** How often it is looked whether /status says what is so, in seconds. */
const lookEvery = 60;

function after({ clock }: Scene, seconds: number): () => boolean {
  const end = clock.now() + seconds * 1000;
  return () => clock.now() >= end;
}

async function pass(
  scene: Scene,
  run: () => Promise<void>,
  isOver: () => boolean,
  { step: happen, every = steps.usual, look }: Passing,
): Promise<void> {
  const { clock } = scene;
  let [last, lookedAt] = [clock.now(), clock.now()];
  while (!isOver()) {
    // Whoever waited for the budget let more time pass.
    happen((clock.now() - last) / 1000 || every);
    last = clock.now();
    await run();
    if (look && clock.now() - lookedAt >= lookEvery * 1000) {
      lookedAt = clock.now();
      await look();
    }
    clock.advance(every);
  }
}

/** Workers that read, act and tell, as often as they run; side by side, as queues run them. */
function createRunner(scene: Scene): () => Promise<void> {
  const left = new Set(["end-feeds", "erase-authors", "check-rules"]);
  const due = new Map<string, number>();
  const ranAt = new Map<string, number>();
  const runOne = async (name: string, key?: string) => {
    const job = { key, attempt: 1, signal: new AbortController().signal, log: silentLog };
    const worker = workers.find((one) => one.name === name);
    const idWorker = idWorkers.find((one) => one.name === name);
    const run = async () => {
      await worker?.run(scene.context, job);
      if (key === undefined || !idWorker) return;
      while ((await idWorker.run(scene.context, key, job)) === 0);
    };
    await run().catch((error: unknown) => scene.note(`${name} failed: ${String(error)}`));
  };
  const sweep = async () => {
    for (const { name, findDue } of idWorkers) {
      const due = await findDue(scene.context, 100)
        .execute(scene.context.database.query)
        .catch(() => ({ rows: [] }));
      await Promise.all(due.rows.map(({ id }) => runOne(name, id)));
    }
  };
  return async () => {
    const now = scene.clock.monotonic();
    const runs = workers.map(async ({ name, isDue, hasNews, ...worker }) => {
      const every = intervalOf(worker, scene.context) ?? Infinity;
      if (left.has(name) || now < (due.get(name) ?? 0)) return;
      due.set(name, now + every);
      const mayRest = isDue && !hasNews && now - (ranAt.get(name) ?? -Infinity) < 60_000;
      if (mayRest && !(await isDue(scene.context).catch(() => true))) return;
      ranAt.set(name, now);
      await runOne(name);
    });
    await Promise.all(runs);
    await sweep();
    for (let round = 0; round < 3 && scene.woken.length > 0; round += 1) {
      const woken = [...new Set(scene.woken.splice(0))].map((told) => told.split(" "));
      await Promise.all(woken.map(([name = "", key]) => runOne(name, key)));
    }
  };
}

/** Faults that come and go. */
function createFaults(
  scene: Scene,
  random: Random,
  { kinds, inTurn }: Required<Pick<HourOptions, "kinds" | "inTurn">>,
) {
  const begun: string[] = [];
  const open: { name: string; until: number; end: () => void }[] = [];
  const waiting = [...kinds];
  let nextAt = 0;
  const end = (fault: (typeof open)[number]) => {
    open.splice(open.indexOf(fault), 1);
    fault.end();
    scene.note(`over: ${fault.name}`);
  };
  const begin = (kind: FaultKind, seconds: number) => {
    begun.push(kind.name);
    scene.note(`${kind.name}, for ${seconds} s`);
    open.push({ name: kind.name, until: scene.clock.now() + seconds * 1000, end: kind.begin(scene, random) });
  };
  return {
    begun,
    step() {
      const now = scene.clock.now();
      for (const fault of open.filter(({ until }) => until <= now)) end(fault);
      if (now < nextAt || kinds.length === 0) return;
      if (inTurn) {
        const kind = open.length === 0 ? waiting.shift() : undefined;
        if (kind) begin(kind, random.between(20, 80));
        return;
      }
      nextAt = now + random.between(10, 240) * 1000;
      const kind = random.pick(kinds);
      if (!open.some(({ name }) => name === kind.name)) begin(kind, random.pick([10, 40, 120, 300, 600]));
    },
    areOver: () => waiting.length === 0 && open.length === 0,
    end: () => [...open].forEach(end),
  };
}
