import { beforeEach, describe, expect, test } from "vitest";
import { pollHub } from "../../src/observe/hub/poll-hub.ts";
import { observeStatus } from "../../src/observe/observe-status.ts";
import { LiveChain, startLiveNode } from "../live/live-hub.ts";
import { useLiveHub } from "../live/live-scene.ts";

const scene = useLiveHub();
const poll = () => pollHub(scene.context);
const shards = [1, 2];

describe("shards", () => {
  test("are followed each by itself: nothing of the one that is behind is passed over", async () => {
    await scene.observer.link("memes");
    const first = Array.from({ length: 20 }, (_, index) => scene.castIn(`one ${index}`).merged);
    const second = Array.from({ length: 20 }, (_, index) => scene.castIn(`two ${index}`).merged);
    scene.chain.confirm(1, scene.now(), [], 900);
    scene.chain.confirm(2, scene.now(), [], 100);
    for (const merged of first.slice(0, 10)) scene.chain.confirm(1, scene.now(), [merged]);
    await poll();
    for (const merged of second) scene.chain.confirm(2, scene.now(), [merged]);
    for (const merged of first.slice(10)) scene.chain.confirm(1, scene.now(), [merged]);
    await poll();
    await poll();
    expect((await scene.texts()).toSorted()).toEqual(
      [...Array(20).keys()].flatMap((index) => [`one ${index}`, `two ${index}`]).toSorted(),
    );
    expect(await scene.gaps()).toEqual([]);
  });

  test("that cannot be read hold up no other, and are told of", async () => {
    await scene.observer.link("memes");
    for (const shard of shards) scene.chain.confirm(shard, scene.now());
    await poll();
    const { hub } = scene.context.network;
    const events: typeof hub.events = (input, options) =>
      input.shard_index === 1 ? Promise.reject(new Error("shard 1 is away")) : hub.events(input, options);
    scene.chain.confirm(2, scene.now(), [scene.castIn("of the other").merged]);
    await pollHub({ ...scene.context, network: { ...scene.context.network, hub: { ...hub, events } } });
    expect(await scene.texts()).toEqual(["of the other"]);
    const { sources } = await observeStatus(scene.context);
    expect(sources.filter(({ channelId }) => channelId === null)).toMatchObject([
      { source: "hub/1", error: "shard 1 is away" },
      { source: "hub/2", error: null },
    ]);
  });

  test("of a hub that was read as one before are read from their beginning, and what is known is told to nobody again", async () => {
    await scene.observer.link("memes");
    const [one, two] = [scene.castIn("one"), scene.castIn("two")];
    scene.chain.confirm(1, scene.now(), [one.merged]);
    scene.chain.confirm(2, scene.now(), [two.merged]);
    await pollHub({ ...scene.context, hubShards: async () => [1] });
    await scene.observer.context.database.query
      .updateTable("castellan.sources")
      .set({ source: "hub" })
      .where("source", "=", "hub/1")
      .execute();
    await poll();
    expect(await scene.texts()).toEqual(["one", "two"]);
    const { sources } = await observeStatus(scene.context);
    expect(sources.map(({ source }) => source).filter((source) => source.startsWith("hub"))).toEqual([
      "hub/1",
      "hub/2",
    ]);
  });

  test("are followed as soon as the hub says which there are, and until then it is told that it does not", async () => {
    await scene.observer.link("memes");
    scene.chain.confirm(2, scene.now(), [scene.castIn("seen").merged]);
    scene.node.faults.down = true;
    for (const first of [true, false]) {
      await expect(poll()).rejects.toMatchObject({ code: "network_unreachable" });
      const { sources } = await observeStatus(scene.context);
      const failing = sources.filter(({ failingSinceMs }) => failingSinceMs !== null);
      expect(failing.map(({ source }) => source)).toEqual(first ? ["hub"] : ["hub/1", "hub/2"]);
      scene.node.faults.down = false;
      await poll();
      const after = await observeStatus(scene.context);
      expect(after.sources.every(({ error }) => error === null)).toBe(true);
      // As after a restart.
      scene.follow(scene.node);
      scene.node.faults.down = true;
    }
    expect(await scene.texts()).toEqual(["seen"]);
  });
});

