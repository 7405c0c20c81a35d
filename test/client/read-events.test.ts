import { describe, expect, it } from "vitest";
import { createFarClient, useFarNetwork } from "./far-client.ts";

const { far, network } = await useFarNetwork();

const prune = { type: "HUB_EVENT_TYPE_PRUNE_MESSAGE", id: 40, pruneMessageBody: { message: { hash: "0x" } } };
const removal = {
  type: "HUB_EVENT_TYPE_MERGE_MESSAGE",
  id: 42,
  mergeMessageBody: { message: { data: { castRemoveBody: { targetHash: "q83vEjRWeJA=" } } } },
};

describe("pages of hub events", () => {
  it("go on from what the hub says", async () => {
    far.answer([200, { events: [prune], nextPageEventId: 99 }]);
    await expect(network.hub.events({ from_event_id: 40 })).resolves.toEqual({
      events: [prune],
      nextPageEventId: 99,
    });
  });

  it.each([{ events: [removal, prune] }, { events: [removal, prune], nextPageEventId: null }])(
    "go on from the largest id + 1 where the hub does not say it",
    async (page) => {
      far.answer([200, page]);
      await expect(network.hub.events({ from_event_id: 0 })).resolves.toMatchObject({ nextPageEventId: 43 });
    },
  );

  it("do not move on an empty page", async () => {
    far.answer([200, { events: [] }]);
    await expect(network.hub.events({ from_event_id: 42 })).resolves.toEqual({
      events: [],
      nextPageEventId: 42,
    });
  });

  it("are requested in reverse with the hubs' parameter, and then have no next id", async () => {
    far.answer([200, { events: [prune] }]);
    await expect(network.hub.events({ reverse: true })).resolves.toEqual({ events: [prune] });
    expect(far.requests.map(({ query }) => query)).toEqual([{ reverse: "true" }]);
  });

  it("keep types and encodings that are not ours as they are", async () => {
    far.answer([200, { events: [prune, removal], nextPageEventId: 43 }]);
    expect((await network.hub.events({})).events).toEqual([prune, removal]);
  });

  it("reduce an event with a strange body to its id and type, and keep those around it", async () => {
    const strange = { ...prune, id: 41, mergeUsernameProofBody: { usernameProof: { name: 5 } } };
    far.answer([200, { events: [prune, strange, removal], nextPageEventId: 43 }]);
    const { events } = await network.hub.events({});
    expect(events).toEqual([prune, { id: 41, type: prune.type }, removal]);
  });

  it.each([
    [{ type: "x" }],
    [{ type: "x", id: "41" }],
    [{ type: "x", id: 2 ** 60 }],
    [{ id: 5.5 }],
    [null],
    [7],
  ])("leave out %j, which has no usable id, and say so", async (bad) => {
    far.answer([200, { events: [prune, bad, removal] }]);
    const heard: unknown[] = [];
    const page = await network.hub.events({}, { onUnreadable: (event) => heard.push(event) });
    expect(page).toEqual({ events: [prune, removal], nextPageEventId: 43 });
    expect(heard).toMatchObject([{ id: null }]);
  });

  it("say which event is not what its type says", async () => {
    far.answer([200, { events: [{ ...prune, id: 41, timestamp: 1e20 }] }]);
    const heard: unknown[] = [];
    const { events } = await network.hub.events({}, { onUnreadable: (event) => heard.push(event) });
    expect(events).toEqual([{ id: 41, type: prune.type }]);
    expect(heard).toMatchObject([
      {
        id: 41,
        type: prune.type,
        reason: expect.stringContaining("timestamp"),
      },
    ]);
  });

  it("are asked of the configured shard, unless the call names another", async () => {
    const sharded = createFarClient(far.url, { hubShard: 2 });
    far.answer([200, { events: [] }]);
    await sharded.hub.events({ from_event_id: 1 });
    await sharded.hub.events({ from_event_id: 1, shard_index: 3 });
    await sharded.channelBans.list({}).catch(() => {});
    expect(far.requests.map(({ query }) => query["shard_index"])).toEqual(["2", "3", undefined]);
  });
});

describe("one hub event", () => {
  it("is asked for by event_id", async () => {
    far.answer([200, prune]);
    await expect(network.hub.eventById({ event_id: 40 })).resolves.toEqual(prune);
    expect(far.requests[0]?.query).toEqual({ event_id: "40" });
  });

  it.each([400, 404])("that is missing is answered with %i by some hubs", async (status) => {
    far.answer([status, { error: "NotFound", error_detail: "no such event" }]);
    await expect(network.hub.eventById({ event_id: 40 })).rejects.toMatchObject({
      code: "not_found",
      message: "no such event",
    });
  });
});

describe("a page that no honest hub gives", () => {
  const of = (id: number) => ({ ...prune, id });
  const ids = (events: { id: number }[]) => events.map(({ id }) => id);

  it("is cut to what was asked for, from where it was asked, whatever its order", async () => {
    const many = Array.from({ length: 3000 }, (_, index) => of(3000 - index));
    far.answer([200, { events: many, nextPageEventId: 3001 }], [200, { events: many }]);
    const { events, nextPageEventId } = await network.hub.events({ page_size: 3, shard_index: 1 });
    expect([ids(events), nextPageEventId]).toEqual([[1, 2, 3], 4]);
    const last = await network.hub.events({ page_size: 2, shard_index: 1, reverse: true });
    expect(ids(last.events)).toEqual([3000, 2999]);
  });

  it("is read whole where it is every shard's", async () => {
    far.answer([200, { events: [of(7), of(8), of(3), of(4)] }]);
    expect(ids((await network.hub.events({ page_size: 2 })).events)).toEqual([7, 8, 3, 4]);
  });

  const nested = (open: string, close: string) =>
    `{"events":[{"id":1,"type":"x","a":${open.repeat(40_000)}1${close.repeat(40_000)}}]}`;
  const keys = Array.from({ length: 300_000 }, (_, index) => `"k${index}":1`).join(",");
  it.each([
    ["of nested lists", nested("[", "]")],
    ["of nested objects", nested('{"a":', "}")],
    ["of many fields", `{"events":[{"id":1,"type":"x",${keys}}]}`],
    ["of many lists", `{"events":[${"[],".repeat(200_000)}[]]}`],
    ["of more than 4 MB", JSON.stringify({ events: [{ ...prune, text: "a".repeat(2 ** 22) }] })],
  ])("%s is not read: less of it is asked for", async (_name, text) => {
    far.answer([200, text]);
    const asked = network.hub.events({ page_size: 1, shard_index: 1 });
    await expect(asked).rejects.toMatchObject({ code: "network_failed", failure: "too_large" });
  });

  it("is not taken for one that holds long texts full of brackets", async () => {
    const long = { ...prune, text: "[{".repeat(5_000) };
    far.answer([200, { events: [long] }]);
    expect((await network.hub.events({ page_size: 1, shard_index: 1 })).events).toEqual([long]);
  });
});
