// @ts-nocheck
import { afterAll, beforeAll, expect, it } from "vitest";
import { pruneKeyRequests } from "../../../src/api/operations/signed-keys.ts";
import { createKeyPair, signKeyAnswer, signKeyRequest } from "../../support/key-requests.ts";
import { custodyOf } from "../../support/names.ts";
import { createTestNetwork, type TestNetwork } from "../../support/network.ts";

const day = 24 * 3600;
const [application, user] = [50, 7];

let network: TestNetwork;
beforeAll(async () => {
  network = await createTestNetwork();
  const accounts = [application, user].map((fid) => ({ fid, custodyAddress: custodyOf(fid).address }));
  await network.api.operator.importNetwork({ accounts });
});
afterAll(() => network.context.database.close());

it("Requests that expired or were refused a week ago are deleted; pending and approved ones stay", async () => {
  const { context, public: asked } = network;
  const now = Math.floor(context.clock.now() / 1000);
  const ask = async (deadline: number, answer?: "approve" | "refuse") => {
    const { key } = await createKeyPair();
    const request = { key, requestFid: application, deadline };
    const { token } = (await asked.signedKeyRequests.create(await signKeyRequest(request))).signedKeyRequest;
    if (answer) await asked.signedKeyAnswers.answer(await signKeyAnswer({ ...request, token }, user, answer));
    return token;
  };
  await ask(now + day);
  await ask(now + 9 * day, "refuse");
  const pending = await ask(now + 9 * day);
  const approved = await ask(now + day, "approve");

  context.clock.advance(7 * day);
  expect(await pruneKeyRequests(context)).toBe(0);
  context.clock.advance(60);
  expect(await pruneKeyRequests(context)).toBe(1);
  context.clock.advance(day);
  expect(await pruneKeyRequests(context)).toBe(1);
  const states = await Promise.all(
    [pending, approved].map(
      async (token) => (await asked.signedKeyRequests.get({ token })).signedKeyRequest.state,
    ),
  );
  expect(states).toEqual(["pending", "completed"]);
});
