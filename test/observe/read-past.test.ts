import { describe, expect, test } from "vitest";
import { pollHub } from "../../src/observe/hub/poll-hub.ts";
import { hasPast, readPast } from "../../src/observe/hub/read-past.ts";
import { observeStatus } from "../../src/observe/observe-status.ts";
import { useLiveHub } from "../live/live-scene.ts";

const scene = useLiveHub();
/** As the workers do. */
const poll = async (context = scene.context) => {
  await pollHub(context);
  await readPast(context);
};
const shards = [1, 2];

const replyTo = (text: string, parent: { fid: number; hash: string }, at = scene.now()) =>
  scene.chain.cast({ fid: 4, text, at, parent });

describe("a channel's past", () => {
  test("is asked for by its casts, not read from events; replies to it are placed, and it is no news", async () => {
    const before = scene.now() - 86_400;
    const roots = Array.from({ length: 2_500 }, (_, index) => scene.castIn(`old ${index}`, before + index));
    const oldReply = replyTo("old reply", roots[7]?.id ?? { fid: 0, hash: "" }, before + 5_000);
    for (const shard of shards) scene.chain.confirm(shard, scene.now());
    await poll();
    await scene.observer.link("memes");
    scene.context.clock.advance(10);
    for (let look = 0; look < 3; look += 1) await poll();
    expect(await scene.texts()).toEqual([]);
    expect((await observeStatus(scene.context)).backfilling).toEqual([]);
    expect(scene.node.requests.filter((path) => path.includes("url="))).toHaveLength(3);
    // The newest are asked about first, so the reply's own root waits for its turn.
    const fast = { ...scene.context, settings: { ...scene.context.settings, hubCallsForPast: 3_000 } };
    await poll(fast);
    const answer = replyTo("an answer to the old reply", oldReply.id);
    scene.chain.confirm(2, scene.now(), [answer.merged]);
    await poll();
    expect(await scene.observer.events("cast.created")).toMatchObject([
      { data: { castHash: answer.hash, rootHash: roots[7]?.hash, threadDepth: 2 } },
    ]);
  }, 60_000);

  test("that the hub's events bring too is told when it was merged since the link, once", async () => {
    for (const shard of shards) scene.chain.confirm(shard, scene.now());
    await poll();
    await scene.observer.link("memes");
    scene.context.clock.advance(10);
    // Its author says that it is from before the link.
    const late = scene.castIn("backdated", scene.now() - 3_600);
    await poll();
    expect(await scene.texts()).toEqual([]);
    scene.chain.confirm(1, scene.now(), [late.merged]);
    await poll();
    await poll();
    expect(await scene.texts()).toEqual(["backdated"]);
  });

  test("that the hub does not give holds up no news, and is told of", async () => {
    for (const shard of shards) scene.chain.confirm(shard, scene.now());
    await scene.observer.link("memes");
    const { hub } = scene.context.network;
    const castsByParent = () => Promise.reject(new Error("not served here"));
    const network = { ...scene.context.network, hub: { ...hub, castsByParent } };
    scene.chain.confirm(1, scene.now(), [scene.castIn("new").merged]);
    await expect(poll({ ...scene.context, network })).rejects.toThrow("not served here");
    expect(await scene.texts()).toEqual(["new"]);
    const status = await observeStatus(scene.context);
    expect(status.backfilling).toEqual(["memes"]);
    expect(status.sources.filter(({ error }) => error !== null)).toMatchObject([
      { source: "older casts", error: "not served here" },
    ]);
    expect(await hasPast(scene.context)).toBe(true);
    await poll();
    expect(await hasPast(scene.context)).toBe(false);
    expect((await observeStatus(scene.context)).sources.every(({ error }) => error === null)).toBe(true);
  });

  test("is read to its end from a hub whose pages have none", async () => {
    const root = scene.castIn("old", scene.now() - 60);
    for (const shard of shards) scene.chain.confirm(shard, scene.now());
    await scene.observer.link("memes");
    const { hub } = scene.context.network;
    const castsByParent: typeof hub.castsByParent = async (input) => ({
      ...(await hub.castsByParent({ ...input, pageToken: undefined })),
      ...(input.url === undefined && {
        messages: [scene.chain.cast({ fid: 4, text: "re", at: scene.now(), parent: root.id }).message],
      }),
      nextPageToken: "again",
    });
    const network = { ...scene.context.network, hub: { ...hub, castsByParent } };
    for (let look = 0; look < 2; look += 1) await poll({ ...scene.context, network });
    expect((await observeStatus(scene.context)).backfilling).toEqual([]);
  });
});
