import { beforeEach, describe, expect, test } from "vitest";
import { pollHub } from "../../src/observe/hub/poll-hub.ts";
import { hasParentsToRead, readCastsByParent } from "../../src/observe/hub/read-casts-by-parent.ts";
import { observeStatus } from "../../src/observe/observe-status.ts";
import { startLiveNode } from "../live/live-hub.ts";
import { useLiveHub } from "../live/live-scene.ts";

const scene = useLiveHub();
const shards = [1, 2];
const poll = () => pollHub(scene.context);
/** Runs that may fail, some seconds apart. */
const pollOften = async (runs: number) => {
  for (let run = 0; run < runs; run += 1) {
    await poll().catch(() => {});
    scene.context.clock.advance(6);
  }
};
const pages = (shard: number) =>
  scene.node.requests.filter((path) => path.includes("/v1/events") && path.includes(`shard_index=${shard}`));
const hubRows = async () =>
  (await observeStatus(scene.context)).sources.filter(({ source }) => source.startsWith("hub"));

beforeEach(async () => {
  await scene.observer.link("memes");
  for (const shard of shards) scene.chain.confirm(shard, scene.now());
});

describe("an event that the hub cannot give", () => {
  const confirm30 = (bad: number) => {
    const casts = Array.from({ length: 30 }, (_, index) => scene.castIn(`cast ${index}`));
    const ids = scene.chain.confirm(
      1,
      scene.now(),
      casts.map(({ merged }) => merged),
    );
    scene.node.faults.unwritable.add(ids[bad + 1] ?? 0);
    return casts.map((_, index) => `cast ${index}`).filter((text) => text !== `cast ${bad}`);
  };

  test("is passed over when it fails alone twice, reported once, and everything else is told", async () => {
    await poll();
    const others = confirm30(17);
    await poll();
    expect(await scene.texts()).toEqual(others.slice(0, 17));
    const [row] = await hubRows();
    expect(row?.error).toContain("cannot return the event after");
    await poll();
    expect(await scene.gaps()).toEqual([]);
    await pollOften(3);
    scene.chain.confirm(1, scene.now());
    await poll();
    expect(await scene.texts()).toEqual(others);
    expect(await scene.gaps()).toMatchObject([{ source: "hub/1" }]);
    const { setAside } = await observeStatus(scene.context);
    expect(setAside).toEqual({ count: 1, latest: "the hub cannot give it" });
    expect((await hubRows()).every(({ error }) => error === null)).toBe(true);
    expect(pages(1).length).toBeLessThanOrEqual(30);
  });

  test("is no less told than others when it can be given after all", async () => {
    await poll();
    confirm30(17);
    await poll();
    scene.node.faults.unwritable.clear();
    scene.context.clock.advance(6);
    await poll();
    await poll();
    expect(await scene.texts()).toHaveLength(30);
    expect(await scene.gaps()).toEqual([]);
  });

  test("is passed over also where nothing was read before it, or behind it is nothing", async () => {
    for (const { events } of scene.chain.shards.get(1) ?? [])
      scene.node.faults.unwritable.add(events[0]?.id ?? 0);
    await pollOften(4);
    scene.chain.confirm(1, scene.now(), [scene.castIn("behind").merged]);
    await pollOften(2);
    expect(await scene.texts()).toEqual(["behind"]);
    // One of each shard: ids are unique per shard only.
    expect((await observeStatus(scene.context)).setAside.count).toBe(2);
  });

  test("is one gap with its neighbours, which are not waited for one by one, nor are all listings read for each", async () => {
    await poll();
    const casts = Array.from({ length: 12 }, (_, index) => scene.castIn(`cast ${index}`).merged);
    const ids = scene.chain.confirm(1, scene.now(), casts);
    for (const index of [3, 5, 6, 10]) scene.node.faults.unwritable.add(ids[index] ?? 0);
    const { query } = scene.observer.context.database;
    const listing = { source: "listings/memes", channel_id: "memes" };
    await query.insertInto("castellan.sources").values(listing).execute();
    await pollOften(2);
    expect(await scene.texts()).toHaveLength(8);
    expect(await scene.gaps()).toHaveLength(1);
    expect((await observeStatus(scene.context)).setAside.count).toBe(4);
    const found = await query
      .selectFrom("castellan.sources")
      .select("version")
      .where("source", "=", listing.source)
      .executeTakeFirst();
    expect(found?.version).toBe(1);
  });
});

