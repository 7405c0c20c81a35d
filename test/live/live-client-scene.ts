import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { silentLog } from "../../src/log.ts";
import { usualLimits, type CallLimits } from "../../src/observe/live/call-limits.ts";
import type { LiveContext } from "../../src/observe/live/live-context.ts";
import { followLinks } from "../../src/observe/sources.ts";
import { workers } from "../../workers/index.ts";
import { createObserver, type Observer } from "../support/observer.ts";
import { botFid, type World } from "../support/world.ts";
import { startLiveClient, type LiveClient } from "./live-client.ts";
import { readLive } from "./read-live.ts";

/** A bot on the live client API's double, with /memes linked; its clock is the test's own. */
export interface LiveClientScene {
  observer: Observer;
  client: LiveClient;
  context: World & LiveContext;
  /** A process that knows nothing of what others keep in memory. */
  restart(limits?: CallLimits): void;
  /**
   * Runs the workers that read the client API, as often as they run, for so many seconds of the test's clock; which moves by
   * `step`, so that those that run more often do so at each.
   */
  live(seconds: number, eachStep?: (second: number) => void, step?: number): Promise<void>;
  link(...channelIds: string[]): Promise<void>;
  /** "user.banned 7", in the order of events. */
  told(): Promise<string[]>;
}

const readers = {
  "poll-records": 2,
  "poll-listings": 10,
  "poll-followers": 10,
  "verify-links": 300,
} as const;

export function useLiveClient(count?: number): LiveClientScene {
  // Its parts are there when the first test begins.
  const scene = {
    restart(limits = usualLimits) {
      const { context } = scene.observer;
      const pause = async (milliseconds: number) => context.clock.advance(milliseconds / 1000);
      scene.context = readLive(context, scene.client.url, { limits, pause });
    },
    async live(seconds, eachStep, step = 2) {
      const { clock } = scene.context;
      const end = clock.monotonic() + seconds * 1000;
      const due = new Map(Object.keys(readers).map((name) => [name, 0]));
      for (let second = 0; clock.monotonic() < end; second += step) {
        eachStep?.(second);
        for (const [name, every] of Object.entries(readers)) {
          if (second < (due.get(name) ?? 0)) continue;
          due.set(name, second + every);
          await runWorker(scene.context, name);
        }
        clock.advance(step);
      }
    },
    async link(...channelIds) {
      for (const channelId of channelIds) await scene.observer.link(channelId);
      await followLinks(scene.context);
      for (const channelId of channelIds) {
        await runWorker(scene.context, "poll-listings", channelId);
        await runWorker(scene.context, "poll-records", channelId);
      }
    },
    told: async () =>
      (await scene.observer.events())
        .filter(({ kind }) => kind !== "link.changed")
        .map(({ kind, subjectFid }) => `${kind} ${subjectFid ?? ""}`.trim()),
  } as LiveClientScene;
  beforeAll(async () => {
    scene.observer = await createObserver();
  });
  afterAll(() => scene.observer.context.database.close());
  beforeEach(async () => {
    await scene.observer.context.database.truncate();
    const { clock } = scene.observer.context;
    // What an earlier test did is long ago.
    clock.advance(100_000);
    scene.client = await startLiveClient(() => clock.now(), count);
    scene.client.channels.add("memes", 1);
    scene.client.channels.setStanding("memes", botFid, "moderator");
    clock.advance(100);
    scene.restart();
  });
  afterEach(() => scene.client.close());
  return scene;
}

async function runWorker(context: World, name: string, key?: string): Promise<void> {
  const job = { key, attempt: 1, signal: new AbortController().signal, log: silentLog };
  // What fails is tried again, as the queue does.
  await workers
    .find((worker) => worker.name === name)
    ?.run(context, job)
    .catch(() => {});
  for (const woken of context.woken.splice(0)) {
    const [worker = "", channelId] = woken.split(" ");
    if (worker in readers) await runWorker(context, worker, channelId);
  }
}
