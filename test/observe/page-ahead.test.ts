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
  vi.waitFor(() => expect(pages().length).toBeGreaterThanOrEqual(times), { timeout: 5_000, interval: 5 });
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
/** Does this while a page is being stored: before its transaction ends. */
function whileStored(act: () => Promise<unknown>): void {
  const { appendEvents, ...context } = scene.context;
  const append: AppendEvents = async (tx, events) => {
    const stored = await appendEvents(tx, events);
    if (events.length > 0) await act();
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

describe("the page behind the one that is stored", () => {
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
  }, 60_000);

  test("is asked for again where it did not come, and nothing fails by that", async () => {
    confirm(casts(1200, "cast"));
    const { hub } = scene.context.network;
    let calls = 0;
    const events: typeof hub.events = (input, options) => {
      calls += 1;
      return calls === 2 ? Promise.reject(new Error("lost on the way")) : hub.events(input, options);
    };
    scene.context = { ...scene.context, network: { ...scene.context.network, hub: { ...hub, events } } };
    await poll();
    expect(calls).toBe(4);
    expect(await scene.texts()).toEqual(casts(1200, "cast"));
    expect(await hubRow()).toMatchObject({ error: null });
  }, 60_000);

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
  }, 60_000);

  test("says what was new when it was asked for, not when it is looked at", async () => {
    confirm(casts(150, "cast"));
    whileStored(async () => {
      await asked(2);
      scene.context.clock.advance(3);
    });
    await poll();
    expect(await hubRow()).toMatchObject({ silentMs: 3_000 });
    expect(pages()).toHaveLength(2);
  }, 60_000);

  test("is not asked for where all is read", async () => {
    confirm(casts(20, "cast"));
    await poll();
    expect(pages()).toHaveLength(1);
    expect(await scene.texts()).toHaveLength(20);
  }, 60_000);
});
