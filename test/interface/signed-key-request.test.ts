import { beforeEach, describe, expect, it } from "vitest";
import { mintToken } from "../../src/client/token.ts";
import { refused, resultOf, useInterfaceNetwork } from "../support/interface-network.ts";
import {
  createKeyPair,
  custodyOf,
  signKeyAnswer,
  signKeyRequest,
  type Asked,
  type KeyPair,
} from "../support/signing.ts";

const application = 7;
const user = 8;
const day = 24 * 3600;

const network = await useInterfaceNetwork();
const account = (fid: number, creditBalance: number) => ({
  fid,
  custodyAddress: custodyOf(fid).address,
  creditBalance,
});
/** Sponsors whose balance is just enough, and just too little. */
const [rich = 0, poor = 0] = network.unused(2);
await network.import({ accounts: [account(rich, 100), account(poor, 99)] });

let pair: KeyPair;
beforeEach(async () => {
  pair = await createKeyPair();
});

const post = (body: object, path = "/v2/signed-key-request") => network.call(`POST ${path}`, body);
const draft = (parts: object = {}) => ({
  key: pair.key,
  requestFid: application,
  deadline: network.now() + day,
  ...parts,
});
const read = (token: string) => network.call("GET /v2/signed-key-request", { token });
const answer = (body: object) => network.call("POST /signed-key-request/answer", body);

interface Shown {
  token: string;
  state: string;
  [field: string]: unknown;
}
// What the contract says of the payload.
const shownIn = (result: Record<string, unknown>) => result["signedKeyRequest"] as Shown;
const create = async (parts: object = {}): Promise<Asked> => {
  const request = draft(parts);
  const { token } = shownIn(resultOf(await post(await signKeyRequest(request))));
  return { ...request, token };
};
const stateOf = async (token: string) => shownIn(resultOf(await read(token))).state;
const gone = refused(404, "not_found");
/** Whether the key signs for the fid. */
const signsFor = async (fid: number) => {
  const token = await mintToken({ fid, privateKey: pair.privateKey }, network.now() + 300);
  const headers = { authorization: `Bearer ${token}` };
  const { status } = await network.call("POST /fc/blocked-users", { blockFid: 1 }, headers);
  return status === 200;
};

describe("Signed key request", () => {
  it("row 1: none → pending, with a token and a deeplink that carries it", async () => {
    const body = await signKeyRequest(draft());
    const made = await post(body);
    const { token } = shownIn(resultOf(made));
    expect(token).toMatch(/^0x[0-9a-f]{24}$/);
    const deeplinkUrl = `castellan://signed-key-request?token=${token}`;
    const signedKeyRequest = { token, deeplinkUrl, key: pair.key, state: "pending" };
    expect(made).toEqual({ status: 200, body: { result: { signedKeyRequest } } });
    expect(await read(token)).toEqual(made);
  });

  it("row 2: pending → approved when the user approves, and userFid is there", async () => {
    const asked = await create();
    expect(await answer(await signKeyAnswer(asked, user, "approve"))).toMatchObject({ status: 200 });
    expect(shownIn(resultOf(await read(asked.token)))).toMatchObject({ state: "approved", userFid: user });
    expect(await signsFor(user)).toBe(false);
  });

  it("row 3: approved → completed when that is confirmed, and the key signs for the user alone", async () => {
    const asked = await create();
    await answer(await signKeyAnswer(asked, user, "approve"));
    await network.pass(3);
    expect(shownIn(resultOf(await read(asked.token)))).toMatchObject({ state: "completed", userFid: user });
    expect(await signsFor(user)).toBe(true);
    expect(await signsFor(application)).toBe(false);
  });

  it("refused by the user: gone, and a new request is a new one", async () => {
    const asked = await create();
    expect(await answer(await signKeyAnswer(asked, user, "refuse"))).toMatchObject({ status: 200 });
    expect(await read(asked.token)).toEqual(gone);
    expect(await answer(await signKeyAnswer(asked, user, "approve"))).toEqual(gone);
    expect((await create()).token).not.toBe(asked.token);
    expect(await signsFor(user)).toBe(false);
  });

  it("past its deadline: gone, and a new request is a new one", async () => {
    const asked = await create({ deadline: network.now() + 4 });
    expect(await stateOf(asked.token)).toBe("pending");
    await network.pass(4);
    expect(await read(asked.token)).toEqual(gone);
    expect(await answer(await signKeyAnswer(asked, user, "approve"))).toEqual(gone);
    expect((await create()).token).not.toBe(asked.token);
  });

  it("an approved one does not expire", async () => {
    const asked = await create({ deadline: network.now() + 4 });
    await answer(await signKeyAnswer(asked, user, "approve"));
    await network.pass(4);
    expect(await stateOf(asked.token)).toBe("completed");
  });

  it("the same key by the same application while pending is the same request", async () => {
    const asked = await create();
    expect((await create({ deadline: network.now() + 2 * day })).token).toBe(asked.token);
    expect((await create({ requestFid: 9 })).token).not.toBe(asked.token);
    const tokens = await Promise.all(Array.from({ length: 5 }, () => create({ requestFid: 10 })));
    expect(new Set(tokens.map(({ token }) => token)).size).toBe(1);
  });

  it("both paths take it, and numbers as decimal text", async () => {
    const body = await signKeyRequest(draft());
    const texts = { ...body, requestFid: String(body.requestFid), deadline: String(body.deadline) };
    const [one, other] = [await post(body), await post(texts, "/v2/signed-key-requests")];
    expect(resultOf(other)).toEqual(resultOf(one));
  });
});

