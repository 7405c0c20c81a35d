import { beforeEach, describe, expect, it } from "vitest";
import { createApi, type Api } from "../../../src/api/create-api.ts";
import { castRemoved } from "../../../src/api/domain/hub-event.ts";
import { pruneHubEvents } from "../../../src/api/operations/hub.ts";
import { appendHubEvents } from "../../../src/api/store/hub-events.ts";
import { seconds } from "../../../src/clock.ts";
import { eventsPerBlock, messageEpoch, type HubEvent } from "../../../src/contract/hub.ts";
import { custodyOf, signTransfer } from "../../support/signing.ts";
import { useTestContext } from "../../support/test-cases.ts";

/** Of shards 1 and 2, as live hubs spread users. */
const [first, second] = [7, 8];
const shards = [1, 2];

beforeEach(async () => {
  await context.database.truncate();
  // Pages are cached by an Api; a database that was emptied is none that it knows.
  api = createApi(context);
});

const account = (fid: number, username?: string) => ({
  fid,
  custodyAddress: custodyOf(fid).address,
  ...(username !== undefined && { username }),
});
const hub = () => api.network().hub;

const context = await useTestContext({ hub: { shards: 2, asLive: true } });
let api: Api = createApi(context);
const eventsOf = async (shard: number, from = 0) =>
  (await hub().events({ shard_index: shard, from_event_id: from })).events;
const append = (drafts: number, author: number) =>
  context.database.transaction((tx) =>
    appendHubEvents(
      tx,
      seconds(context.clock),
      Array.from({ length: drafts }, () => removalOf(author)),
      context.settings.hub,
    ),
  );
const removalOf = (fid: number) =>
  castRemoved({
    hash: `0x${"a".repeat(40)}`,
    fid,
    timestamp: 1_700_000_000,
    targetHash: `0x${"b".repeat(40)}`,
  });

/** Whether blocks follow each other, each confirmed at its head with as many events as it says. */
function expectWhole(events: HubEvent[], shard: number): void {
  const blocks = new Map<number, HubEvent[]>();
  const heightOf = ({ id }: HubEvent) => Math.floor(id / eventsPerBlock);
  for (const event of events) {
    const members = blocks.get(heightOf(event)) ?? [];
    blocks.set(heightOf(event), members);
    members.push(event);
  }
  const misplaced = events.filter(
    (event) => event.blockNumber !== heightOf(event) || event.shardIndex !== shard,
  );
  expect(misplaced).toEqual([]);
  expect([...blocks.keys()]).toEqual(Array.from({ length: blocks.size }, (_, index) => index + 1));
  for (const [height, members] of blocks) {
    expect(members.map(({ id }) => id)).toEqual(members.map((_, place) => height * eventsPerBlock + place));
    const confirmed = members.filter(({ type }) => type === "HUB_EVENT_TYPE_BLOCK_CONFIRMED");
    expect(confirmed).toEqual([members[0]]);
    expect(confirmed[0]?.blockConfirmedBody).toEqual({
      blockNumber: height,
      shardIndex: shard,
      timestamp: expect.any(Number) as unknown,
      blockHash: expect.stringMatching(/^0x[0-9a-f]{40}$/) as unknown,
      totalEvents: members.length,
    });
  }
}

