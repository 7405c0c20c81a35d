import { describe, expect, it } from "vitest";
import { againstServer } from "../support/interface-server.ts";
import { custodyOf, signTransfer } from "../support/signing.ts";
import { channelUrl, people, range, resultOf, useInterfaceNetwork } from "../support/interface-network.ts";

interface HubEvent {
  id: number;
  type: string;
  blockNumber: number;
  shardIndex: number;
  timestamp: number;
  [body: string]: unknown;
}

/** Two people and their name. */
let [first, second, name] = [0, 0, ""];
const network = await useInterfaceNetwork();
[first = 0, second = 0] = await network.newcomers(2);
name = network.own("anna");

const messageEpoch = Date.UTC(2021, 0, 1) / 1000;
const cast = async (input: object) => {
  const { hash } = resultOf(await network.operator("POST /operator/casts", { fid: 4, text: "gm", ...input }));
  return String(hash);
};
async function page(query: object = {}) {
  const { status, body } = await network.call("GET /v1/events", query);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body as { events: HubEvent[]; nextPageEventId?: number };
}
const ids = async (query: object) => (await page(query)).events.map(({ id }) => id);

/** The events that an action brings about. */
async function eventsOf(act: () => Promise<unknown>): Promise<HubEvent[]> {
  const { nextPageEventId = 0 } = await page({ from_event_id: (await lastId()) ?? 0 });
  await act();
  return (await page({ from_event_id: nextPageEventId })).events;
}
const lastId = async () => (await ids({ reverse: true, page_size: 1 }))[0];

const register = async (name: string, from: number, to: number) => {
  const body = await signTransfer({ name, from, to, timestamp: network.now() });
  expect((await network.call("POST /transfers", body)).status).toBe(200);
};
const proofOf = async (name: string, index = -1) => {
  const { body } = await network.call("GET /transfers", { name });
  const transfer = (body as { transfers: { server_signature: string; timestamp: number }[] }).transfers.at(
    index,
  );
  return {
    timestamp: transfer?.timestamp,
    signature: Buffer.from(transfer?.server_signature.slice(2) ?? "", "hex").toString("base64"),
    name,
    type: "USERNAME_TYPE_FNAME",
  };
};

