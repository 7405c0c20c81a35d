import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Endpoint } from "../../../src/contract/endpoint.ts";
import { contract, operatorContract } from "../../../src/contract/index.ts";
import { findBrokenInvariants } from "../../support/sample-network.ts";
import { createTestNetwork, type TestNetwork } from "../../support/world.ts";
import { operatorToken, serveNetwork, type ServedNetwork } from "../../support/served-network.ts";
import { collectLog } from "../../support/log.ts";
import { soak } from "../../support/services.ts";
import { sendWild, wildInput } from "../../support/wild-input.ts";

let network: TestNetwork;
let served: ServedNetwork;
const { log, lines } = collectLog();
beforeAll(async () => {
  network = await createTestNetwork();
  served = await serveNetwork(network, { log });
  const { seed } = network;
  for (const fid of [1, 2, 3]) await seed.account(fid);
  await seed.channel("memes", { owner: 1, moderators: [2], members: [3] });
  await seed.channel("art", { owner: 2 });
  await seed.cast({ fid: 3, channelId: "memes" });
  await seed.cast({ fid: 4, channelId: "art" });
});
afterAll(async () => {
  await served.server.close();
  await network.context.database.close();
});

const endpoints = [contract, operatorContract]
  .flatMap((groups): Record<string, Endpoint>[] => Object.values(groups))
  .flatMap((group) => Object.values(group));

it.each(endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
  "%s answers whatever it is sent, and never with a 5xx",
  async (_, endpoint) => {
    const tokens = await Promise.all([1, 2, 9].map((fid) => served.token(fid)));
    const authorization = fc.constantFrom(...(endpoint.auth === "operator" ? [operatorToken] : tokens));
    await fc.assert(
      fc.asyncProperty(wildInput(endpoint), authorization, async (input, token) => {
        const response = await sendWild(served.server, endpoint, input, token);
        // What the server calls a bug, it logs.
        expect(lines.splice(0).map(({ err }) => err)).toEqual([]);
        expect(response.statusCode).toBeLessThan(500);
        expect(response.json()).toBeTypeOf("object");
      }),
      { numRuns: 60 * Number(soak ?? 1), ...(soak === undefined && { seed: 20 }) },
    );
  },
  soak === undefined ? undefined : 600_000,
);

it("leaves a database in which everything holds that always must", async () => {
  expect(await findBrokenInvariants(network.context.database.query)).toEqual([]);
});
