import { describe, expect, it } from "vitest";
import { verifyTypedData } from "viem";
import { defaultSettings } from "../../src/api/context.ts";
import { describeClaim } from "../../src/contract/name-claim.ts";
import { custodyOf, signTransfer } from "../support/signing.ts";
import { startInterfaceNetwork, useInterfaceNetwork } from "../support/interface-network.ts";
import { againstServer } from "../support/interface-server.ts";

interface Transfer {
  id: number;
  timestamp: number;
  username: string;
  owner: `0x${string}`;
  from: number;
  to: number;
  user_signature: `0x${string}`;
  server_signature: `0x${string}`;
}

const network = await useInterfaceNetwork();
/** The last transfer before ours. */
const start = await findLastId();
const people = [0, ...(await network.newcomers(3))];
for (const [word, from, to] of [
  ["anna", 0, 1],
  ["berta", 0, 2],
  ["anna", 1, 3],
  ["anna", 3, 0],
  ["carla", 0, 1],
] as const) {
  await network.pass(1);
  const parties = { from: people[from] ?? 0, to: people[to] ?? 0 };
  const body = await signTransfer({ name: network.own(word), ...parties, timestamp: network.now() });
  await network.call("POST /transfers", body);
}
/** Ours, oldest first. */
const all = await list({ from_id: start });

/** Of all transfers so far: the latest may be a release, which /transfers/current does not give. */
async function findLastId(): Promise<number> {
  for (let last = 0; ;) {
    const page = await list({ from_id: last });
    if (page.length === 0) return last;
    last = page.at(-1)?.id ?? last;
  }
}

async function list(query: object = {}, path = ""): Promise<Transfer[]> {
  const { body } = await network.call(`GET /transfers${path}`, query);
  return (body as { transfers?: Transfer[] }).transfers ?? [];
}
const current = (query: object) => network.call("GET /transfers/current", query);
const brief = (transfers: Transfer[]) =>
  transfers.map(
    ({ username, from, to }) => `${username.split("-")[0]} ${people.indexOf(from)}→${people.indexOf(to)}`,
  );

describe("GET /transfers", () => {
  it("lists every transfer by ascending id", () => {
    expect(brief(all)).toEqual(["anna 0→1", "berta 0→2", "anna 1→3", "anna 3→0", "carla 0→1"]);
    const ids = all.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a - b));
  });

  it("filters by name, from or to, and both", async () => {
    expect(brief(await list({ name: network.own("anna") }))).toEqual(["anna 0→1", "anna 1→3", "anna 3→0"]);
    expect(await list({ fname: network.own("anna") })).toEqual(await list({ name: network.own("anna") }));
    expect(brief(await list({ fid: people[1] }))).toEqual(["anna 0→1", "anna 1→3", "carla 0→1"]);
    expect(brief(await list({ fid: people[1], name: network.own("carla") }))).toEqual(["carla 0→1"]);
    expect(await list({ name: network.own("nobody") })).toEqual([]);
    expect(await list({ fid: network.unused(1)[0] })).toEqual([]);
  });

  it("starts after from_id, and after from_ts", async () => {
    const third = all[2];
    expect(await list({ from_id: third?.id })).toEqual(all.slice(3));
    expect(await list({ fromId: third?.id })).toEqual(all.slice(3));
    const later = await list({ from_ts: third?.timestamp });
    const ours = new Set(all.map(({ id }) => id));
    expect(later.filter(({ id }) => ours.has(id))).toEqual(all.slice(3));
    expect(brief(await list({ from_id: third?.id, name: network.own("anna") }))).toEqual(["anna 3→0"]);
  });

  it.each([
    { from_id: 0 },
    { from_id: "" },
    { from_id: "x" },
    { from_ts: 0 },
    { from_ts: "soon" },
    { fid: 0 },
    { fid: "me" },
    { name: "" },
  ])("ignores the filter %j", async (query) => {
    const unfiltered = await list();
    expect(unfiltered.length).toBeGreaterThanOrEqual(5);
    expect(await list(query)).toEqual(unfiltered);
  });

  it.each([
    { fid: -1 },
    { fid: 1.5 },
    { fid: "9007199254740993" },
    { from_id: -1 },
    { from_id: "1e400" },
    { from_ts: "-5" },
    { from_ts: 0.5 },
  ])("finds nothing by %j, which nothing can have", async (query) => {
    expect(await network.call("GET /transfers", query)).toEqual({ status: 200, body: { transfers: [] } });
  });

  it("drops NUL bytes in a name", async () => {
    expect(brief(await list({ name: network.own("ber\0ta") }))).toEqual(["berta 0→2"]);
  });

  it("needs no token, and can be read by any page", async () => {
    const response = await fetch(`${network.url}/transfers`, {
      headers: { authorization: "Bearer nonsense" },
    });
    expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
  });

  it("carries both signatures over the same claim: the user's and the registry's", async () => {
    const { body } = await network.call("GET /signer");
    const { signer } = body as { signer: `0x${string}` };
    for (const { username, owner, timestamp, user_signature, server_signature } of all) {
      const claim = describeClaim(defaultSettings.nameDomain, { name: username, owner, timestamp });
      expect(await verifyTypedData({ ...claim, address: owner, signature: user_signature })).toBe(true);
      expect(await verifyTypedData({ ...claim, address: signer, signature: server_signature })).toBe(true);
    }
  });
});

