import { describe, expect, test } from "vitest";
import { AppError } from "../../src/errors.ts";
import { pollHub } from "../../src/observe/hub/poll-hub.ts";
import { hasParentsToRead, readCastsByParent } from "../../src/observe/hub/read-casts-by-parent.ts";
import { observeStatus } from "../../src/observe/observe-status.ts";
import { useLiveHub } from "../live/live-scene.ts";
import { channelUrl } from "../support/seed.ts";

const scene = useLiveHub();
/** As the workers do. */
const poll = async (context = scene.context) => {
  await pollHub(context);
  await readCastsByParent(context);
};
const shards = [1, 2];

const replyTo = (text: string, parent: { fid: number; hash: string }, at = scene.now()) =>
  scene.chain.cast({ fid: 4, text, at, parent });

describe("a channel's past", () => {
  test("is asked for by its casts, not read from events; replies to it are placed, and it is no news", async () => {
    const before = scene.now() - 86_400;
    const roots = Array.from({ length: 2_500 }, (_, index) => scene.castIn(`old ${index}`, before + index));
    const oldReply = replyTo("old reply", roots.at(-3)?.id ?? { fid: 0, hash: "" }, before + 5_000);
    for (const shard of shards) scene.chain.confirm(shard, scene.now());
    await poll();
    await scene.observer.link("memes");
    scene.context.clock.advance(10);
    for (let look = 0; look < 3; look += 1) await poll();
    expect(await scene.texts()).toEqual([]);
    expect((await observeStatus(scene.context)).past.filter(({ isListing }) => isListing)).toEqual([]);
    // Three pages; the first one twice, for one shard says that it has nothing, and may mean that it could not say.
    expect(scene.node.requests.filter((path) => path.includes("url="))).toHaveLength(4);
    // The newest are asked about first, and a few of them do here.
    const fast = { ...scene.context, settings: { ...scene.context.settings, hubCallsForPast: 10 } };
    await poll(fast);
    const answer = replyTo("an answer to the old reply", oldReply.id);
    scene.chain.confirm(2, scene.now(), [answer.merged]);
    await poll();
    expect(await scene.observer.events("cast.created")).toMatchObject([
      { data: { castHash: answer.hash, rootHash: roots.at(-3)?.hash, threadDepth: 2 } },
    ]);
  });

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

  test("that the hub does not give holds up no news, is told of by its channel, and is asked for later", async () => {
    for (const shard of shards) scene.chain.confirm(shard, scene.now());
    await scene.observer.link("memes");
    const { hub } = scene.context.network;
    const castsByParent = () => Promise.reject(new Error("not served here"));
    const network = { ...scene.context.network, hub: { ...hub, castsByParent } };
    scene.chain.confirm(1, scene.now(), [scene.castIn("new").merged]);
    await poll({ ...scene.context, network });
    expect(await scene.texts()).toEqual(["new"]);
    const status = await observeStatus(scene.context);
    expect(status.past).toMatchObject([{ channelId: "memes", isListing: true }]);
    expect(status.sources.filter(({ error }) => error !== null)).toMatchObject([
      { source: "past/memes", channelId: "memes", error: "not served here" },
    ]);
    expect(await hasParentsToRead(scene.context)).toBe(false);
    scene.context.clock.advance(10 * 60);
    expect(await hasParentsToRead(scene.context)).toBe(true);
    await poll();
    expect(await hasParentsToRead(scene.context)).toBe(false);
    expect((await observeStatus(scene.context)).sources.every(({ error }) => error === null)).toBe(true);
  });

  test("says nothing of the hub, and rests for nothing, where our own database was away", async () => {
    for (const shard of shards) scene.chain.confirm(shard, scene.now());
    await scene.observer.link("memes");
    const { database } = scene.context;
    const gone = new AppError("database_unavailable", "the database went away");
    const transaction: typeof database.transaction = async (work) => {
      await database.transaction(work);
      throw gone;
    };
    await pollHub(scene.context);
    await expect(
      readCastsByParent({ ...scene.context, database: { ...database, transaction } }),
    ).rejects.toBe(gone);
    expect((await observeStatus(scene.context)).sources.every(({ error }) => error === null)).toBe(true);
  });

  /** As a hub of two shards writes it, which are both behind this key. */
  const shardToken = Buffer.from(
    JSON.stringify([
      [4, 1],
      [4, 1],
    ]),
  ).toString("base64");
  test.each<[string, (calls: number) => string]>([
    ["numbers them", (calls) => `again ${calls}`],
    ["shows each shard's place", () => shardToken],
  ])("is read to its end from a hub whose pages have none, and which %s", async (_, tokenOf) => {
    const root = scene.castIn("old", scene.now() - 60);
    for (const shard of shards) scene.chain.confirm(shard, scene.now());
    await scene.observer.link("memes");
    const { hub } = scene.context.network;
    let calls = 0;
    const castsByParent: typeof hub.castsByParent = async (input) => ({
      ...(await hub.castsByParent({ ...input, pageToken: undefined })),
      ...(input.url === undefined && {
        messages: [scene.chain.cast({ fid: 4, text: "re", at: scene.now(), parent: root.id }).message],
      }),
      nextPageToken: tokenOf((calls += 1)),
    });
    const network = { ...scene.context.network, hub: { ...hub, castsByParent } };
    for (let look = 0; look < 2; look += 1) await poll({ ...scene.context, network });
    expect((await observeStatus(scene.context)).past.filter(({ isListing }) => isListing)).toEqual([]);
    expect(await hasParentsToRead(scene.context)).toBe(false);
  });
});