describe("events", () => {
  it("a registration: one MERGE_USERNAME_PROOF with the proof", async () => {
    const [event, ...more] = await eventsOf(() => register(name, 0, first));
    expect(more).toEqual([]);
    expect(event).toMatchObject({
      type: "HUB_EVENT_TYPE_MERGE_USERNAME_PROOF",
      shardIndex: 1,
      timestamp: network.justNow(),
    });
    const owner = custodyOf(first).address.toLowerCase();
    expect(event?.["mergeUsernameProofBody"]).toEqual({
      usernameProof: { ...(await proofOf(name)), owner, fid: first },
    });
    expect(await eventsOf(() => register(name, 0, first))).toEqual([]);
  });

  it("a transfer: one event, with the proof that it replaces", async () => {
    await network.pass(1);
    const events = await eventsOf(() => register(name, first, second));
    expect(events).toMatchObject([
      {
        mergeUsernameProofBody: {
          usernameProof: { ...(await proofOf(name)), fid: second },
          deletedUsernameProof: { ...(await proofOf(name, 0)), fid: first },
        },
      },
    ]);
  });

  it("an unregistration: fid 0; a registration after that replaces no proof", async () => {
    await network.pass(1);
    const body = { usernameProof: { name, fid: 0 }, deletedUsernameProof: { name, fid: second } };
    expect(await eventsOf(() => register(name, second, 0))).toMatchObject([{ mergeUsernameProofBody: body }]);
    await network.pass(1);
    const [event] = await eventsOf(() => register(name, 0, first));
    expect(event).toMatchObject({ mergeUsernameProofBody: { usernameProof: { name, fid: first } } });
    expect(event).not.toHaveProperty("mergeUsernameProofBody.deletedUsernameProof");
  });

  it("a cast into a channel: MERGE_MESSAGE with the channel's url as parent", async () => {
    const channelId = await network.channel();
    let hash = "";
    const act = async () =>
      (hash = await cast({ channelId, text: "gm ☀", mentions: [6], embeds: [{ url: "https://a.test/" }] }));
    expect(await eventsOf(act)).toMatchObject([
      {
        type: "HUB_EVENT_TYPE_MERGE_MESSAGE",
        timestamp: network.justNow(),
        mergeMessageBody: {
          message: {
            hash,
            data: {
              type: "MESSAGE_TYPE_CAST_ADD",
              fid: 4,
              timestamp: network.justNow(messageEpoch),
              castAddBody: {
                text: "gm ☀",
                mentions: [6],
                parentUrl: channelUrl(channelId),
                embeds: [{ url: "https://a.test/" }],
              },
            },
          },
        },
      },
    ]);
  });

  it("a reply carries the cast it answers, and no url", async () => {
    const root = await cast({ fid: 6, channelId: await network.channel() });
    const [event] = await eventsOf(() => cast({ parentHash: root }));
    const castAddBody = { parentCastId: { fid: 6, hash: root }, parentUrl: null };
    expect(event).toMatchObject({ mergeMessageBody: { message: { data: { castAddBody } } } });
  });

  it("a removal: MESSAGE_TYPE_CAST_REMOVE with the hash in base64, and the cast that is deleted", async () => {
    const hash = await cast({ channelId: await network.channel() });
    const castRemoveBody = { targetHash: Buffer.from(hash.slice(2), "hex").toString("base64") };
    const timestamp = network.justNow(messageEpoch);
    const data = { type: "MESSAGE_TYPE_CAST_REMOVE", fid: 4, timestamp, castRemoveBody };
    const events = await eventsOf(() => network.operator(`DELETE /operator/casts/${hash}`));
    expect(events).toMatchObject([
      {
        type: "HUB_EVENT_TYPE_MERGE_MESSAGE",
        mergeMessageBody: { message: { data }, deletedMessages: [{ hash, data: { fid: 4 } }] },
      },
    ]);
  });

  it("an imported cast and an imported username become events too", async () => {
    const [fid = 0] = network.unused(1);
    const account = { fid, custodyAddress: custodyOf(fid).address, username: network.own("imported") };
    const types = (events: HubEvent[]) => events.map(({ type }) => type);
    expect(types(await eventsOf(() => network.import({ accounts: [account] })))).toEqual([
      "HUB_EVENT_TYPE_MERGE_USERNAME_PROOF",
    ]);
    expect(types(await eventsOf(() => network.cast({ fid: 4 })))).toEqual(["HUB_EVENT_TYPE_MERGE_MESSAGE"]);
  });

  it("what is refused makes none", async () => {
    const hash = await cast({});
    await network.operator(`DELETE /operator/casts/${hash}`);
    const timestamp = network.now() + 1;
    const attempts = async () => [
      await network.operator("POST /operator/casts", { fid: 4, text: "gm", channelId: "nowhere" }),
      await network.operator(`DELETE /operator/casts/${hash}`),
      await network.call("POST /transfers", await signTransfer({ name, from: 0, to: second, timestamp })),
    ];
    expect(await eventsOf(attempts)).toEqual([]);
  });

  it("moderation is none of the hub's: it makes no event", async () => {
    const channelId = await network.channel();
    const castHash = await cast({ channelId });
    const acts = async () => {
      await network.as(people.owner, "POST /fc/moderated-casts", { castHash, action: "hide" });
      await network.as(people.owner, "POST /fc/channel-bans", { channelId, banFid: 7 });
      await network.as(7, "POST /fc/channel-follows", { channelId });
    };
    expect(await eventsOf(acts)).toEqual([]);
  });
});

