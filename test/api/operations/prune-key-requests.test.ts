import { expect, it } from "vitest";
import { pruneKeyRequests } from "../../../src/api/operations/signed-keys.ts";
import { createKeyPair, custodyOf, signKeyAnswer, signKeyRequest } from "../../support/signing.ts";
import { useTestNetwork } from "../../support/test-cases.ts";

const day = 24 * 3600;
const [application, user] = [50, 7];

const network = await useTestNetwork();
const accounts = [application, user].map((fid) => ({ fid, custodyAddress: custodyOf(fid).address }));
await network.api.operator.importNetwork({ accounts });

/** Asks for a key, and answers where that is said; gives the token. */
async function ask(deadline: number, answer?: "approve" | "refuse", key?: `0x${string}`) {
  const asked = network.public;
  const request = { key: key ?? (await createKeyPair()).key, requestFid: application, deadline };
  const { token } = (await asked.signedKeyRequests.create(await signKeyRequest(request))).signedKeyRequest;
  if (answer) await asked.signedKeyAnswers.answer(await signKeyAnswer({ ...request, token }, user, answer));
  return token;
}

it("Requests that expired or were refused a week ago are deleted; pending and approved ones stay", async () => {
  const { context, public: asked } = network;
  const now = Math.floor(context.clock.now() / 1000);
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

it("A deadline that never comes is taken, and the request ends after thirty days and goes a week later", async () => {
  const { context, public: asked } = network;
  const never = Number.MAX_SAFE_INTEGER;
  const { key } = await createKeyPair();
  const created = Math.floor(context.clock.now() / 1000);
  const token = await ask(never, undefined, key);
  const approved = await ask(never, "approve");
  expect(await asked.signedKeyAnswers.question({ token })).toMatchObject({
    deadline: never,
    answerUntil: created + 30 * day,
  });

  context.clock.advance(30 * day - 60);
  expect(await ask(never, undefined, key)).toBe(token);
  context.clock.advance(60);
  const gone = { code: "not_found" };
  await expect(asked.signedKeyRequests.get({ token })).rejects.toMatchObject(gone);
  const late = await signKeyAnswer({ token, key, requestFid: application, deadline: never }, user, "approve");
  await expect(asked.signedKeyAnswers.answer(late)).rejects.toMatchObject(gone);
  expect(await ask(never, undefined, key)).not.toBe(token);

  await pruneKeyRequests(context);
  const kept = () =>
    context.database.query.selectFrom("network.signed_key_requests").select("token").execute();
  expect(await kept()).toContainEqual({ token });
  context.clock.advance(7 * day + 1);
  await pruneKeyRequests(context);
  expect(await kept()).not.toContainEqual({ token });
  expect(await kept()).toContainEqual({ token: approved });
});
