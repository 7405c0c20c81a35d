import { beforeEach, describe, expect, test } from "vitest";
import { pollHub } from "../../src/observe/hub/poll-hub.ts";
import { hasParentsToRead, readCastsByParent } from "../../src/observe/hub/read-casts-by-parent.ts";
import { observeStatus } from "../../src/observe/observe-status.ts";
import { useLiveHub } from "../live/live-scene.ts";
import { channelUrl } from "../support/seed.ts";

const scene = useLiveHub();
const asked = () => scene.node.requests.filter((path) => path.startsWith("/v1/castById"));
const poll = async () => {
  await pollHub(scene.context);
  for (let look = 0; look < 10 && (await hasParentsToRead(scene.context)); look += 1)
    await readCastsByParent(scene.context);
};

/** An author of the channel, and a cast of theirs in it that neither events nor listings ever brought. */
const regular = 3;
const member = 5;
function lost(text: string, at = scene.now()) {
  const cast = scene.castIn(text, at);
  scene.chain.hidden.add(cast.hash);
  return cast;
}
const reply = (text: string, parent: { fid: number; hash: string }, fid = 4) =>
  scene.chain.cast({ fid, text, at: scene.now(), parent });
const merge = (...casts: { merged: Record<string, unknown> }[]) =>
  scene.chain.confirm(
    1,
    scene.now(),
    casts.map(({ merged }) => merged),
  );

beforeEach(async () => {
  await scene.observer.link("memes");
  scene.context.clock.advance(10);
  merge(scene.castIn("known"));
  scene.chain.confirm(2, scene.now());
  await poll();
  await scene.observer.context.database.query
    .insertInto("castellan.listing_entries")
    .values({ channel_id: "memes", listing: "members", fid: member, at: 1, role: null, inviter_fid: null })
    .execute();
  scene.node.requests.length = 0;
});

describe("the unknown parent of a reply", () => {
  test("by somebody who casts in a linked channel is asked for, and the reply is told where it belongs", async () => {
    const root = lost("never brought", scene.now() - 3600);
    merge(reply("an answer", root.id));
    await poll();
    expect(asked()).toEqual([`/v1/castById?fid=${regular}&hash=${root.hash}`]);
    expect(await scene.texts()).toEqual(["known", "an answer"]);
    expect((await scene.observer.events("cast.created")).at(-1)).toMatchObject({
      channelId: "memes",
      data: { rootHash: root.hash, threadDepth: 1 },
    });
  });

  test("is asked for along a thread, until it meets the channel", async () => {
    const root = lost("root", scene.now() - 3600);
    const between = reply("between", root.id, member);
    scene.chain.hidden.add(between.hash);
    merge(reply("below", between.id));
    await poll();
    expect(asked()).toHaveLength(2);
    expect((await scene.texts()).slice(1)).toContain("below");
    expect((await scene.observer.events("cast.created")).at(-1)).toMatchObject({ data: { threadDepth: 2 } });
  });

  test("is asked for once, however many replies wait for it, and not again where the hub has none", async () => {
    const gone = { fid: regular, hash: `0x${"ab".repeat(20)}` };
    merge(...Array.from({ length: 20 }, (_, index) => reply(`answer ${index}`, gone)));
    await poll();
    merge(reply("one more", gone));
    await poll();
    expect(asked()).toHaveLength(1);
    expect(await scene.texts()).toEqual(["known"]);
  });

  test("that is elsewhere brings nothing, and is not asked for again", async () => {
    const elsewhere = scene.chain.cast({ fid: regular, text: "elsewhere", at: scene.now() });
    merge(reply("an answer", elsewhere.id));
    await poll();
    merge(reply("another", elsewhere.id));
    await poll();
    expect(asked()).toHaveLength(1);
    expect(await scene.texts()).toEqual(["known"]);
  });

  test("is not fetched for replies of strangers, so most of the network's replies cost no call", async () => {
    merge(reply("an answer", { fid: 777, hash: `0x${"cd".repeat(20)}` }));
    await poll();
    expect(asked()).toEqual([]);
  });

  test("takes half of a run's calls while the past waits, and all of them otherwise", async () => {
    const gone = (index: number) => ({ fid: regular, hash: `0x${String(index).repeat(40)}` });
    merge(...[1, 2, 3].map((index) => reply(`answer ${index}`, gone(index))));
    await pollHub(scene.context);
    const context = { ...scene.context, settings: { ...scene.context.settings, hubCallsForPast: 2 } };
    const { query } = scene.context.database;
    await query.updateTable("castellan.watched_channels").set({ past_page: "" }).execute();
    await readCastsByParent(context);
    expect(asked()).toHaveLength(1);
    expect(scene.node.requests.filter((path) => path.startsWith("/v1/castsByParent"))).toHaveLength(1);
    await query.updateTable("castellan.watched_channels").set({ past_page: null }).execute();
    await query.updateTable("castellan.casts").set({ replies_known: true }).execute();
    await readCastsByParent(context);
    expect(asked()).toHaveLength(3);
  });

  test("is requested again after the hub was away", async () => {
    const root = lost("one", scene.now() - 60);
    merge(reply("answer", root.id));
    await pollHub(scene.context);
    scene.node.faults.down = true;
    await expect(readCastsByParent(scene.context)).rejects.toMatchObject({ code: "network_unreachable" });
    const { sources } = await observeStatus(scene.context);
    expect(sources.find(({ source }) => source === "older casts")?.error).not.toBeNull();
    scene.node.faults.down = false;
    await poll();
    expect((await scene.texts()).toSorted()).toEqual(["answer", "known"]);
  });

  test("is none of another hash, whatever the hub answers", async () => {
    const root = lost("asked for", scene.now() - 60);
    const other = lost("answered instead", scene.now() - 60);
    merge(reply("an answer", root.id));
    await pollHub(scene.context);
    const { network } = scene.context;
    const hub = { ...network.hub, castById: async () => other.message };
    await readCastsByParent({ ...scene.context, network: { ...network, hub } });
    expect(await scene.texts()).toEqual(["known"]);
    const { query } = scene.observer.context.database;
    expect(await query.selectFrom("castellan.casts").select("text").execute()).toEqual([{ text: "known" }]);
  });
});

describe("what was cast in a gap", () => {
  test("is asked for, so that replies to it are told, whoever wrote it", async () => {
    const strangers = { root: 70, between: 71 };
    const { hash } = scene.castIn("before the gap");
    const known = { fid: regular, hash };
    merge(scene.chain.cast({ fid: strangers.root, text: "in no event", at: scene.now() }));
    await poll();
    scene.context.clock.advance(60);
    const root = scene.chain.cast({
      fid: strangers.root,
      text: "root in the gap",
      at: scene.now(),
      parentUrl: channelUrl("memes"),
    });
    const between = reply("reply in the gap", known, strangers.between);
    merge(root, between);
    scene.node.faults.from.set(1, (scene.chain.shards.get(1)?.at(-1)?.number ?? 0) + 1);
    scene.context.clock.advance(60);
    merge(reply("to the root", root.id), reply("to the reply", between.id));
    await poll();
    await poll();
    expect(await scene.gaps()).toHaveLength(1);
    expect((await scene.texts()).toSorted()).toEqual(["known", "to the reply", "to the root"]);
  });
});