describe("POST /v2/signed-key-request, refused", () => {
  it("a signature that is not of the application's custody address, or of something else", async () => {
    const refusal = refused(403, "not_permitted");
    expect(await post(await signKeyRequest({ ...draft(), signedBy: 9 }))).toEqual(refusal);
    const body = await signKeyRequest(draft());
    const other = (await createKeyPair()).key;
    for (const part of [{ deadline: body.deadline + 1 }, { requestFid: 9 }, { key: other }]) {
      expect(await post({ ...body, ...part })).toEqual(refusal);
    }
    expect(await post(await signKeyRequest(draft({ requestFid: 424_242 })))).toEqual(refusal);
  });

  it.each([
    ["no key", { key: undefined }],
    ["a key of 31 bytes", { key: `0x${"ab".repeat(31)}` }],
    ["a key of 33 bytes", { key: `0x${"ab".repeat(33)}` }],
    ["no application", { requestFid: undefined }],
    ["an application of 0", { requestFid: 0 }],
    ["a deadline with a fraction", { deadline: 1.5 }],
    ["no signature", { signature: undefined }],
    ["a signature that is no hex", { signature: "zz" }],
    ["a redirect that runs", { redirectUrl: "javascript:alert(1)" }],
    ["a redirect to data", { redirectUrl: "data:text/html,x" }],
    ["a redirect to a file", { redirectUrl: "file:///etc/passwd" }],
    ["a redirect in the clear", { redirectUrl: "http://app.test" }],
    ["a redirect that is none", { redirectUrl: "app" }],
    ["a redirect with NUL", { redirectUrl: "https://app.test/\0" }],
    ["a redirect of 2,049 characters", { redirectUrl: `https://${"a".repeat(2041)}` }],
    ["half a sponsorship", { sponsorship: { sponsorFid: rich } }],
  ])("%s is 400", async (_, part) => {
    expect(await post({ ...(await signKeyRequest(draft())), ...part })).toEqual(
      refused(400, "invalid_request"),
    );
  });

  it("a deadline that is over", async () => {
    for (const deadline of [network.now(), network.now() - 1]) {
      expect(await post(await signKeyRequest(draft({ deadline })))).toEqual(refused(400, "invalid_request"));
    }
  });

  it.each(["https://app.test/back", "myapp://back", `https://${"a".repeat(2040)}`])(
    "but a redirect to %s is taken",
    async (redirectUrl) => {
      expect(await post({ ...(await signKeyRequest(draft())), redirectUrl })).toMatchObject({ status: 200 });
    },
  );
});