describe("GET /transfers/current", () => {
  const found = (transfer?: Transfer) => ({ status: 200, body: { transfers: [transfer], transfer } });

  it("gives the fid of a name and the name of a fid", async () => {
    expect(await current({ name: network.own("berta") })).toEqual(found(all[1]));
    expect(await current({ fname: network.own("berta") })).toEqual(found(all[1]));
    expect(await current({ fid: people[1] })).toEqual(found(all[4]));
  });

  it("takes the fid first, and without either the latest of all", async () => {
    expect(await current({ fid: people[2], name: network.own("carla") })).toEqual(found(all[1]));
    expect(await current({ fid: "", name: network.own("carla") })).toEqual(found(all[4]));
    expect(await current({})).toEqual(found(all[4]));
  });

  it.skipIf(againstServer)("of an empty registry is 404", async () => {
    const empty = await startInterfaceNetwork();
    expect(await empty.call("GET /transfers/current")).toMatchObject({
      status: 404,
      body: { error: "No transfer found" },
    });
    await empty.close();
  });

  it.each(["nobody", "anna"])("of the name %s, which nobody has, is 404", async (word) => {
    expect(await current({ name: network.own(word) })).toMatchObject({
      status: 404,
      body: { error: "No transfer found" },
    });
  });

  it.each([
    ["who never had one", () => network.unused(1)[0]],
    ["who gave it away", () => people[3]],
  ])("of a fid %s is 404", async (_, fid) => {
    expect(await current({ fid: fid() })).toMatchObject({
      status: 404,
      body: { error: "Could not resolve current name" },
    });
  });

  it.each([0, -1, 1.5, "9007199254740993"])("of %s, which is no fid, is 404", async (fid) => {
    expect(await current({ fid })).toMatchObject({
      status: 404,
      body: { error: "Could not resolve current name" },
    });
  });

  it.each(["anna", " ", "1,5"])("of the fid %j, which is no number, is 400", async (fid) => {
    expect((await current({ fid })).status).toBe(400);
  });
});

describe("other routes of the registry", () => {
  it("GET /signer gives a checksummed address", async () => {
    const { status, body } = await network.call("GET /signer");
    expect([status, body]).toEqual([
      200,
      {
        signer: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/) as unknown,
        domain: defaultSettings.nameDomain,
      },
    ]);
    const { signer } = body as { signer: string };
    expect(signer).not.toBe(signer.toLowerCase());
  });

  it("GET /current-time gives the registry's clock", async () => {
    expect(await network.call("GET /current-time")).toEqual({
      status: 200,
      body: { currentTime: network.justNow() },
    });
  });

  it("GET /_health answers", async () => {
    expect(await network.call("GET /_health")).toMatchObject({ status: 200, body: { status: "ok" } });
  });
});

describe("an imported username", () => {
  it("is a registration from 0, with an empty user signature and the registry's own", async () => {
    const [fid = 0] = network.unused(1);
    const { address } = custodyOf(fid);
    const username = network.own("imported");
    await network.import({ accounts: [{ fid, custodyAddress: address, username }] });
    expect(await list({ name: username })).toMatchObject([
      { from: 0, to: fid, owner: address.toLowerCase(), user_signature: "0x" },
    ]);
  });
});

describe("pages", () => {
  it("hold a hundred transfers", async () => {
    const { address } = custodyOf(1);
    const accounts = network
      .unused(121)
      .map((fid, index) => ({ fid, custodyAddress: address, username: network.own(`u${index}`) }));
    await network.import({ accounts });
    const first = await list({ from_id: start });
    expect(first).toHaveLength(100);
    const second = await list({ from_id: first.at(-1)?.id });
    expect(second).toHaveLength(5 + 1 + 121 - 100);
    expect(new Set([...first, ...second].map(({ id }) => id)).size).toBe(127);
  });
});

describe("order", () => {
  it("is by id, after from_ts by the claims' own times", async () => {
    const [fid = 0] = await network.newcomers(1);
    const now = network.now();
    for (const [word, from, to, ahead] of [
      ["dora", 0, fid, 1],
      ["dora", fid, 0, 300],
      ["emma", 0, fid, 100],
    ] as const) {
      const body = await signTransfer({ name: network.own(word), from, to, timestamp: now + ahead });
      expect((await network.call("POST /transfers", body)).status).toBe(200);
    }
    const times = async (query: object) =>
      (await list({ fid, ...query })).map(({ timestamp }) => timestamp - now);
    expect(await times({})).toEqual([1, 300, 100]);
    expect(await times({ from_ts: now })).toEqual([1, 100, 300]);
    expect(await times({ from_ts: now + 1 })).toEqual([100, 300]);
  });
});
