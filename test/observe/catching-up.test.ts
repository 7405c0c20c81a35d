import { beforeEach, describe, expect, test } from "vitest";
import type { AppendEvents } from "../../src/observe/events.ts";
import { pollHub } from "../../src/observe/hub/poll-hub.ts";
import { useLiveHub } from "../live/live-scene.ts";

const scene = useLiveHub();
const poll = () => pollHub(scene.context);
const pages = () => scene.node.requests.filter((path) => path.includes("/v1/events"));
const casts = (count: number, name: string) =>
  Array.from({ length: count }, (_, index) => `${name} ${index}`);
const confirm = (texts: readonly string[]) =>
  scene.chain.confirm(
    1,
    scene.now(),
    texts.map((text) => scene.castIn(text).merged),
  );

beforeEach(async () => {
  scene.chain.shards.delete(2);
  await scene.observer.link("memes");
  confirm([]);
  await poll();
  scene.node.requests.splice(0);
});

describe("a shard that is several pages behind", { timeout: 60_000 }, () => {
  test("is read to its end in one run, in order and without gaps", async () => {
    confirm(casts(3500, "cast"));
    await poll();
    expect(await scene.texts()).toEqual(casts(3500, "cast"));
    expect(await scene.gaps()).toEqual([]);
  });

  test("is read again where a page could not be stored, and everything is told once", async () => {
    confirm(casts(2200, "cast"));
    const { appendEvents, ...context } = scene.context;
    let calls = 0;
    const failing: AppendEvents = async (tx, events) => {
      const stored = await appendEvents(tx, events);
      if ((calls += 1) === 2) throw new Error("the database is gone");
      return stored;
    };
    scene.context = { ...context, appendEvents: failing };
    await expect(poll()).rejects.toThrow("the database is gone");
    expect(await scene.texts()).toHaveLength(998);
    await poll();
    expect(await scene.texts()).toEqual(casts(2200, "cast"));
  });

  test("is asked for no other page once everything is read", async () => {
    confirm(casts(20, "cast"));
    await poll();
    expect(pages()).toHaveLength(1);
    expect(await scene.texts()).toHaveLength(20);
  });
});