describe("time", () => {
  test("is the block's: what was merged before the link is no news, what was since is", async () => {
    const before = scene.now() - 2 * 86_400;
    scene.chain.confirm(1, before, [scene.castIn("two days old", before).merged]);
    scene.chain.casts.clear();
    await scene.observer.link("memes");
    scene.context.clock.advance(30);
    // Its author says that it is older than it is.
    scene.chain.confirm(1, scene.now() - 10, [scene.castIn("new", before).merged]);
    await poll();
    const { query } = scene.observer.context.database;
    const stored = await query.selectFrom("castellan.events").select(["kind", "occurred_at"]).execute();
    expect(stored).toEqual([{ kind: "cast.created", occurred_at: scene.now() - 10 }]);
    const indexed = await query.selectFrom("castellan.casts").select("text").orderBy("cast_at").execute();
    expect(indexed).toHaveLength(2);
  });
});

describe("a gap", () => {
  beforeEach(async () => {
    await scene.observer.link("memes");
    for (const shard of shards)
      scene.chain.confirm(shard, scene.now(), [scene.castIn(`first of ${shard}`).merged]);
    await poll();
  });

  test("is where blocks are missing, from the last one to the next, and is told once", async () => {
    const from = scene.now();
    for (let block = 0; block < 5; block += 1) {
      scene.context.clock.advance(60);
      scene.chain.confirm(1, scene.now(), [scene.castIn(`minute ${block}`).merged]);
    }
    scene.node.faults.from.set(1, 103);
    scene.chain.casts.clear();
    await poll();
    await poll();
    expect(await scene.gaps()).toEqual([{ source: "hub/1", from, until: from + 180 }]);
    expect((await scene.texts()).slice(-3)).toEqual(["minute 2", "minute 3", "minute 4"]);
  });

  test("is where a block holds less than it says", async () => {
    scene.context.clock.advance(60);
    scene.chain.confirm(1, scene.now(), [scene.castIn("kept").merged, scene.castIn("lost").merged]);
    scene.chain.shards.get(1)?.at(-1)?.events.pop();
    await poll();
    expect(await scene.gaps()).toEqual([]);
    scene.context.clock.advance(60);
    scene.chain.confirm(1, scene.now());
    await poll();
    await poll();
    expect(await scene.gaps()).toMatchObject([{ source: "hub/1", until: scene.now() }]);
  });

  test("is none in a block that takes more than one page, nor after a long silence", async () => {
    const many = Array.from({ length: 1_200 }, (_, index) => scene.castIn(`cast ${index}`).merged);
    scene.chain.confirm(1, scene.now(), many);
    await poll();
    scene.context.clock.advance(10 * 86_400);
    scene.chain.confirm(1, scene.now(), [scene.castIn("after all").merged]);
    await poll();
    expect(await scene.gaps()).toEqual([]);
    expect(await scene.texts()).toHaveLength(2 + 1_200 + 1);
  });

  test("is none while a node is behind the one that answered before", async () => {
    scene.context.clock.advance(60);
    for (const shard of shards) scene.chain.confirm(shard, scene.now());
    await poll();
    const behind = await startLiveNode(scene.chain);
    // One has the first block of two, the other none.
    behind.faults.upTo.set(1, 100).set(2, 99);
    scene.follow(behind);
    await poll();
    expect(await scene.gaps()).toEqual([]);
    for (const shard of shards) behind.faults.upTo.delete(shard);
    scene.chain.confirm(2, scene.now(), [scene.castIn("caught up").merged]);
    await poll();
    expect((await scene.texts()).at(-1)).toBe("caught up");
    expect(await scene.gaps()).toEqual([]);
    await behind.close();
  });

  test("is told when a node begins anew, with lower blocks, which is read from there", async () => {
    const known = scene.chain.shards.get(1)?.[0]?.events.slice(1) ?? [];
    const from = scene.now();
    scene.context.clock.advance(300);
    scene.chain = new LiveChain();
    const anew = await startLiveNode(scene.chain);
    scene.chain.confirm(1, scene.now() - 60, known, 5);
    scene.chain.confirm(1, scene.now(), [scene.castIn("anew").merged]);
    scene.chain.confirm(2, scene.now(), [], 5);
    scene.follow(anew);
    for (let look = 0; look < 3; look += 1) await poll();
    expect((await scene.texts()).toSorted()).toEqual(["anew", "first of 1", "first of 2"]);
    const told = (await scene.gaps()).map((gap) => JSON.stringify(gap)).toSorted();
    const until = scene.now();
    expect(told).toEqual(
      shards.map((shard) => JSON.stringify({ from, until, source: `hub/${shard}` })).toSorted(),
    );
    await anew.close();
  });
});

