import { beforeEach, describe, expect, it } from "vitest";
import { createApi } from "../../../src/api/create-api.ts";
import { castRemoved } from "../../../src/api/domain/hub-event.ts";
import { pruneHubEvents } from "../../../src/api/operations/hub.ts";
import { appendHubEvents } from "../../../src/api/store/hub-events.ts";
import type { MessagePage } from "../../../src/contract/hub.ts";
import { createSeed } from "../../support/seed.ts";
import { useTestContext } from "../../support/test-cases.ts";

const network = () => api.network();

const context = await useTestContext();
const api = createApi(context);
beforeEach(() => context.database.truncate());

const removal = (number: number) =>
  castRemoved({
    hash: `0x${"a".repeat(40)}`,
    fid: number,
    timestamp: 1_700_000_000,
    targetHash: `0x${"b".repeat(40)}`,
  });

/** Appends events in blocks of these sizes. */
async function append(...sizes: number[]): Promise<void> {
  for (const size of sizes) {
    const drafts = Array.from({ length: size }, (_, index) => removal(index + 1));
    const now = Math.floor(context.clock.now() / 1000);
    await context.database.transaction((tx) => appendHubEvents(tx, now, drafts, context.settings.hub));
  }
}

const idsOf = (page: { events: { id: number }[] }) => page.events.map((event) => event.id);
const block = 2 ** 14;

describe("hub.events", () => {
  it("numbers events by block and sequence, and carries type, block, shard and the second of the merge", async () => {
    await append(2, 1);
    const { events, nextPageEventId } = await network().hub.events({});
    expect(idsOf({ events })).toEqual([block, block + 1, 2 * block]);
    expect(nextPageEventId).toBe(2 * block + 1);
    expect(events[1]).toEqual({
      type: "HUB_EVENT_TYPE_MERGE_MESSAGE",
      id: block + 1,
      blockNumber: 1,
      shardIndex: 1,
      timestamp: 1_700_000_000,
      ...removal(2).body,
    });
  });

  it("goes on in the next block when an append fills more than one", async () => {
    await append(block + 3, 1);
    const { events } = await network().hub.events({ from_event_id: 2 * block });
    expect(events.map((event) => [event.id, event.blockNumber])).toEqual([
      [2 * block, 2],
      [2 * block + 1, 2],
      [2 * block + 2, 2],
      [3 * block, 3],
    ]);
  });
});

describe("the stream", () => {
  it("refuses to store what the contract does not promise", async () => {
    const broken = { type: "HUB_EVENT_TYPE_MERGE_MESSAGE", body: { mergeMessageBody: {} } } as const;
    await expect(
      context.database.transaction((tx) =>
        appendHubEvents(tx, 1, [removal(1), broken], context.settings.hub),
      ),
    ).rejects.toThrow("message");
    expect((await network().hub.events({})).events).toEqual([]);
  });

  it("prunes what is older than the retention, and only that", async () => {
    await append(2001);
    context.clock.advance(context.settings.hubRetention);
    await append(1);
    expect(await pruneHubEvents(context)).toBe(0);
    context.clock.advance(1);
    expect(await pruneHubEvents(context)).toBe(2001);
    expect(idsOf(await network().hub.events({}))).toEqual([2 * block]);
  });
});

describe("hub.info", () => {
  it("names the shard, and the block that it has come to", async () => {
    expect(await network().hub.info({})).toMatchObject({
      numShards: 1,
      shardInfos: [{ shardId: 1, maxHeight: 0 }],
    });
    await append(2, 1, 1);
    const { shardInfos } = await network().hub.info({});
    expect(shardInfos).toMatchObject([{ shardId: 1, maxHeight: 3 }]);
  });
});

describe("hub.castsByParent", () => {
  const url = "https://castle.test/~/channel/memes";
  const cast = async (place: { channelId?: string; parentHash?: string }) => {
    context.clock.advance(1);
    return (await api.operator.cast({ fid: 1, text: "gm", ...place })).hash;
  };
  const hashesOf = ({ messages }: { messages: { hash: string }[] }) => messages.map(({ hash }) => hash);
  beforeEach(async () => {
    const seed = createSeed(context.database.query);
    await seed.account(1);
    await seed.channel("memes", { owner: 1 });
    await context.database.query.updateTable("network.channels").set({ url }).execute();
  });

  it("pages a channel's root casts, both ways, without those that were removed", async () => {
    const roots = [];
    for (let count = 0; count < 5; count += 1) roots.push(await cast({ channelId: "memes" }));
    await cast({ parentHash: roots[0] ?? "" });
    await api.operator.removeCast({ hash: roots[3] ?? "" });
    const left = roots.filter((_, index) => index !== 3);
    for (const reverse of [false, true]) {
      const seen: string[] = [];
      let pageToken: string | undefined = "";
      do {
        const page: MessagePage = await network().hub.castsByParent({ url, pageSize: 2, reverse, pageToken });
        seen.push(...hashesOf(page));
        pageToken = page.nextPageToken;
      } while (pageToken !== "");
      expect(seen).toEqual(reverse ? left.toReversed() : left);
    }
  });

  it("gives the replies to a cast, by its author and hash, as the events told them", async () => {
    const root = await cast({ channelId: "memes" });
    const reply = await cast({ parentHash: root });
    const { messages } = await network().hub.castsByParent({ fid: 1, hash: root });
    const { events } = await network().hub.events({ reverse: true, page_size: 1 });
    expect(hashesOf({ messages })).toEqual([reply]);
    expect(events[0]?.mergeMessageBody).toEqual({ message: messages[0], deletedMessages: [] });
    expect(await network().hub.castsByParent({ fid: 2, hash: root })).toEqual({
      messages: [],
      nextPageToken: "",
    });
  });

  it("refuses a URL with NUL, which no cast has", async () => {
    await expect(network().hub.castsByParent({ url: "a\0b" })).rejects.toMatchObject({
      code: "invalid_request",
      instancePath: "/url",
    });
  });

  it("refuses a question without a parent, and a token of another make", async () => {
    await expect(network().hub.castsByParent({ fid: 1 })).rejects.toMatchObject({ code: "invalid_request" });
    for (const pageToken of ["!", "AAAA", Buffer.from("1 0x12").toString("base64")])
      await expect(network().hub.castsByParent({ url, pageToken })).rejects.toMatchObject({
        instancePath: "/pageToken",
      });
  });
});
