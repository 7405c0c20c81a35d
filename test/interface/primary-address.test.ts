import { describe, expect, it } from "vitest";
import { range, refused, startInterfaceNetwork, useInterfaceNetwork } from "../support/interface-network.ts";

const evm = `0x${"aB".repeat(20)}`;
const solana = "7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV";
const ofOne = { fid: 1, protocol: "ethereum", address: evm };

const network = await useInterfaceNetwork();
await network.import({
  primaryAddresses: [ofOne, { fid: 1, protocol: "solana", address: solana }, { ...ofOne, fid: 2 }],
});

const many = (fids: unknown, protocol = "ethereum") =>
  network.call("GET /fc/primary-addresses", { fids, protocol });

describe("GET /fc/primary-address", () => {
  const read = (query: object) => network.call("GET /fc/primary-address", query);

  it("is the user's of the protocol, written as stored", async () => {
    expect(await read({ fid: 1, protocol: "ethereum" })).toEqual({
      status: 200,
      body: { result: { address: ofOne } },
    });
    expect(await read({ fid: 1, protocol: "solana" })).toMatchObject({
      body: { result: { address: { address: solana } } },
    });
  });

  it("is 404 for a user without one, 400 for what is no question", async () => {
    expect(await read({ fid: 2, protocol: "solana" })).toEqual(refused(404, "not_found"));
    for (const query of [
      {},
      { fid: 1 },
      { fid: "x", protocol: "ethereum" },
      { fid: 1, protocol: "bitcoin" },
    ]) {
      expect(await read(query)).toEqual(refused(400, "invalid_request"));
    }
  });
});

describe("GET /fc/primary-addresses", () => {
  it("has an entry for each fid in the order asked, duplicates too", async () => {
    expect(await many("9,1,9,1")).toEqual({
      status: 200,
      body: {
        result: {
          addresses: [
            { fid: 9, success: false },
            { fid: 1, success: true, address: ofOne },
            { fid: 9, success: false },
            { fid: 1, success: true, address: ofOne },
          ],
        },
      },
    });
  });

  it("takes 100 fids, and no more", async () => {
    expect(await many(range(1, 100).join(","))).toMatchObject({ status: 200 });
    expect(await many(range(1, 101).join(","))).toEqual(refused(400, "invalid_request"));
  });

  it.each(["", "1,", "1,x", "0", "-1", "1, 2", "9007199254740992"])("refuses fids %j", async (fids) => {
    expect(await many(fids)).toEqual(refused(400, "invalid_request"));
  });

  it("needs fids and a protocol", async () => {
    expect(await network.call("GET /fc/primary-addresses", { fids: "1" })).toEqual(refused(400));
    expect(await network.call("GET /fc/primary-addresses", { protocol: "ethereum" })).toEqual(refused(400));
  });

  it("answers 20 calls of one address in ten seconds, then 429 with Retry-After", async () => {
    // Nothing counts any more of what the tests before have asked.
    const fresh = await startInterfaceNetwork();
    await fresh.pass(11);
    const query = { fids: 1, protocol: "ethereum" };
    const answers = await Promise.all(range(1, 20).map(() => fresh.call("GET /fc/primary-addresses", query)));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    const response = await fetch(`${fresh.url}/fc/primary-addresses?fids=1&protocol=ethereum`);
    expect(response.status).toBe(429);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await response.json()).toEqual(refused(429, "rate_limited").body);
    const single = await fresh.call("GET /fc/primary-address", { fid: 1, protocol: "solana" });
    expect(single.status).not.toBe(429);
    await fresh.close();
  });
});
