import { beforeEach, describe, expect, test } from "vitest";
import { pollHub } from "../../src/observe/hub/poll-hub.ts";
import { LiveChain, startLiveNode } from "../live/live-hub.ts";
import { useLiveHub } from "../live/live-scene.ts";

const scene = useLiveHub();
const shards = [1, 2];
const poll = () => pollHub(scene.context);

describe("a gap to a hub that was reset", () => {
  beforeEach(async () => {
    await scene.observer.link("memes");
    for (const shard of shards)
      scene.chain.confirm(shard, scene.now(), [scene.castIn(`first of ${shard}`).merged]);
    await poll();
  });

  test("is reported, also where the event that was read last came by itself", async () => {
    scene.context.clock.advance(60);
    const [, id = 0] = scene.chain.confirm(1, scene.now(), [scene.castIn("large").merged]);
    scene.node.faults.tooLarge.add(id);
    for (let polls = 0; polls < 3; polls += 1) await poll().catch(() => {});
    expect((await scene.texts()).at(-1)).toBe("large");
    expect(await scene.gaps()).toEqual([]);
    scene.context.clock.advance(300);
    scene.chain = new LiveChain();
    const node = await startLiveNode(scene.chain);
    scene.chain.confirm(1, scene.now(), [scene.castIn("after the reset").merged], 5);
    scene.chain.confirm(2, scene.now(), [], 5);
    scene.follow(node);
    for (let polls = 0; polls < 3; polls += 1) await poll();
    expect((await scene.texts()).at(-1)).toBe("after the reset");
    expect(await scene.gaps()).toContainEqual(expect.objectContaining({ source: "hub/1" }));
    await node.close();
  });

  test("is reported where blocks of the new node continue, by chance, from the height that was read last", async () => {
    scene.context.settings.hubStalledAfter = 120;
    const position = scene.chain.shards.get(1)?.at(-1)?.number ?? 0;
    scene.context.clock.advance(300);
    scene.chain = new LiveChain();
    const node = await startLiveNode(scene.chain, () => scene.context.clock.now());
    for (const shard of shards) scene.chain.confirm(shard, scene.now(), [], position + 1);
    scene.follow(node);
    for (let polls = 0; polls < 3; polls += 1) await poll();
    expect(await scene.gaps()).toContainEqual(
      expect.objectContaining({ source: "hub/1", until: scene.now() }),
    );
    delete scene.context.settings.hubStalledAfter;
    await node.close();
  });

  test("is reported where the new node has reached the same height when it answers again", async () => {
    const position = scene.chain.shards.get(1)?.at(-1)?.number ?? 0;
    scene.context.clock.advance(300);
    scene.chain = new LiveChain();
    const node = await startLiveNode(scene.chain);
    for (const shard of shards) scene.chain.confirm(shard, scene.now() - 120, [], position - 2);
    scene.chain.confirm(1, scene.now() - 60, [scene.castIn("below the height").merged]);
    scene.chain.confirm(1, scene.now() - 30);
    scene.chain.confirm(1, scene.now(), [scene.castIn("above the height").merged]);
    scene.follow(node);
    for (let polls = 0; polls < 3; polls += 1) await poll();
    expect((await scene.texts()).slice(-2)).toEqual(["below the height", "above the height"]);
    expect(await scene.gaps()).toContainEqual(expect.objectContaining({ source: "hub/1" }));
    await node.close();
  });
});
