import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { pollHub } from "../../src/observe/hub/poll-hub.ts";
import { readCastsByParent } from "../../src/observe/hub/read-casts-by-parent.ts";
import { observeStatus } from "../../src/observe/observe-status.ts";
import { eraseAuthor } from "../../src/retention/erase-author.ts";
import { LiveChain, startLiveNode } from "../live/live-hub.ts";
import { useLiveHub } from "../live/live-scene.ts";
import { channelUrl } from "../support/seed.ts";

const scene = useLiveHub();
const poll = () => pollHub(scene.context);
const shards = [1, 2];

/** The channel linked, and both shards read until now. */
async function begin(): Promise<void> {
  await scene.observer.link("memes");
  for (const shard of shards) scene.chain.confirm(shard, scene.now());
  await poll();
  await readCastsByParent(scene.context);
  scene.context.clock.advance(10);
}
const reply = (text: string, parent: { fid: number; hash: string }) =>
  scene.chain.cast({ fid: 4, text, at: scene.now(), parent });
const pastPages = async () => {
  const { query } = scene.context.database;
  const rows = await query.selectFrom("castellan.watched_channels").select("past_page").execute();
  return rows.map((row) => row.past_page);
};
/** A cast that nobody brought. */
const strange = (fid: number) => ({ fid, hash: `0x${"9".repeat(40)}` });
const waiting = async () => (await observeStatus(scene.context)).waitingReplies;
/** All shards are read until then. */
async function passBy(seconds: number): Promise<void> {
  scene.context.clock.advance(seconds);
  for (const shard of shards) scene.chain.confirm(shard, scene.now());
  await poll();
}
const indexed = () =>
  scene.context.database.query
    .selectFrom("castellan.casts")
    .select(["text", "removed_at", "erased_at_ms"])
    .orderBy("cast_at")
    .execute();
const removal = (hash: string) => ({
  type: "HUB_EVENT_TYPE_MERGE_MESSAGE",
  mergeMessageBody: {
    message: {
      data: { type: "MESSAGE_TYPE_CAST_REMOVE", fid: 3, castRemoveBody: { targetHash: hash } },
      hash: `0x${"12".repeat(20)}`,
    },
    deletedMessages: [],
  },
});
/** The hub, which does something else before its answer of casts by parent is read. */
function whileAsked(meanwhile: () => Promise<void>) {
  const { hub } = scene.context.network;
  const castsByParent: typeof hub.castsByParent = async (input) => {
    const page = await hub.castsByParent(input);
    await meanwhile();
    return page;
  };
  return { ...scene.context, network: { ...scene.context.network, hub: { ...hub, castsByParent } } };
}