const asked = (by: "url=" | "hash=") => scene.node.requests.filter((path) => path.includes(by));
const indexed = async () => {
  const { query } = scene.observer.context.database;
  return (await query.selectFrom("castellan.casts").select("text").execute()).map(({ text }) => text);
};
/** Root casts of a user, one each minute, the oldest first; the user's fid says on which shard they are. */
const rootsOf = (fid: number, count: number, until = scene.now() - 3_600) =>
  Array.from({ length: count }, (_, index) =>
    scene.chain.cast({
      fid,
      text: `${fid}: ${index}`,
      at: until - (count - index) * 60,
      parentUrl: channelUrl("memes"),
    }),
  );
/** Links the channel and reads its past until nothing is left of it. */
const readAll = async (context = scene.context) => {
  for (const shard of shards) scene.chain.confirm(shard, scene.now());
  await scene.observer.link("memes");
  await pollHub(context);
  for (let look = 0; look < 30 && (await hasParentsToRead(context)); look += 1)
    await readCastsByParent(context);
};
/** So that nothing replies: of casts that are older than texts are kept, replies are not asked for. */
const withoutReplies = () => {
  const { settings } = scene.context;
  return { ...scene.context, settings: { ...settings, history: { ...settings.history, seconds: 0 } } };
};

describe("pages of a hub of two shards, which always name a next one", () => {
  test("are read until each shard has ended, and a shard that ended sooner is not begun anew", async () => {
    rootsOf(4, 2_500);
    rootsOf(5, 3_300);
    await readAll(withoutReplies());
    expect(new Set(await indexed()).size).toBe(5_800);
    expect((await observeStatus(scene.context)).past.filter(({ isListing }) => isListing)).toEqual([]);
    expect(asked("url=")).toHaveLength(4);
  });

  test("pass over nothing when every other page comes from a node with its shards in another order", async () => {
    rootsOf(4, 2_500, scene.now() - 100 * 86_400);
    rootsOf(5, 2_500);
    const { hub } = scene.context.network;
    const castsByParent: typeof hub.castsByParent = (input) => {
      scene.node.faults.shardOrder = scene.node.requests.length % 2 === 0 ? [1, 2] : [2, 1];
      return hub.castsByParent(input);
    };
    await readAll({
      ...withoutReplies(),
      network: { ...scene.context.network, hub: { ...hub, castsByParent } },
    });
    expect(new Set(await indexed()).size).toBe(5_000);
  });

  test("reach casts on one shard that are newer than all of the other", async () => {
    rootsOf(4, 3, scene.now() - 500 * 86_400);
    rootsOf(5, 1_500);
    await readAll(withoutReplies());
    expect(new Set(await indexed()).size).toBe(1_503);
  });

  test("are read though a channel with a longer name makes the hub say that there is nothing", async () => {
    const [old] = rootsOf(4, 1);
    for (const fid of [4, 5]) {
      const parentUrl = `${channelUrl("memes")}-art`;
      scene.chain.cast({ fid, text: "of another", at: scene.now() - 60, parentUrl });
    }
    await readAll();
    expect(await indexed()).toEqual([old?.message["data"] && "4: 0"]);
  });

  test("cost one call for a cast with one reply", async () => {
    const [root] = rootsOf(4, 1);
    replyTo("re", root?.id ?? { fid: 0, hash: "" }, scene.now() - 50);
    await readAll();
    // One for the root, one for the reply itself.
    expect(asked("hash=")).toHaveLength(2);
    expect((await indexed()).toSorted()).toEqual(["4: 0", "re"]);
  });

  test("of many replies are stored one by one, each within the budget of calls", async () => {
    const [root] = rootsOf(4, 1);
    for (let index = 0; index < 2_500; index += 1) {
      replyTo(`re ${index}`, root?.id ?? { fid: 0, hash: "" }, scene.now() - 3_000 + index);
    }
    const settings = { ...scene.context.settings, hubCallsForPast: 1 };
    const context = { ...scene.context, settings };
    for (const shard of shards) scene.chain.confirm(shard, scene.now());
    await scene.observer.link("memes");
    await pollHub(context);
    const counts: number[] = [];
    for (let run = 0; run < 5; run += 1) {
      await readCastsByParent(context);
      counts.push((await indexed()).length);
      // The replies' own turn would come first.
      await context.database.query
        .updateTable("castellan.casts")
        .set({ replies_known: true })
        .where("parent_hash", "is not", null)
        .execute();
    }
    expect(counts).toEqual([1, 1, 1_001, 2_001, 2_501]);
  });
});