describe("Sponsorship", () => {
  const sponsored = (sponsorFid: number) => signKeyRequest({ ...draft(), sponsorFid });

  it("needs a balance of 100, which stays", async () => {
    expect(await post(await sponsored(poor))).toEqual(refused(403, "insufficient_credits"));
    expect(await post(await sponsored(rich))).toMatchObject({ status: 200 });
    pair = await createKeyPair();
    expect(await post(await sponsored(rich))).toMatchObject({ status: 200 });
  });

  it("needs the sponsor's signature over this very signature", async () => {
    const body = await sponsored(rich);
    const other = await signKeyRequest({ ...draft({ deadline: network.now() + 5 }), sponsorFid: rich });
    const refusal = refused(403, "not_permitted");
    expect(await post({ ...body, sponsorship: other.sponsorship })).toEqual(refusal);
    expect(await post({ ...body, sponsorship: { ...body.sponsorship, sponsorFid: poor } })).toEqual(refusal);
  });
});

describe("GET /v2/signed-key-request", () => {
  it("of an unknown token is 404, of none or a malformed one 400", async () => {
    expect(await read(`0x${"ab".repeat(12)}`)).toEqual(gone);
    expect(await read("abc")).toEqual(refused(400, "invalid_request"));
    expect(await network.call("GET /v2/signed-key-request")).toEqual(refused(400, "invalid_request"));
  });
});

describe("the user's answer", () => {
  it("is asked with all that it binds", async () => {
    const request = draft();
    const body = { ...(await signKeyRequest(request)), redirectUrl: "myapp://back" };
    const { token } = shownIn(resultOf(await post(body)));
    const question = await network.call("GET /signed-key-request/question", { token });
    expect(resultOf(question)).toEqual({
      token,
      deeplinkUrl: `castellan://signed-key-request?token=${token}`,
      state: "pending",
      ...request,
      answerUntil: request.deadline,
      redirectUrl: "myapp://back",
      sponsored: false,
    });
  });

  it("counts by the user's own signature over this request and this answer", async () => {
    const asked = await create();
    const refusal = refused(403, "not_permitted");
    expect(await answer(await signKeyAnswer(asked, user, "approve", 9))).toEqual(refusal);
    const refusing = await signKeyAnswer(asked, user, "refuse");
    expect(await answer({ ...refusing, answer: "approve" })).toEqual(refusal);
    const approving = await signKeyAnswer(asked, user, "approve");
    expect(await answer({ ...approving, userFid: 9 })).toEqual(refusal);
    const other = await create({ requestFid: 9 });
    expect(await answer({ ...approving, token: other.token })).toEqual(refusal);
    expect(await stateOf(asked.token)).toBe("pending");
  });

  it("may be given again, but not changed, nor by another", async () => {
    const asked = await create();
    const approving = await signKeyAnswer(asked, user, "approve");
    expect(await answer(approving)).toMatchObject({ status: 200 });
    await network.pass(3);
    expect(await answer(approving)).toMatchObject({ status: 200 });
    const refusal = refused(403, "not_permitted");
    expect(await answer(await signKeyAnswer(asked, user, "refuse"))).toEqual(refusal);
    expect(await answer(await signKeyAnswer(asked, 9, "approve"))).toEqual(refusal);
    expect(shownIn(resultOf(await read(asked.token)))).toMatchObject({ state: "completed", userFid: user });
  });

  it("of two at once, one counts", async () => {
    const asked = await create();
    const bodies = [await signKeyAnswer(asked, 11, "approve"), await signKeyAnswer(asked, 12, "approve")];
    const answers = await Promise.all(bodies.map(answer));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 403]);
  });

  it("does not bring a revoked key back", async () => {
    const asked = await create();
    await answer(await signKeyAnswer(asked, user, "approve"));
    await network.pass(3);
    await network.operator("POST /operator/keys/revoke", { fid: user, key: pair.key });
    expect(await signsFor(user)).toBe(false);
    const again = await create();
    expect(await answer(await signKeyAnswer(again, user, "approve"))).toEqual(refused(403, "not_permitted"));
    expect(await signsFor(user)).toBe(false);
  });
});
