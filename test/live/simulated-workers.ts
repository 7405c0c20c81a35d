import { silentLog } from "../../src/log.ts";
import type { CallLimits, Purpose } from "../../src/observe/live/call-limits.ts";
import type { LiveContext } from "../../src/observe/live/live-context.ts";
import { maxIdleMs } from "../../src/queue/run-on-schedule.ts";
import { sweepEvery } from "../../src/queue/sweep.ts";
import { intervalOf, type Job } from "../../src/queue/worker.ts";
import { idWorkers, workers } from "../../workers/index.ts";
import type { World } from "../support/world.ts";
import { readLive } from "./read-live.ts";
import { createSimulatedTime } from "./simulated-time.ts";

/** The bot's workers on simulated time. */
export interface SimulatedWorkers {
  context: World & LiveContext;
  /** Seconds. */
  pass(seconds: number): Promise<void>;
  /** Runs that threw, by worker: "poll-listings: what it threw". */
  failures: string[];
}

interface Options {
  url: string;
  limits: CallLimits;
  /** Which of them run; the others never do. */
  names: ReadonlySet<string>;
}

/**
 * Runs workers as the queue does: each at its own interval and when it is woken, one run of it at a time, side by side with
 * the others. What they wait for by themselves, such as room in the budget, is simulated time too.
 */
export function runWorkers(world: World, { url, limits, names }: Options): SimulatedWorkers {
  const { clock, database, woken } = world;
  const failures: string[] = [];
  let calls = 0;
  const isBusy = () => {
    const { totalCount, idleCount, waitingCount } = database.pool;
    return calls > 0 || totalCount > idleCount || waitingCount > 0;
  };
  const whenIdle = () => {
    const due = woken.splice(0);
    for (const each of due) wake(...(each.split(" ") as [string]));
    return due.length > 0;
  };
  const time = createSimulatedTime({ clock, isBusy, whenIdle });
  const pause = async (milliseconds: number) => {
    calls -= 1;
    await time.sleep(milliseconds);
    calls += 1;
  };
  const counted = <T extends object>(network: T): T =>
    watchCalls(network, async (call) => {
      calls += 1;
      return call().finally(() => (calls -= 1));
    });
  const live = readLive(world, url, { limits, pause });
  const context = {
    ...live,
    network: counted(live.network),
    live: { ...live.live, background: (purpose: Purpose) => counted(live.live.background(purpose)) },
  };

  const queued = new Set<string>();
  const turns = new Map<string, Promise<void>>();
  function wake(name: string, key?: string): void {
    const id = `${name} ${key ?? ""}`;
    if (!names.has(name) || queued.has(id)) return;
    queued.add(id);
    const run = async () => {
      queued.delete(id);
      const job = { key, attempt: 1, signal: new AbortController().signal, log: silentLog };
      await runOnce(name, job).catch((error: unknown) => failures.push(`${name}: ${String(error)}`));
    };
    turns.set(name, (turns.get(name) ?? Promise.resolve()).then(run));
  }

  const runOnce = async (name: string, job: Job): Promise<void> => {
    const idWorker = idWorkers.find((worker) => worker.name === name);
    if (!idWorker) return void (await workers.find((worker) => worker.name === name)?.run(context, job));
    const { key = "" } = job;
    const more = await idWorker.run(context, key, job);
    if (more === 0) wake(name, key);
    else if (more !== undefined) void time.sleep(more).then(() => wake(name, key));
  };

  const sweep = async () => {
    for (;;) {
      for (const { name, findDue } of idWorkers) {
        if (!names.has(name)) continue;
        const due = await findDue(context, 100).execute(database.query);
        for (const { id } of due.rows) wake(name, id);
      }
      await time.sleep(sweepEvery);
    }
  };

  const runAtIntervals = async (index: number, worker: (typeof workers)[number]) => {
    const { name, isDue, hasNews } = worker;
    const every = intervalOf(worker, context);
    if (every === undefined) return;
    // Not all at the same moment, as processes' timers are not.
    await time.sleep(index * 130);
    for (let rested = Infinity; ; rested += every) {
      const isOwed = rested >= maxIdleMs || (!isDue && !hasNews) || hasNews?.(context);
      if (isOwed || (await isDue?.(context))) {
        wake(name);
        rested = 0;
      }
      await time.sleep(every);
    }
  };
  for (const [index, worker] of workers.entries()) {
    if (names.has(worker.name)) void runAtIntervals(index, worker);
  }
  void sweep();
  return { context, pass: time.pass, failures };
}

/** The same calls, each through `around`. */
function watchCalls<T extends object>(
  network: T,
  around: (call: () => Promise<unknown>) => Promise<unknown>,
): T {
  const groups = Object.entries(network).map(([group, calls]) => {
    // Every entry of a group is a call.
    const entries = Object.entries(calls as Record<string, (...given: unknown[]) => Promise<unknown>>);
    return [
      group,
      Object.fromEntries(
        entries.map(([name, call]) => [name, (...given: unknown[]) => around(() => call(...given))]),
      ),
    ];
  });
  return Object.fromEntries(groups) as T; // the groups and calls of the one given
}
