import { describe, expect, it } from "vitest";
import { custodyOf } from "../support/signing.ts";
import {
  cursorOf,
  readPages,
  founded,
  people,
  range,
  recordsOf,
  success,
  useInterfaceNetwork,
} from "../support/interface-network.ts";
import { titled } from "../support/test-cases.ts";

const crowd = range(1001, 2002);

const network = await useInterfaceNetwork();
const { address } = custodyOf(1);
await network.import({
  accounts: crowd.map((fid) => ({ fid, custodyAddress: address })),
  verifications: crowd.map((fid) => ({
    fid,
    platform: "x",
    platformId: `p${fid}`,
    platformUsername: `user${fid}`,
    verifiedAt: founded,
  })),
});
const channelId = await network.channel({ memberFids: crowd, followers: crowd });

const crowded = [
  { request: "GET /v1/channel-followers", usual: 100, query: () => ({ channelId }) },
  { request: "GET /fc/channel-members", usual: 100, query: () => ({ channelId }) },
  { request: "GET /fc/account-verifications", usual: 500, query: () => ({}) },
];

describe.each(titled(crowded, ({ request }) => request))("%s", (_, { request, usual, query }) => {
  it(`has pages of ${usual} by default`, async () => {
    const answer = await network.call(request, query());
    expect(recordsOf(answer)).toHaveLength(usual);
    expect(cursorOf(answer)).toBeTruthy();
  });

  it.each([1000, 1001, 99_999])("has pages of 1000 at most, asked for %i", async (limit) => {
    const answer = await network.call(request, { ...query(), limit });
    expect(recordsOf(answer)).toHaveLength(1000);
    const rest = await network.call(request, { ...query(), limit, cursor: cursorOf(answer) });
    expect(recordsOf(rest).length).toBeGreaterThanOrEqual(2);
    expect(cursorOf(rest)).toBeUndefined();
  });

  it("breaks ties in one order, without repeating or skipping anybody", async () => {
    const records = (await readPages(network, request, query(), 300)).flatMap(recordsOf);
    const seen = records.map((record) => JSON.stringify(record));
    const fids = new Set(records.map(({ fid }) => fid));
    expect(new Set(seen).size).toBe(seen.length);
    expect(crowd.filter((fid) => !fids.has(fid))).toEqual([]);
  });
});

describe("a cursor", () => {
  it("is a place in the order: rows that come and go between two pages shift nothing", async () => {
    const request = "GET /v1/channel-followers";
    const whole = (await network.list(request, { channelId, limit: 1000 })).map(({ fid }) => fid);
    const first = await network.call(request, { channelId, limit: 10 });
    const follows = { channelId };
    expect(await network.as(people.stranger, "POST /fc/channel-follows", follows)).toEqual(success);
    expect(await network.as(people.member, "POST /fc/channel-follows", follows)).toEqual(success);
    const second = await network.call(request, { channelId, limit: 10, cursor: cursorOf(first) });
    expect(recordsOf(second).map(({ fid }) => fid)).toEqual(whole.slice(10, 20));
    await network.as(people.stranger, "DELETE /fc/channel-follows", follows);
    const third = await network.call(request, { channelId, limit: 10, cursor: cursorOf(second) });
    expect(recordsOf(third).map(({ fid }) => fid)).toEqual(whole.slice(20, 30));
  });
});
