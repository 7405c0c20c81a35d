import * as fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import type { HubEvent } from "../../src/contract/hub.ts";
import { pollHub } from "../../src/observe/hub/poll-hub.ts";
import { readCastsByParent } from "../../src/observe/hub/read-casts-by-parent.ts";
import { observeStatus } from "../../src/observe/observe-status.ts";
import { custodyOf, signTransfer } from "../support/signing.ts";
import { channelUrl } from "../support/seed.ts";
import { useObserver } from "../support/scenes.ts";

const observer = await useObserver();
beforeEach(async () => {
  const { seed } = observer.network;
  for (const fid of [1, 2, 3]) await seed.account(fid);
  await seed.channel("memes");
  await seed.channel("art");
});

const cast = async (fid: number, place: { channelId?: string; parentHash?: string }, text = "gm") =>
  (await observer.network.api.operator.cast({ fid, text, ...place })).hash;
/** As the workers do. */
const poll = async (context = observer.context) => {
  await pollHub(context);
  await readCastsByParent(context);
};
const hashes = async (kind: "cast.created" | "cast.removed" = "cast.created") =>
  (await observer.events(kind)).map(({ data }) => String("castHash" in data && data.castHash));

const transfer = async (name: string, from: number, to: number, fid?: number) => {
  const timestamp = Math.floor(observer.context.clock.now() / 1000);
  const input = await signTransfer({ name, from, to, timestamp, ...(fid === undefined ? {} : { fid }) });
  await observer.network.public.transfers.create(input);
  observer.context.clock.advance(1);
};
const dying = async () => {
  throw new Error("died here");
};

/** A hub that says what the test says; `events` from an id on. */
function scriptHub(events: () => HubEvent[]) {
  const hub = {
    ...observer.context.network.hub,
    events: async ({ from_event_id = 0 }: { from_event_id?: number | string | undefined }) => ({
      events: events().filter((event) => event.id >= Number(from_event_id)),
    }),
  };
  return { ...observer.context, network: { ...observer.context.network, hub } };
}

const scripted = (
  id: number,
  hash: number,
  place: { parentUrl?: string; parent?: number; parentFid?: number },
): HubEvent => ({
  type: "HUB_EVENT_TYPE_MERGE_MESSAGE",
  id,
  timestamp: Math.floor(observer.context.clock.now() / 1000),
  mergeMessageBody: {
    message: {
      hash: hashOf(hash),
      data: {
        type: "MESSAGE_TYPE_CAST_ADD",
        fid: 3,
        timestamp: 100,
        castAddBody: {
          text: `cast ${hash}`,
          parentUrl: place.parentUrl ?? null,
          parentCastId: place.parent ? { fid: place.parentFid ?? 3, hash: hashOf(place.parent) } : null,
        },
      },
    },
  },
});
const hashOf = (number: number) => `0x${number.toString(16).padStart(40, "0")}`;

