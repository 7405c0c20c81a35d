import {
  getBytes,
  recoverAddress,
  toBeHex,
  type TypedDataDomain,
  TypedDataEncoder,
  type TypedDataField,
} from "ethers";
import { beforeEach, describe, expect, it } from "vitest";
import { createApi, type Api } from "../../../src/api/create-api.ts";
import { asAppError } from "../../../src/errors.ts";
import { badForms, goodForms, halfOrder, keyDomain, otherDomains, walletOf } from "../../support/signing.ts";
import { useTestContext } from "../../support/test-cases.ts";

const application = 1;
const sponsor = 2;
const user = 3;
const key = `0x${"5a".repeat(32)}` as const;

const generatorX = "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798";

const requestTypes = {
  SignedKeyRequest: [
    { name: "requestFid", type: "uint256" },
    { name: "key", type: "bytes" },
    { name: "deadline", type: "uint256" },
  ],
};
const answerTypes = {
  SignedKeyAnswer: [
    { name: "answer", type: "string" },
    { name: "userFid", type: "uint256" },
    ...requestTypes.SignedKeyRequest,
    { name: "token", type: "string" },
  ],
};

/** As eth_signTypedData_v4 takes it. */
interface WalletQuestion {
  domain: TypedDataDomain;
  types: Record<string, TypedDataField[]>;
  message: Record<string, unknown>;
}

const context = await useTestContext();
const api = createApi(context);
beforeEach(async () => {
  await context.database.truncate();
  const accounts = [application, sponsor, user].map((fid) => ({
    fid,
    custody_address: walletOf(fid).address,
    credit_balance: 100,
  }));
  await context.database.query.insertInto("network.accounts").values(accounts).execute();
});

const asked = () => ({ requestFid: application, key, deadline: Math.floor(context.clock.now() / 1000) + 60 });

async function signRequest(domain: TypedDataDomain = keyDomain) {
  const signature = await walletOf(application).signTypedData(domain, requestTypes, asked());
  return { ...asked(), signature };
}

/** The sponsor signs the bytes of the request's signature, as a personal message. */
async function signSponsored(by = sponsor) {
  const request = await signRequest();
  const signature = await walletOf(by).signMessage(getBytes(request.signature));
  return { ...request, sponsorship: { sponsorFid: sponsor, signature } };
}

async function signAnswer(domain: TypedDataDomain = keyDomain) {
  const { signedKeyRequest } = await api.network().signedKeyRequests.create(await signRequest());
  const { token } = signedKeyRequest;
  const message = { ...asked(), token, userFid: user, answer: "approve" };
  const signature = await walletOf(user).signTypedData(domain, answerTypes, message);
  return { token, userFid: user, answer: "approve" as const, signature };
}

/** "done", or which signature was refused. */
const outcome = (call: Promise<unknown>) =>
  call.then(
    () => "done",
    (error: unknown) => asAppError(error, "not_permitted")?.instancePath,
  );
const create = (body: Parameters<ReturnType<Api["network"]>["signedKeyRequests"]["create"]>[0]) =>
  outcome(api.network().signedKeyRequests.create(body));
const answer = (body: Parameters<ReturnType<Api["network"]>["signedKeyAnswers"]["answer"]>[0]) =>
  outcome(api.network().signedKeyAnswers.answer(body));

describe("a signed key request that ethers signed", () => {
  it.each(goodForms)("is made, with %s", async (_, write) => {
    const body = await signRequest();
    expect(await create({ ...body, signature: write(body.signature) })).toBe("done");
  });

  it.each(badForms)("is refused as %s", async (_, write) => {
    const body = await signRequest();
    expect(await create({ ...body, signature: write(body.signature) })).toBe("/signature");
  });

  it.each(otherDomains(keyDomain))("is refused for %s", async (_, domain) => {
    expect(await create(await signRequest(domain))).toBe("/signature");
  });

  it.each([
    ["half of the order", halfOrder, "done"],
    ["one more", halfOrder + 1n, "/signature"],
  ])("may have an s up to half of the order: %s", async (_, s, expected) => {
    // A coordinate of a point and any s are some address's signature: here that address is the application's.
    const signature = `0x${generatorX}${toBeHex(s, 32).slice(2)}1b`;
    const digest = TypedDataEncoder.hash(keyDomain, requestTypes, asked());
    await context.database.query
      .updateTable("network.accounts")
      .set({ custody_address: recoverAddress(digest, signature) })
      .where("fid", "=", application)
      .execute();
    expect(await create({ ...asked(), signature })).toBe(expected);
  });
});

describe("a sponsorship that ethers signed, over the bytes of the request's signature", () => {
  it.each(goodForms)("counts, with %s", async (_, write) => {
    const { sponsorship, ...body } = await signSponsored();
    const written = { ...sponsorship, signature: write(sponsorship.signature) };
    expect(await create({ ...body, sponsorship: written })).toBe("done");
  });

  it.each(badForms)("is refused as %s", async (_, write) => {
    const { sponsorship, ...body } = await signSponsored();
    const written = { ...sponsorship, signature: write(sponsorship.signature) };
    expect(await create({ ...body, sponsorship: written })).toBe("/sponsorship/signature");
  });

  it("is refused where another signed, or the text in place of its bytes was signed", async () => {
    const { sponsorship, ...body } = await signSponsored(user);
    expect(await create({ ...body, sponsorship })).toBe("/sponsorship/signature");
    const signature = await walletOf(sponsor).signMessage(body.signature);
    expect(await create({ ...body, sponsorship: { ...sponsorship, signature } })).toBe(
      "/sponsorship/signature",
    );
  });
});

describe("an answer that ethers signed", () => {
  it.each(goodForms)("approves, with %s", async (_, write) => {
    const body = await signAnswer();
    expect(await answer({ ...body, signature: write(body.signature) })).toBe("done");
    const { signedKeyRequest } = await api.network().signedKeyRequests.get({ token: body.token });
    expect(signedKeyRequest).toMatchObject({ state: "approved", userFid: user });
  });

  it.each(badForms)("is refused as %s", async (_, write) => {
    const body = await signAnswer();
    expect(await answer({ ...body, signature: write(body.signature) })).toBe("/signature");
    expect(await answer(body)).toBe("done");
  });

  it.each(otherDomains(keyDomain))("is refused for %s", async (_, domain) => {
    expect(await answer(await signAnswer(domain))).toBe("/signature");
  });

  it("is the message that the page gives a wallet to sign", async () => {
    const { signature: _, ...asking } = await signAnswer();
    const { typedData } = await api.network().signedKeyAnswers.message(asking);
    // ethers derives the domain's type, which wallets want to be told.
    const { domain, types, message } = JSON.parse(typedData) as WalletQuestion;
    const { EIP712Domain: _domain, ...own } = types;
    const signature = await walletOf(user).signTypedData(domain, own, message);
    expect(await answer({ ...asking, signature })).toBe("done");
  });
});
