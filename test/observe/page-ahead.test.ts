import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { AppendEvents } from "../../src/observe/events.ts";
import { pollHub } from "../../src/observe/hub/poll-hub.ts";
import { observeStatus } from "../../src/observe/observe-status.ts";
import { useLiveHub } from "../live/live-scene.ts";

const scene = useLiveHub();
const poll = () => pollHub(scene.context);
const pages = () => scene.node.requests.filter((path) => path.includes("/v1/events"));
const positionOf = (path: string | undefined) => /from_event_id=(\d+)/.exec(path ?? "")?.[1];
const asked = (times: number) =>
  vi.waitFor(() => expect(pages().length).toBeGreaterThanOrEqual(times), { timeout: 60_000, interval: 5 });
const hubRow = async () =>
  (await observeStatus(scene.context)).sources.find(({ source }) => source === "hub/1");
const casts = (count: number, name: string) =>
  Array.from({ length: count }, (_, index) => `${name} ${index}`);
const confirm = (texts: readonly string[]) =>
  scene.chain.confirm(
    1,
    scene.now(),
    texts.map((text) => scene.castIn(text).merged),
  );

type Hub = typeof scene.context.network.hub;
type Page = Awaited<ReturnType<Hub["events"]>>;

/** Counts the hub's answers; `other` is what the call of this number is answered instead. */
function countAnswers(call = 0, other = (page: Page) => page): { asked: number; answered: number } {
  const { network } = scene.context;
  const counted = { asked: 0, answered: 0 };
  const events: Hub["events"] = async (input, options) => {
    counted.asked += 1;
    const isIt = counted.asked === call;
    const page = await network.hub.events(input, options);
    counted.answered += 1;
    return isIt ? other(page) : page;
  };
  scene.context = { ...scene.context, network: { ...network, hub: { ...network.hub, events } } };
  return counted;
}

/** Does this while a page is being stored, with what is news in it: before its transaction ends. */
function whileStored(act: (count: number) => Promise<unknown>): void {
  const { appendEvents, ...context } = scene.context;
  const append: AppendEvents = async (tx, events) => {
    const stored = await appendEvents(tx, events);
    if (events.length > 0) await act(events.length);
    return stored;
  };
  scene.context = { ...context, appendEvents: append };
}

beforeEach(async () => {
  scene.chain.shards.delete(2);
  await scene.observer.link("memes");
  confirm([]);
  await poll();
  scene.node.requests.splice(0);
});

describe("the page behind the one that is stored", { timeout: 60_000 }, () => {
  test("is asked for meanwhile, from where that one ends", async () => {
    const [first, second] = [casts(1500, "first"), casts(20, "second")];
    const ids = confirm(first);
    const seen: (string | undefined)[] = [];
    whileStored(async () => {
      await asked(2);
      seen.push(positionOf(pages()[1]));
      if (seen.length === 1) confirm(second);
    });
    await poll();
    expect(seen[0]).toBe(String(ids[998]));
    expect(await scene.texts()).toEqual([...first, ...second]);
  });

  test("is asked for again where it did not come, and nothing fails by that", async () => {
    confirm(casts(1200, "cast"));
    const hub = countAnswers(2, () => {
      throw new Error("lost on the way");
    });
    await poll();
    expect(hub.asked).toBe(4);
    expect(await scene.texts()).toEqual(casts(1200, "cast"));
    expect(await hubRow()).toMatchObject({ error: null });
  });

  test("is given up where that one cannot be stored: both are read again, and told once", async () => {
    confirm(casts(1200, "cast"));
    let fails = true;
    whileStored(async () => {
      await asked(2);
      if (fails) throw new Error("the database is gone");
    });
    await expect(poll()).rejects.toThrow("the database is gone");
    expect(await scene.texts()).toEqual([]);
    fails = false;
    await poll();
    expect(await scene.texts()).toEqual(casts(1200, "cast"));
  });

  test("says what was new when it was asked for, not when it is looked at", async () => {
    confirm(casts(150, "cast"));
    whileStored(async () => {
      await asked(2);
      scene.context.clock.advance(3);
    });
    await poll();
    expect(await hubRow()).toMatchObject({ silentMs: 3_000 });
    expect(pages()).toHaveLength(2);
  });

  test("is stored with the one behind it, where both came meanwhile", async () => {
    confirm(casts(4500, "cast"));
    const counts: number[] = [];
    const hub = countAnswers();
    whileStored(async (count) => {
      counts.push(count);
      const both = Math.min(5, 2 * counts.length + 1);
      await vi.waitFor(() => expect(hub.answered).toBeGreaterThanOrEqual(both), { timeout: 60_000 });
    });
    await poll();
    expect(counts).toEqual([998, 1998, 1504]);
    expect(await scene.texts()).toEqual(casts(4500, "cast"));
    expect(await scene.gaps()).toEqual([]);
  });

  test("is stored alone beside other shards, which are in hand at the same time", async () => {
    scene.chain.shards.set(2, []);
    scene.follow(scene.node);
    confirm(casts(3500, "cast"));
    const counts: number[] = [];
    whileStored(async (count) => {
      counts.push(count);
      // Long enough for a page more to come.
      await sleep(200);
    });
    await poll();
    expect(counts).toEqual([998, 999, 999, 504]);
    expect(await scene.texts()).toEqual(casts(3500, "cast"));
  });

  test("is waited for alone, where it comes later than the one before it is stored", async () => {
    confirm(casts(2500, "cast"));
    const hub = countAnswers();
    scene.node.faults.http = { what: "slow", milliseconds: 500 };
    await poll();
    expect(hub.asked).toBe(4);
    expect(await scene.texts()).toEqual(casts(2500, "cast"));
  });

  test("is stored alone, where the one behind it does not follow on from it", async () => {
    confirm(casts(3500, "cast"));
    const hub = countAnswers(3, ({ events, ...page }) => ({ ...page, events: events.slice(10) }));
    whileStored(() => vi.waitFor(() => expect(hub.answered).toBeGreaterThan(2), { timeout: 60_000 }));
    await poll();
    expect(await scene.texts()).toEqual(casts(3500, "cast"));
    expect(await scene.gaps()).toEqual([]);
  });

  test("is not asked for where all is read", async () => {
    confirm(casts(20, "cast"));
    await poll();
    expect(pages()).toHaveLength(1);
    expect(await scene.texts()).toHaveLength(20);
  });

  test("is not asked for of a hub in this process, whose answer would wait for the same database", async () => {
    scene.context = { ...scene.context, live: undefined };
    confirm(casts(1200, "cast"));
    const asking: number[] = [];
    whileStored(async () => {
      // Long enough for a request to come here.
      await sleep(200);
      asking.push(pages().length);
    });
    await poll();
    expect(asking).toEqual([1, 2]);
    expect(await scene.texts()).toEqual(casts(1200, "cast"));
  });
});