describe("casts", () => {
  test("of a linked channel and everything that replies to them become events, others do not", async () => {
    await observer.link("memes");
    await poll();
    const root = await cast(1, { channelId: "memes" });
    const reply = await cast(2, { parentHash: root });
    const foreign = await cast(2, { channelId: "art" });
    await cast(3, { parentHash: foreign });
    const below = await cast(3, { parentHash: reply });
    await poll();
    expect(await hashes()).toEqual([root, reply, below]);
    expect((await observer.events("cast.created")).at(-1)).toMatchObject({
      channelId: "memes",
      subjectFid: 3,
      data: { rootHash: root, parentHash: reply, threadDepth: 2 },
    });
  });

  test("are followed from the link on, and what else the channel shows is looked at there and then", async () => {
    const woken: string[] = [];
    const context = {
      ...observer.context,
      wake: async (...told: readonly (string | undefined)[]) => void woken.push(told.join(" ")),
    };
    await observer.link("memes");
    await observer.link("art");
    await pollHub(context);
    await observer.link("memes", "another guild");
    await pollHub(context);
    expect(woken.toSorted()).toEqual([
      "poll-listings art",
      "poll-listings memes",
      "poll-records art",
      "poll-records memes",
      "read-past",
    ]);
  });

  test("that were there before the link are indexed without being news, so that replies to them are", async () => {
    const root = await cast(1, { channelId: "memes" });
    const old = await cast(2, { parentHash: root });
    await poll();
    observer.context.clock.advance(60);
    await observer.link("memes");
    const reply = await cast(2, { parentHash: old });
    await poll();
    expect(await hashes()).toEqual([reply]);
    const index = await observer.context.database.query
      .selectFrom("castellan.casts")
      .select("hash")
      .execute();
    expect(index.map((row) => row.hash).toSorted()).toEqual([root, old, reply].toSorted());
  });

  test("that are removed are told once, and only of linked channels", async () => {
    await observer.link("memes");
    const root = await cast(1, { channelId: "memes" });
    const foreign = await cast(1, { channelId: "art" });
    await poll();
    await observer.network.api.operator.removeCast({ hash: root });
    await observer.network.api.operator.removeCast({ hash: foreign });
    await poll();
    await poll();
    expect(await hashes("cast.removed")).toEqual([root]);
  });

  test("a reply that comes before its parent waits ten minutes for it, and so do replies to it", async () => {
    await observer.link("memes");
    const events = [scripted(10, 3, { parent: 2 })];
    const context = scriptHub(() => events);
    await poll(context);
    events.push(scripted(11, 2, { parent: 1 }), scripted(12, 9, { parent: 8, parentFid: 4 }));
    await poll(context);
    expect(await hashes()).toEqual([]);
    observer.context.clock.advance(9 * 60);
    events.push(scripted(13, 4, { parent: 3 }), scripted(14, 1, { parentUrl: channelUrl("memes") }));
    await poll(context);
    expect((await hashes()).toSorted()).toEqual([1, 2, 3, 4].map(hashOf));
    expect((await observeStatus(context)).waitingReplies).toBe(1);
    observer.context.clock.advance(2 * 60);
    await poll(context);
    expect((await observeStatus(context)).waitingReplies).toBe(0);
    events.push(scripted(15, 8, { parentUrl: channelUrl("memes") }));
    await poll(context);
    expect((await hashes()).at(-1)).toBe(hashOf(8));
  });

  test("a reply goes on waiting while the hub is away, for what it waits for may be what the hub has yet to tell", async () => {
    await observer.link("memes");
    const events = [scripted(10, 3, { parent: 2 })];
    const context = scriptHub(() => events);
    await poll(context);
    observer.context.clock.advance(11 * 60);
    const { hub } = context.network;
    await expect(
      poll({ ...context, network: { ...context.network, hub: { ...hub, events: dying } } }),
    ).rejects.toThrow("died here");
    events.push(scripted(11, 2, { parentUrl: channelUrl("memes") }));
    await poll(context);
    expect((await hashes()).toSorted()).toEqual([2, 3].map(hashOf));
  });

  test("of a channel that is unlinked while its page is read become no events", async () => {
    await observer.link("memes");
    await poll();
    await cast(1, { channelId: "memes" });
    const context = scriptHub(() => []);
    context.network.hub.events = async (input) => {
      const page = await observer.context.network.hub.events(input);
      await observer.unlink("memes");
      return page;
    };
    await poll(context);
    expect(await observer.events()).toEqual([]);
    await observer.link("memes");
    observer.context.clock.advance(1);
    await poll();
    expect(await observer.events()).toEqual([]);
  });

  test("with text that Postgres cannot store do not stop the source; what is malformed is counted", async () => {
    await observer.link("memes");
    const bad = scripted(10, 1, { parentUrl: channelUrl("memes") });
    const evil = JSON.parse(JSON.stringify(bad).replace("cast 1", "a\\u0000b\\ud800c")) as HubEvent;
    const broken = {
      ...scripted(11, 2, {}),
      mergeMessageBody: { message: { data: { type: "MESSAGE_TYPE_CAST_ADD" } } },
    };
    const context = scriptHub(() => [evil, broken, { type: "HUB_EVENT_TYPE_OF_TOMORROW", id: 12 }]);
    await poll(context);
    expect(await observer.events()).toMatchObject([{ data: { text: "ab\ufffdc" } }]);
    const { sources } = await observeStatus(context);
    const read = { source: "hub/1", seen: 3, skipped: 2, silentMs: 0, error: null };
    expect(sources).toContainEqual(expect.objectContaining(read));
  });
});