describe("an event that the hub cannot give", () => {
  /** Thirty casts in one block of a shard that was read before; gives the ids of its events. */
  async function confirmThirty(): Promise<number[]> {
    await scene.observer.link("memes");
    for (const shard of shards) scene.chain.confirm(shard, scene.now());
    await poll();
    const casts = Array.from({ length: 30 }, (_, index) => scene.castIn(`cast ${index}`));
    scene.chain.casts.clear();
    const merged = casts.map((cast) => cast.merged);
    return scene.chain.confirm(1, scene.now(), merged);
  }
  /** What fails alone is looked at again some seconds later. */
  const pollAndWait = async () => {
    await poll();
    scene.context.clock.advance(6);
  };
  const textsBut = (...missing: number[]) =>
    [...Array(30).keys()].filter((index) => !missing.includes(index)).map((index) => `cast ${index}`);

  test.each([
    ["which says so of it by itself", false],
    ["which ends every connection over it", true],
  ])("is passed over and reported, and everything else is told, by a node %s", async (_node, dropsSingle) => {
    scene.node.faults.dropsSingle = dropsSingle;
    const ids = await confirmThirty();
    scene.node.faults.unwritable.add(ids[18] ?? 0);
    for (let look = 0; look < 3; look += 1) await pollAndWait();
    scene.chain.confirm(1, scene.now());
    await poll();
    expect(await scene.texts()).toEqual(textsBut(17));
    expect(await scene.gaps()).toMatchObject([{ source: "hub/1" }]);
    const { setAside, sources } = await observeStatus(scene.context);
    expect(setAside).toEqual({ count: 1, latest: "the hub cannot give it" });
    expect(sources.every(({ error }) => error === null)).toBe(true);
  });

  test("in a page is asked for by itself, and then nothing is missing", async () => {
    const ids = await confirmThirty();
    scene.node.faults.tooLarge.add(ids[18] ?? 0).add(ids[19] ?? 0);
    scene.chain.confirm(1, scene.now());
    const asked = scene.node.requests.length;
    for (let look = 0; look < 3; look += 1) await pollAndWait();
    expect(await scene.texts()).toEqual(textsBut());
    expect(await scene.gaps()).toEqual([]);
    expect((await observeStatus(scene.context)).setAside.count).toBe(0);
    const single = scene.node.requests.slice(asked).filter((path) => path.startsWith("/v1/eventById"));
    expect(single).toContain(`/v1/eventById?event_id=${ids[18]}&shard_index=1`);
  });

  test("as the last of its shard is passed over: what comes next is not waited for", async () => {
    const ids = await confirmThirty();
    scene.node.faults.unwritable.add(ids[30] ?? 0);
    for (let look = 0; look < 3; look += 1) await pollAndWait();
    expect((await observeStatus(scene.context)).setAside.count).toBe(1);
    scene.chain.confirm(1, scene.now(), [scene.castIn("next").merged]);
    await poll();
    expect(await scene.texts()).toEqual([...textsBut(29), "next"]);
  });
});