describe("GET /v1/events", () => {
  it("gives events in order of id, each below 2^53 and made of block and sequence", async () => {
    const { events } = await page({ from_event_id: 0 });
    expect(events.length).toBeGreaterThan(5);
    const all = events.map(({ id }) => id);
    expect(all).toEqual([...new Set(all)].toSorted((a, b) => a - b));
    for (const { id, blockNumber } of events) {
      expect([Number.isSafeInteger(id), Math.floor(id / 2 ** 14)]).toEqual([true, blockNumber]);
    }
    expect(await ids({})).toEqual(all);
  });

  it("is paged by nextPageEventId, inclusive, without a gap", async () => {
    const all = await ids({});
    for (const size of ["page_size", "pageSize"]) {
      const read: number[] = [];
      let from = 0;
      for (let more = true; more;) {
        const { events, nextPageEventId = from } = await page({ from_event_id: from, [size]: 2 });
        read.push(...events.map(({ id }) => id));
        more = events.length > 0;
        expect(nextPageEventId).toBe(more ? Number(read.at(-1)) + 1 : from);
        from = nextPageEventId;
      }
      expect(read).toEqual(all);
    }
    expect((await ids({ from_event_id: all[3] }))[0]).toBe(all[3]);
  });

  it("reverse gives the newest first and no nextPageEventId; stop_id is exclusive", async () => {
    const all = await ids({});
    expect(await ids({ reverse: true })).toEqual(all.toReversed());
    expect(await ids({ reverse: true, from_event_id: all.at(-2) })).toEqual(all.slice(-2).toReversed());
    expect(await ids({ reverse: 0 })).toEqual(all);
    expect(await page({ reverse: true })).not.toHaveProperty("nextPageEventId");
    expect(await ids({ stop_id: all[3] })).toEqual(all.slice(0, 3));
  });

  it("clamps the page size to 1..1000", async () => {
    const all = await ids({});
    expect(await ids({ page_size: 0 })).toEqual(all.slice(0, 1));
    expect(await ids({ page_size: 999_999 })).toEqual(all);
  });

  it.each([
    { from_event_id: "x" },
    { from_event_id: -1 },
    { from_event_id: "1.5" },
    { page_size: "many" },
    { stop_id: "x" },
    { reverse: "maybe" },
    { shard_index: 2 },
    { shard_index: 0 },
  ])("of %j is 400", async (query) => {
    expect(await network.call("GET /v1/events", query)).toEqual({ status: 400, body: hubError });
  });

  it("hosts shard 1", async () => {
    expect(await ids({ shard_index: 1 })).toEqual(await ids({}));
  });
});

const hubError: unknown = expect.objectContaining({
  error: expect.any(String) as unknown,
  error_detail: expect.any(String) as unknown,
});

it.skipIf(againstServer)("Hub event retention: events older than three days are pruned", async () => {
  await cast({});
  const [oldest] = await ids({});
  await network.pass(3 * 24 * 3600 - 60);
  const hash = await cast({});
  expect((await ids({}))[0]).toBe(oldest);
  await network.pass(120);
  const { events } = await page({ from_event_id: 0 });
  expect(events).toMatchObject([{ mergeMessageBody: { message: { hash } } }]);
});

describe("GET /v1/eventById", () => {
  it.each(["event_id", "id"])("gives one event by %s, as the listing has it", async (name) => {
    const [event] = (await page()).events;
    expect(await network.call("GET /v1/eventById", { [name]: event?.id })).toEqual({
      status: 200,
      body: event,
    });
  });

  it("of a missing event is 404, of none or a malformed id 400", async () => {
    const read = (query: object) => network.call("GET /v1/eventById", query);
    expect(await read({ event_id: 2 ** 53 - 1 })).toEqual({ status: 404, body: hubError });
    expect(await read({})).toEqual({ status: 400, body: hubError });
    expect(await read({ event_id: "x" })).toEqual({ status: 400, body: hubError });
    expect(await read({ event_id: 1, shard_index: 0 })).toEqual({ status: 400, body: hubError });
  });
});

describe("order of ids", () => {
  it("a reader never finds a new id below one that it has seen, while casts come in at once", async () => {
    const seen = [(await lastId()) ?? 0];
    const writing = Promise.all(range(1, 30).map((fid) => cast({ fid })));
    while (seen.length <= 30) seen.push(...(await ids({ from_event_id: Number(seen.at(-1)) + 1 })));
    await writing;
    expect(seen.slice(1)).toEqual(await ids({ from_event_id: Number(seen[0]) + 1 }));
  });
});
