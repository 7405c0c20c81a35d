import { describe, expect, test } from "vitest";
import { pollHub } from "../../src/observe/hub/poll-hub.ts";
import { createHubShards } from "../../src/observe/hub/shards.ts";
import { isBehind } from "../../src/observe/sources.ts";
import { observeStatus } from "../../src/observe/observe-status.ts";
import { useLiveHub } from "../live/live-scene.ts";

const scene = useLiveHub();
const shards = [1, 2];
const refuseInfo = (status: number, body: unknown) =>
  scene.node.faults.refused.set("/v1/info", { status, body });
const hubRows = async (context = scene.context) => {
  const { sources } = await observeStatus(context);
  return sources.filter(({ channelId }) => channelId === null).map(({ source, error }) => [source, error]);
};

describe("the shards of a hub that has no /v1/info", () => {
  test("are found by trying, and each is read by itself", async () => {
    scene.node.faults.missing.add("/v1/info");
    await scene.observer.link("memes");
    for (const shard of shards) scene.chain.confirm(shard, scene.now());
    await pollHub(scene.context);
    scene.chain.confirm(2, scene.now(), [scene.castIn("of two").merged], 500);
    await pollHub(scene.context);
    scene.chain.confirm(1, scene.now(), [scene.castIn("of one").merged]);
    await pollHub(scene.context);
    expect((await scene.texts()).toSorted()).toEqual(["of one", "of two"]);
    expect(await hubRows()).toEqual([
      ["hub/1", null],
      ["hub/2", null],
    ]);
  });

  test.each([
    ["gives an older hub's", () => (scene.node.faults.withoutShards = true)],
    ["gives none to this key", () => refuseInfo(403, { message: "Not in your plan" })],
    ["gives a text", () => refuseInfo(200, "ok")],
    ["fails", () => refuseInfo(500, { error: "Failed to get info" })],
  ])("are found by trying where it %s", async (_name, prepare) => {
    prepare();
    for (const shard of shards) scene.chain.confirm(shard, scene.now());
    await pollHub(scene.context);
    expect(await hubRows()).toEqual([
      ["hub/1", null],
      ["hub/2", null],
    ]);
  });

  test("are asked for by a sentence where the hub takes any number for one", async () => {
    scene.node.faults.missing.add("/v1/info");
    for (const shard of shards) scene.chain.confirm(shard, scene.now());
    const { hub } = scene.context.network;
    const events: typeof hub.events = ({ shard_index: _, ...input }, options) => hub.events(input, options);
    const network = { ...scene.context.network, hub: { ...hub, events } };
    const own = { ...scene.context, network };
    await expect(createHubShards(own)()).rejects.toThrow("Set HUB_SHARD");
    const set = { ...own, settings: { ...own.settings, hubShard: 2 } };
    expect(await createHubShards(set)()).toEqual([2]);
  });
});

test("A shard that this node does not hold is told of, and the others are read", async () => {
  await scene.observer.link("memes");
  scene.chain.shards.delete(2);
  scene.chain.confirm(1, scene.now());
  const { hub } = scene.context.network;
  const info: typeof hub.info = async (input) => ({ ...(await hub.info(input)), numShards: 2 });
  const own = { ...scene.context, network: { ...scene.context.network, hub: { ...hub, info } } };
  const context = { ...own, hubShards: createHubShards(own) };
  await pollHub(context);
  scene.chain.confirm(1, scene.now(), [scene.castIn("of one").merged]);
  await pollHub(context);
  expect(await scene.texts()).toEqual(["of one"]);
  expect(await hubRows()).toEqual([
    ["hub/1", null],
    ["hub/2", expect.stringContaining("Shard not found")],
  ]);
});

test("A hub that does not say any more which shards it has is asked again after ten minutes, not at each look", async () => {
  let asked = 0;
  let isAway = false;
  const { hub } = scene.context.network;
  const info: typeof hub.info = async (input) => {
    asked += 1;
    if (isAway) throw new Error("away");
    return hub.info(input);
  };
  const own = { ...scene.context, network: { ...scene.context.network, hub: { ...hub, info } } };
  const find = createHubShards(own);
  await find();
  isAway = true;
  scene.context.clock.advance(601);
  for (let look = 0; look < 5; look += 1) expect(await find()).toEqual(shards);
  expect(asked).toBe(2);
  scene.context.clock.advance(601);
  await find();
  expect(asked).toBe(3);
});

describe("a shard that is followed no more", () => {
  test("because of HUB_SHARD is neither shown nor waited for", async () => {
    for (const shard of shards) scene.chain.confirm(shard, scene.now());
    await pollHub(scene.context);
    const { query } = scene.observer.context.database;
    await query
      .updateTable("castellan.sources")
      .set({ behind: true })
      .where("source", "=", "hub/2")
      .execute();
    const own = { ...scene.context, settings: { ...scene.context.settings, hubShard: 1 } };
    const context = { ...own, hubShards: createHubShards(own) };
    expect(await isBehind(scene.context)).toBe(true);
    expect(await isBehind(context)).toBe(false);
    expect(await hubRows(context)).toEqual([["hub/1", null]]);
    const failing = { ...context, hubShards: () => Promise.reject(new Error("away")) };
    await expect(pollHub(failing)).rejects.toThrow("away");
    expect(await hubRows()).toEqual([
      ["hub/1", "away"],
      ["hub/2", null],
    ]);
  });

  test("because the hub no longer lists it is reported, and does not keep the process from idling", async () => {
    for (const shard of shards) scene.chain.confirm(shard, scene.now());
    await pollHub(scene.context);
    const { query } = scene.observer.context.database;
    await query
      .updateTable("castellan.sources")
      .set({ behind: true })
      .where("source", "=", "hub/2")
      .execute();
    await pollHub({ ...scene.context, hubShards: async () => [1] });
    expect(await hubRows()).toEqual([
      ["hub/1", null],
      ["hub/2", expect.stringContaining("no longer lists this shard")],
    ]);
    expect(await isBehind(scene.context)).toBe(false);
    await pollHub(scene.context);
    expect((await hubRows()).map(([, error]) => error)).toEqual([null, null]);
  });
});