describe("what is larger than an answer may be", () => {
  /** As JSON six times as long. */
  const text = "\u0001".repeat(10_000);

  test("is asked for in smaller pages: events", async () => {
    await poll();
    const large = Array.from(
      { length: 300 },
      (_, index) => scene.chain.cast({ fid: 7, text: text + index, at: scene.now() }).merged,
    );
    scene.chain.confirm(1, scene.now(), large);
    scene.chain.confirm(1, scene.now(), [scene.castIn("news").merged]);
    // Each look gets through a few pages.
    for (let looks = 0; looks < 20 && (await scene.texts()).length === 0; looks += 1) await poll();
    expect(await scene.texts()).toEqual(["news"]);
    expect(await scene.gaps()).toEqual([]);
  });

  test("is asked for in smaller pages: a channel's past", async () => {
    for (let index = 0; index < 300; index += 1) scene.castIn(text + index, scene.now() - 400 + index);
    await poll();
    const { settings } = scene.context;
    const context = {
      ...scene.context,
      settings: { ...settings, history: { ...settings.history, seconds: 0 } },
    };
    for (let run = 0; run < 5 && (await hasParentsToRead(context)); run += 1)
      await readCastsByParent(context);
    const { query } = scene.observer.context.database;
    expect(await query.selectFrom("castellan.casts").select("hash").execute()).toHaveLength(300);
    expect((await observeStatus(scene.context)).past.filter(({ isListing }) => isListing)).toEqual([]);
  });
});

describe("a shard whose pages never come", () => {
  test("holds up no other, and is not asked for ever smaller ones", async () => {
    scene.follow(scene.node, { timeouts: { attempt: 3_000, deadline: 3_000 } });
    await poll();
    const before = pages(2).length;
    scene.node.faults.hangs.add(2);
    const run = poll();
    await expect.poll(() => pages(2).length).toBeGreaterThan(before);
    scene.chain.confirm(1, scene.now(), [scene.castIn("meanwhile").merged]);
    await run;
    expect(await scene.texts()).toEqual(["meanwhile"]);
    expect(pages(2).length).toBeLessThanOrEqual(before + 2);
    const [one, two] = await hubRows();
    expect([one?.error, two?.error]).toEqual([null, expect.stringContaining("no response within")]);
  });
});

describe("a hub that has stalled", () => {
  const withStallLimit = () => {
    scene.context = { ...scene.context, settings: { ...scene.context.settings, hubStalledAfter: 120 } };
  };

  test("is reported, until it continues", async () => {
    withStallLimit();
    await poll();
    const since = new Date(scene.now() * 1000).toISOString().slice(0, 19).replace("T", " ");
    scene.context.clock.advance(121);
    await expect(poll()).rejects.toThrow("The hub has stalled");
    const [row] = await hubRows();
    expect(row?.error).toContain(`its newest block is from ${since} UTC`);
    for (const shard of shards) scene.chain.confirm(shard, scene.now(), [scene.castIn(`on ${shard}`).merged]);
    await poll();
    await poll();
    expect((await hubRows()).map(({ error }) => error)).toEqual([null, null]);
    expect((await scene.texts()).toSorted()).toEqual(["on 1", "on 2"]);
  });

  test("is not one that reports that it is not late, as Castellan's own does while nothing happens", async () => {
    withStallLimit();
    await poll();
    scene.context.clock.advance(3_600);
    const { hub } = scene.context.network;
    const info: typeof hub.info = async () => ({
      version: "castellan",
      numShards: 2,
      shardInfos: shards.map((shardId) => ({ shardId, maxHeight: 1, blockDelay: 0 })),
    });
    await pollHub({ ...scene.context, network: { ...scene.context.network, hub: { ...hub, info } } });
    expect((await hubRows()).map(({ error }) => error)).toEqual([null, null]);
  });

  test("is left for another of several, and tried again later", async () => {
    const stalled = scene.node;
    for (const shard of shards) stalled.faults.upTo.set(shard, 100);
    const other = await startLiveNode(scene.chain);
    scene.follow(stalled, {
      clock: scene.context.clock,
      hubUrl: [{ address: stalled.url }, { address: other.url }],
    });
    withStallLimit();
    await poll();
    scene.context.clock.advance(121);
    scene.chain.confirm(1, scene.now(), [scene.castIn("of the other").merged]);
    scene.chain.confirm(2, scene.now());
    await poll();
    expect(await scene.texts()).toEqual(["of the other"]);
    const count = stalled.requests.length;
    scene.chain.confirm(1, scene.now(), [scene.castIn("one more").merged]);
    await poll();
    expect(stalled.requests.length).toBe(count);
    stalled.faults.upTo.clear();
    scene.context.clock.advance(300);
    for (const shard of shards) scene.chain.confirm(shard, scene.now());
    await poll();
    expect(stalled.requests.length).toBeGreaterThan(count);
    expect(await scene.texts()).toEqual(["of the other", "one more"]);
    await other.close();
  });
});
