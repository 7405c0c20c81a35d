import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { mintToken } from "../../../src/client/token.ts";
import type { Endpoint } from "../../../src/contract/endpoint.ts";
import { contract } from "../../../src/contract/index.ts";
import {
  createKeyPair,
  custodyOf,
  signKeyAnswer,
  signKeyRequest,
  signTransfer,
} from "../../support/signing.ts";
import { createTestNetwork, type TestNetwork } from "../../support/world.ts";
import { serveNetwork, type ServedNetwork } from "../../support/served-network.ts";
import { sendWild, wildInput } from "../../support/wild-input.ts";

const [application, user, stranger] = [50, 7, 99];

let network: TestNetwork;
let served: ServedNetwork;
let token: string;
/** A request that waits for an answer. */
let asked: { token: string; key: `0x${string}`; requestFid: number; deadline: number };
beforeAll(async () => {
  network = await createTestNetwork();
  served = await serveNetwork(network);
  const accounts = [application, user].map((fid) => ({ fid, custodyAddress: custodyOf(fid).address }));
  await network.api.operator.importNetwork({ accounts });
  await network.seed.channel("memes", { owner: user });
  const { key, privateKey } = await createKeyPair();
  const deadline = now() + 3600;
  const request = { key, requestFid: application, deadline };
  const { signedKeyRequest } = await network.public.signedKeyRequests.create(await signKeyRequest(request));
  asked = { ...request, token: signedKeyRequest.token };
  token = await mintToken({ fid: stranger, privateKey }, now() + 300);
});
afterAll(async () => {
  await served.server.close();
  await network.context.database.close();
});

const now = () => Math.floor(network.context.clock.now() / 1000);

/** How many rows the network has, by table. */
async function countRows(): Promise<Record<string, number>> {
  const { query } = network.context.database;
  const tables = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'network' and table_type = 'BASE TABLE'
  `.execute(query);
  const counts: Record<string, number> = {};
  for (const { name } of tables.rows) {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from ${sql.table(`network.${name}`)}
    `.execute(query);
    counts[name] = rows[0]?.n ?? 0;
  }
  return counts;
}

async function send(endpoint: Endpoint, input: Record<string, unknown>): Promise<number> {
  return (await sendWild(served.server, endpoint, input, token)).statusCode;
}

const endpoints = Object.values(contract)
  .flatMap((group): Endpoint[] => Object.values(group))
  .map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const);

/** What a stranger can do best where no token is asked for: all of it right, but for whose signature it is. */
const best: Record<string, () => Promise<Record<string, unknown>>> = {
  "POST /v2/signed-key-request": async () => ({
    ...(await signKeyRequest({ ...asked, key: `0x${"5a".repeat(32)}`, signedBy: stranger })),
    redirectUrl: `https://fill.example/${"x".repeat(2000)}`,
  }),
  "POST /signed-key-request/answer": async () => ({
    ...(await signKeyAnswer(asked, user, "approve", stranger)),
  }),
  "POST /transfers": async () => ({
    ...(await signTransfer({ name: "mine", from: 0, to: stranger, timestamp: now() })),
  }),
};

it("Whoever has no account leaves no row, whatever they ask for", { timeout: 120_000 }, async () => {
  const before = await countRows();
  expect(Object.keys(before).length).toBeGreaterThan(20);
  for (const [name, endpoint] of endpoints) {
    for (const input of fc.sample(wildInput(endpoint), { numRuns: 5, seed: 17 })) {
      expect(await send(endpoint, input), name).toBeLessThan(500);
    }
  }
  expect(await countRows()).toEqual(before);
});

it("nor with the best that they can sign where no token is asked for", async () => {
  const open = endpoints.filter(([, { auth, method }]) => auth === "none" && method !== "GET");
  expect(open.map(([name]) => name).toSorted()).toEqual(Object.keys(best).toSorted());
  const before = await countRows();
  for (const [name, endpoint] of open) {
    const status = await send(endpoint, (await best[name]?.()) ?? {});
    expect([400, 403], name).toContain(status);
  }
  expect(await countRows()).toEqual(before);
});