describe("a reply that is told of before its parent", () => {
  test("and taken away meanwhile, is told no more; what replies to it is", async () => {
    await begin();
    const root = scene.castIn("root");
    scene.chain.casts.clear();
    const first = reply("taken away", root.id);
    const second = reply("answers it", first.id);
    scene.chain.confirm(2, scene.now(), [first.merged, second.merged, removal(first.hash)]);
    await poll();
    scene.context.clock.advance(700);
    scene.chain.confirm(1, scene.now(), [root.merged]);
    scene.chain.confirm(2, scene.now());
    await poll();
    expect(await scene.texts()).toEqual(["root", "answers it"]);
    expect(await scene.observer.events("cast.removed")).toEqual([]);
    // It is the place of what replies to it, and nothing else of it is kept.
    const removed = (await indexed()).filter(({ removed_at }) => removed_at !== null);
    expect(removed).toEqual([{ text: "", removed_at: scene.now() - 700, erased_at_ms: null }]);
  });

  test("waits for the shard of its parent, however late that is", async () => {
    await begin();
    const root = scene.castIn("root");
    scene.chain.casts.clear();
    scene.chain.confirm(2, scene.now(), [reply("reply", root.id).merged]);
    // The other shard answers, and has nothing new: its node lags.
    for (let minutes = 0; minutes < 40; minutes += 10) {
      await poll();
      scene.context.clock.advance(600);
      scene.chain.confirm(2, scene.now());
    }
    scene.chain.confirm(1, scene.now() - 2_000, [root.merged]);
    await poll();
    expect(await scene.texts()).toEqual(["root", "reply"]);
  });

  test("is told though both are stored at the same moment", async () => {
    await begin();
    const said: string[] = [];
    for (let round = 0; round < 12; round += 1) {
      const root = scene.castIn(`root ${round}`);
      scene.chain.confirm(1, scene.now(), [root.merged]);
      scene.chain.confirm(2, scene.now(), [reply(`reply ${round}`, root.id).merged]);
      said.push(`root ${round}`, `reply ${round}`);
      await poll();
    }
    expect((await scene.texts()).toSorted()).toEqual(said.toSorted());
  });

  test("is dropped once every shard told of what was merged long after it, though another never ends", async () => {
    await begin();
    scene.chain.confirm(2, scene.now(), [reply("stray", strange(9)).merged]);
    await poll();
    expect(await waiting()).toBe(1);
    scene.context.clock.advance(700);
    scene.chain.confirm(1, scene.now());
    await poll();
    expect(await waiting()).toBe(1);
    scene.chain.confirm(2, scene.now());
    await poll();
    expect(await waiting()).toBe(0);
  });

  test("is dropped after an hour while the past is still being read, where its parent may be", async () => {
    await begin();
    scene.chain.confirm(2, scene.now(), [reply("stray", strange(9)).merged]);
    await poll();
    await scene.context.database.query
      .updateTable("castellan.watched_channels")
      .set({ past_page: "", past_retry_at_ms: scene.context.clock.now() + 86_400_000 })
      .execute();
    await passBy(700);
    expect(await waiting()).toBe(1);
    await passBy(3_600);
    expect(await waiting()).toBe(0);
    expect(await scene.gaps()).toEqual([]);
  });

  test.each([
    ["waits until its parent was requested, with the replies to it, and holds up no others", [1, 2]],
    ["waits as well where another shard is late to tell that its parent's author is one of ours", [2, 1]],
  ])("%s", async (_, order) => {
    await begin();
    const first = reply("to somebody of the channel", { fid: 3, hash: `0x${"8".repeat(40)}` });
    const { merged } = reply("an answer to that", first.id);
    const told = new Map([
      [1, [scene.castIn("of the channel").merged]],
      [2, [first.merged, merged, reply("stray", strange(9)).merged]],
    ]);
    for (const shard of order) {
      scene.chain.confirm(shard, scene.now(), told.get(shard));
      await poll();
    }
    expect(await waiting()).toBe(3);
    await passBy(700);
    expect(await waiting()).toBe(2);
    await readCastsByParent(scene.context);
    await passBy(1);
    expect(await waiting()).toBe(0);
  });

  test("is dropped where a shard that is away leaves too many, the oldest first, which is told as a gap", async () => {
    await begin();
    const from = scene.now() - 60_000;
    const most = 50_000;
    const fill = (count: number) =>
      sql`
        insert into castellan.waiting_replies (hash, parent_hash, merged_at, cast_json)
        select 'reply ' || n, 'parent ' || n, ${from}::bigint + n, '{}' from generate_series(1, ${count}::int) n
        on conflict do nothing
      `.execute(scene.context.database.query);
    scene.node.faults.upTo.set(1, 99);
    await sql`update castellan.sources set newest_at = ${from} where source = 'hub/1'`.execute(
      scene.context.database.query,
    );
    await fill(most);
    await poll();
    expect(await scene.gaps()).toEqual([]);
    await fill(most + 1);
    for (let look = 0; look < 2; look += 1) await poll();
    expect(await waiting()).toBe(most / 2);
    expect(await scene.gaps()).toEqual([{ source: "replies", from: from + 1, until: from + most / 2 + 1 }]);
    expect(await pastPages()).toEqual([""]);
  });

  test("does not have the past read from its beginning if too many are dropped while it is read", async () => {
    await begin();
    scene.chain.confirm(1, scene.now(), [scene.castIn("known").merged]);
    await poll();
    const { query } = scene.context.database;
    await query.updateTable("castellan.casts").set({ replies_known: true }).execute();
    await query.updateTable("castellan.watched_channels").set({ past_page: "half-way" }).execute();
    await sql`
      insert into castellan.waiting_replies (hash, parent_hash, parent_fid, is_wanted, merged_at, cast_json)
      select 'reply ' || n, 'parent ' || n, 1, n > 1, n, '{}' from generate_series(1, 50002) n
    `.execute(query);
    await poll();
    expect(await waiting()).toBe(25_000);
    expect(await scene.gaps()).toHaveLength(1);
    expect(await pastPages()).toEqual(["half-way"]);
    const known = await query.selectFrom("castellan.casts").select("replies_known").execute();
    expect(known).toEqual([{ replies_known: true }]);
  });
});

