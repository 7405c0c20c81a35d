import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { custodyOf } from "../support/signing.ts";
import {
  type Answer,
  founded,
  type InterfaceNetwork,
  people,
  range,
  recordsOf,
  startInterfaceNetwork,
  success,
} from "../support/interface-network.ts";
import { titled } from "../support/test-cases.ts";

const crowd = range(1001, 2002);

let network: InterfaceNetwork;
let channelId: string;
beforeAll(async () => {
  network = await startInterfaceNetwork();
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
  channelId = await network.channel({ memberFids: crowd, followers: crowd });
});
afterAll(() => network.close());

const cursorOf = ({ body }: Answer) => (body as { next?: { cursor: string } }).next?.cursor;

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
    const seen: string[] = [];
    const fids = new Set<number>();
    let cursor: string | undefined;
    do {
      const answer = await network.call(request, { ...query(), limit: 300, ...(cursor && { cursor }) });
      for (const record of recordsOf(answer)) {
        seen.push(JSON.stringify(record));
        fids.add(record.fid);
      }
      cursor = cursorOf(answer);
    } while (cursor);
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