describe("two shards, as live hubs tell them", () => {
  it("take each what their users say, and both every name; each block is confirmed first", async () => {
    await api.operator.importNetwork({ accounts: [account(first, "sevena"), account(second)] });
    const cast = async (fid: number) => (await api.operator.cast({ fid, text: "gm" })).hash;
    const [one, two, three] = [await cast(first), await cast(second), await cast(second)];
    await api.operator.removeCast({ hash: three });
    const told = (events: HubEvent[]) =>
      events.flatMap(({ mergeMessageBody, mergeUsernameProofBody }) => {
        const message = mergeMessageBody?.["message"] as { hash: string; data: { type: string } } | undefined;
        return message?.data.type === "MESSAGE_TYPE_CAST_ADD"
          ? [message.hash]
          : (mergeUsernameProofBody?.usernameProof?.name ?? []);
      });
    expect(told(await eventsOf(1))).toEqual(["sevena", one]);
    expect(told(await eventsOf(2))).toEqual(["sevena", two, three]);
    for (const shard of shards) expectWhole(await eventsOf(shard), shard);
    const [confirmed] = await eventsOf(2);
    expect(confirmed?.blockConfirmedBody?.timestamp).toBe(seconds(context.clock) - messageEpoch);
  });

  it("bring the proof of a transfer both, in a block of each", async () => {
    await api.operator.importNetwork({ accounts: [account(first)] });
    const timestamp = seconds(context.clock);
    await api
      .network()
      .transfers.create(await signTransfer({ name: "alice", from: 0, to: first, timestamp }));
    for (const shard of shards) {
      const events = await eventsOf(shard);
      expect(events.map((event) => event.mergeUsernameProofBody?.usernameProof)).toMatchObject([
        undefined,
        { name: "alice", fid: first, timestamp },
      ]);
      expectWhole(events, shard);
    }
  });

  it("divide an imported file, and what fills more than a block", async () => {
    const accounts = [account(first, "sevena"), account(second, "eighta")];
    const casts = [first, second, second].map((fid, index) => ({
      hash: `0x${String(index).repeat(40)}`,
      fid,
      text: "gm",
    }));
    await api.operator.importNetwork({ accounts, casts });
    await append(eventsPerBlock + 5, second);
    expect(await eventsOf(1)).toHaveLength(1 + 2 + 1);
    const all: HubEvent[] = [];
    for (let more = true; more;) {
      const page = await eventsOf(2, (all.at(-1)?.id ?? -1) + 1);
      more = page.length > 0;
      all.push(...page);
    }
    // A block holds 16,383 beside what confirms it.
    expect(all).toHaveLength(1 + 2 + 2 + (2 + eventsPerBlock + 5));
    expectWhole(all, 2);
  });

  it("tell no time and no next page, and give both shards' pages after each other where none is asked for", async () => {
    await append(3, first);
    await append(3, second);
    const page = await hub().events({ page_size: 2 });
    expect(Object.keys(page)).toEqual(["events"]);
    expect(page.events.map(({ shardIndex }) => shardIndex)).toEqual([1, 1, 2, 2]);
    const heads = page.events.map((event) => Object.keys(event).slice(0, 4).join(" "));
    expect(new Set(heads)).toEqual(new Set(["type id blockNumber shardIndex"]));
    expect(JSON.stringify(page.events)).not.toContain(`"timestamp":${seconds(context.clock)}`);
    const reversed = await hub().events({ page_size: 2, reverse: true });
    expect(reversed.events.map(({ id }) => id % eventsPerBlock)).toEqual([3, 2, 3, 2]);
  });

  it("are named with their heights; others are refused, and an event needs its shard", async () => {
    await append(1, first);
    for (let count = 0; count < 3; count += 1) await append(1, second);
    expect(await hub().info({})).toMatchObject({
      numShards: 2,
      shardInfos: [
        { shardId: 1, maxHeight: 1 },
        { shardId: 2, maxHeight: 3 },
      ],
    });
    for (const shard of [0, 3])
      await expect(eventsOf(shard)).rejects.toMatchObject({ instancePath: "/shard_index" });
    const id = eventsPerBlock + 1;
    await expect(hub().eventById({ event_id: id })).rejects.toMatchObject({ instancePath: "/shard_index" });
    for (const shard of shards) {
      const event = await hub().eventById({ event_id: id, shard_index: shard });
      expect(event).toEqual((await eventsOf(shard, id))[0]);
    }
  });

  it("lose what is old, and only that, though ids are the same in both", async () => {
    await append(2, first);
    context.clock.advance(context.settings.hubRetention + 1);
    await append(2, second);
    expect(await pruneHubEvents(context)).toBe(3);
    expect(await Promise.all(shards.map(async (shard) => (await eventsOf(shard)).length))).toEqual([0, 3]);
  });

  it("show a reader no id below one it has seen, while writers to one and to both commit in any order", async () => {
    const [proof] = [
      {
        type: "HUB_EVENT_TYPE_MERGE_USERNAME_PROOF" as const,
        body: {
          mergeUsernameProofBody: {
            usernameProof: {
              timestamp: 1,
              name: "a",
              owner: "0x",
              signature: "",
              fid: 1,
              type: "USERNAME_TYPE_FNAME",
            },
          },
        },
      },
    ];
    const batches = [
      [removalOf(first)],
      [removalOf(second)],
      [proof],
      [removalOf(second), proof, removalOf(first)],
    ];
    let writing = true;
    const written = Promise.all(
      Array.from({ length: 8 }, async (_, writer) => {
        for (let round = 0; round < 4; round += 1) {
          await context.database.transaction(async (tx) => {
            await appendHubEvents(
              tx,
              1_700_000_000,
              batches[(writer + round) % 4] ?? [],
              context.settings.hub,
            );
            for (let wait = 0; wait < writer; wait += 1)
              await tx.selectFrom("network.accounts").selectAll().execute();
          });
        }
      }),
    ).finally(() => (writing = false));
    const follow = async (shard: number) => {
      const seen: HubEvent[] = [];
      for (let idle = false; !idle;) {
        idle = !writing;
        const page = await eventsOf(shard, (seen.at(-1)?.id ?? -1) + 1);
        seen.push(...page);
        if (page.length > 0) idle = false;
      }
      return seen;
    };
    const followed = await Promise.all(shards.map(follow));
    await written;
    for (const [index, seen] of followed.entries()) {
      expect(seen.map(({ id }) => id)).toEqual((await eventsOf(index + 1)).map(({ id }) => id));
      expectWhole(seen, index + 1);
    }
  });
});

it("What was stored before a hub told its events as live hubs is told as live hubs tell it, and the other way round", async () => {
  const now = seconds(context.clock);
  const own = { ...context, settings: { ...context.settings, hub: { shards: 1, asLive: false } as const } };
  await context.database.transaction((tx) => appendHubEvents(tx, now, [removalOf(first)], own.settings.hub));
  await append(1, first);
  const live = await eventsOf(1);
  expect(live.map((event) => ["timestamp" in event, event.type])).toEqual([
    [false, "HUB_EVENT_TYPE_MERGE_MESSAGE"],
    [false, "HUB_EVENT_TYPE_BLOCK_CONFIRMED"],
    [false, "HUB_EVENT_TYPE_MERGE_MESSAGE"],
  ]);
  expect(JSON.stringify(live[0])).toContain(`"timestamp":${1_700_000_000 - messageEpoch}`);
  const page = await createApi(own).network().hub.events({});
  expect(page.events.map(({ timestamp }) => timestamp)).toEqual([now, now, now]);
  expect(page.nextPageEventId).toBe(2 * eventsPerBlock + 2);
});