describe("name proofs", () => {
  beforeEach(async () => {
    for (const fid of [1, 2]) {
      await observer.context.database.query
        .updateTable("network.accounts")
        .set({ custody_address: custodyOf(fid).address.toLowerCase() })
        .where("fid", "=", fid)
        .execute();
    }
  });

  test("become one event each, with what changed, and keep the names table", async () => {
    await transfer("early", 0, 1);
    await transfer("early", 1, 0);
    await poll();
    await observer.link("memes");
    await transfer("alice", 0, 1);
    await transfer("alice", 1, 2);
    await poll();
    await transfer("alice", 2, 0);
    await transfer("bob", 0, 1);
    await poll();
    const told = (await observer.events()).map(({ subjectFid, data }) => ({ subjectFid, ...data }));
    expect(told).toMatchObject([
      { subjectFid: 1, name: "alice", change: "registered" },
      { subjectFid: 2, name: "alice", change: "transferred", previousFid: 1 },
      { subjectFid: 2, name: "alice", change: "released", previousFid: 2 },
      { subjectFid: 1, name: "bob", change: "registered" },
    ]);
    const names = await observer.context.database.query.selectFrom("castellan.names").selectAll().execute();
    expect(names).toMatchObject([{ name: "bob", fid: 1 }]);
  });
});

describe("the position", () => {
  test("of two pollers at once moves once: every event is stored exactly once and in order", async () => {
    await observer.link("memes");
    const expected: string[] = [];
    for (let round = 0; round < 4; round += 1) {
      expected.push(await cast(1, { channelId: "memes" }), await cast(2, { channelId: "memes" }));
      await Promise.all([poll(), poll(), poll()]);
    }
    expect(await hashes()).toEqual(expected);
  });

  test("stays where it was when anything in the page's transaction fails, and nothing of it is stored", async () => {
    await observer.link("memes");
    await poll();
    const root = await cast(1, { channelId: "memes" });
    await expect(poll({ ...observer.context, appendEvents: dying })).rejects.toThrow("died here");
    expect((await observeStatus(observer.context)).sources[0]).toMatchObject({ error: "died here" });
    expect(await observer.context.database.query.selectFrom("castellan.casts").selectAll().execute()).toEqual(
      [],
    );
    await poll();
    expect(await hashes()).toEqual([root]);
    expect((await observeStatus(observer.context)).sources[0]).toMatchObject({ error: null });
  });
});

test("every cast becomes one event, in order, whatever looks, deaths and writers do", async () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.constant("write" as const) },
    { weight: 2, arbitrary: fc.constantFrom("poll" as const, "race" as const, "die" as const) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16 }), async (steps) => {
      const { clock, database, network } = observer.context;
      await database.truncate();
      for (const fid of [1, 2, 3]) await observer.network.seed.account(fid);
      await observer.network.seed.channel("memes");
      await observer.link("memes");
      await poll();
      const written = [await cast(1, { channelId: "memes" })];
      const write = async () => {
        const parentHash = written[Math.floor(written.length / 2)] ?? "";
        written.push(await cast(2, { parentHash }));
        clock.advance(1);
      };
      const events: typeof network.hub.events = (input) => network.hub.events({ ...input, page_size: 3 });
      const small = { ...observer.context, network: { ...network, hub: { ...network.hub, events } } };
      for (const next of steps) {
        if (next === "write") await write();
        if (next === "poll") await poll(small);
        if (next === "race") await Promise.all([poll(small), write().then(() => poll()), poll(small)]);
        if (next === "die") await poll({ ...small, appendEvents: dying }).catch(() => {});
      }
      await poll();
      expect(await hashes()).toEqual(written);
    }),
    { numRuns: 10, endOnFailure: true },
  );
});