test("What comes with an id that was another's, since the hub's ids began anew, is told all the same", async () => {
  await begin();
  const old = ["one", "two"].map((text) => scene.castIn(text));
  for (const { merged } of old) scene.chain.confirm(1, scene.now(), [merged]);
  await poll();
  scene.context.clock.advance(60);
  scene.chain = new LiveChain();
  const anew = await startLiveNode(scene.chain);
  scene.follow(anew);
  for (const shard of shards) scene.chain.confirm(shard, scene.now());
  for (let look = 0; look < 2; look += 1) await poll();
  const [first, second] = ["three", "four"].map((text) => scene.castIn(text));
  for (const merged of [
    first?.merged,
    second?.merged,
    removal(old[0]?.hash ?? ""),
    removal(first?.hash ?? ""),
  ])
    scene.chain.confirm(1, scene.now(), [merged ?? {}]);
  for (let look = 0; look < 2; look += 1) await poll();
  expect(await scene.texts()).toEqual(["one", "two", "three", "four"]);
  expect((await scene.observer.events("cast.removed")).map(({ data }) => data)).toEqual(
    [old[0], first].map((cast) => ({ castHash: cast?.hash })),
  );
  await anew.close();
});

describe("casts that are asked for", () => {
  test("are removed where their removal is told of while the answer is under way", async () => {
    for (const shard of shards) scene.chain.confirm(shard, scene.now());
    await poll();
    const root = scene.castIn("to be removed", scene.now() - 100);
    const rest = scene.castIn("stays", scene.now() - 50);
    expect(rest.hash).not.toBe(root.hash);
    await scene.observer.link("memes");
    await poll();
    const context = whileAsked(async () => {
      if (!scene.chain.casts.delete(root.hash)) return;
      scene.chain.confirm(1, scene.now(), [removal(root.hash)]);
      await poll();
    });
    for (let look = 0; look < 2; look += 1) await readCastsByParent(context);
    expect(await indexed()).toMatchObject([
      { text: "to be removed", removed_at: scene.now() },
      { text: "stays", removed_at: null },
    ]);
  });

  test("are news by the hub's time alone, whenever their author says that they wrote them", async () => {
    await begin();
    await scene.observer.unlink("memes");
    await poll();
    await scene.observer.link("memes");
    scene.context.clock.advance(100);
    const ahead = scene.castIn("dated ahead", scene.now() + 500);
    await poll();
    await readCastsByParent(scene.context);
    expect(await scene.texts()).toEqual([]);
    scene.chain.confirm(1, scene.now() - 5, [ahead.merged]);
    for (let look = 0; look < 2; look += 1) await poll();
    const { query } = scene.context.database;
    const told = await query.selectFrom("castellan.events").select(["kind", "occurred_at"]).execute();
    expect(told).toEqual([{ kind: "cast.created", occurred_at: scene.now() - 5 }]);
  });

  test("stay erased where their author asked for it before, as do what a late shard tells and the author's name", async () => {
    const { chain } = scene;
    await begin();
    const [past, late, other] = [
      scene.castIn("SECRET past", scene.now() - 500),
      scene.castIn("SECRET late"),
      chain.cast({ fid: 5, text: "of another", at: scene.now(), parentUrl: channelUrl("memes") }),
    ];
    for (const { hash } of [late, other]) chain.casts.delete(hash);
    const at = scene.now();
    const name = chain.proof("rose", 3, at);
    const shown = chain.userData(3, "USER_DATA_TYPE_USERNAME", "rose", at);
    scene.context.clock.advance(5);
    await eraseAuthor(scene.context, 3);
    scene.context.clock.advance(3_600);
    const { query } = scene.context.database;
    await query.updateTable("castellan.watched_channels").set({ past_page: "" }).execute();
    await readCastsByParent(scene.context);
    chain.confirm(1, at, [late.merged, other.merged, name, shown]);
    const anew = scene.castIn("written since");
    chain.confirm(1, scene.now(), [anew.merged]);
    await poll();
    expect(await scene.texts()).toEqual(["of another", "written since"]);
    const erased = (await indexed()).filter(({ erased_at_ms }) => erased_at_ms !== null);
    expect(erased.map(({ text }) => text)).toEqual(["", ""]);
    expect((await indexed()).map(({ text }) => text).toSorted()).toEqual([
      "",
      "",
      "of another",
      "written since",
    ]);
    for (const table of ["castellan.names", "castellan.shown_names"] as const) {
      expect(await query.selectFrom(table).selectAll().execute()).toEqual([]);
    }
    expect(past.hash).not.toBe(late.hash);
  });
});
