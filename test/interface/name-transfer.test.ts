import { describe, expect, it } from "vitest";
import { custodyOf, goodForms, signConsent, type SignedTransfer, signTransfer } from "../support/signing.ts";
import { type Answer, startInterfaceNetwork, useInterfaceNetwork } from "../support/interface-network.ts";
import { againstServer } from "../support/interface-server.ts";

const network = await useInterfaceNetwork();
/** Fids that no other test uses, since a fid has one name at most. */
const fids: number[] = await network.newcomers(100);

type Draft = Omit<SignedTransfer, "timestamp"> & { timestamp?: number };

const sign = ({ name, ...draft }: Draft) =>
  signTransfer({ timestamp: network.now(), name: network.own(name), ...draft });
const post = (body: object) => network.call("POST /transfers", body);
const ask = async (draft: Draft) => post(await sign(draft));

/** All transfers of a name, oldest first. */
async function history(word: string): Promise<unknown[]> {
  const { body } = await network.call("GET /transfers", { name: network.own(word) });
  return (body as { transfers: unknown[] }).transfers;
}

const current = (fid: number) => network.call("GET /transfers/current", { fid });

const failed = (code: string): Answer => ({
  status: 400,
  body: expect.objectContaining({ error: "Validation failure", code }) as unknown,
});

const nextFid = () => fids.pop() ?? 0;

async function registered(name: string) {
  const fid = nextFid();
  expect(await ask({ name, from: 0, to: fid })).toMatchObject({ status: 200 });
  await network.pass(1);
  return fid;
}

describe("Name registry transfer", () => {
  it("row 1: unregistered → reserved to `to`, with one transfer record", async () => {
    const to = nextFid();
    const body = await sign({ name: "anna", from: 0, to });
    const record = {
      id: expect.any(Number) as unknown,
      timestamp: body.timestamp,
      username: network.own("anna"),
      owner: custodyOf(to).address.toLowerCase(),
      from: 0,
      to,
      user_signature: body.signature.toLowerCase(),
      server_signature: expect.stringMatching(/^0x[0-9a-f]{130}$/) as unknown,
    };
    expect(await post(body)).toEqual({ status: 200, body: { transfer: record } });
    expect(await history("anna")).toEqual([record]);
  });

  it("row 1: a name that is registered is not registered again", async () => {
    await registered("berta");
    expect(await ask({ name: "berta", from: 0, to: nextFid() })).toEqual(failed("USERNAME_TAKEN"));
    expect(await history("berta")).toHaveLength(1);
  });

  it("row 2: registered to A → owned by B, asked by A", async () => {
    const [from, to] = [await registered("carla"), nextFid()];
    expect(await ask({ name: "carla", from, to })).toMatchObject({
      status: 200,
      body: { transfer: { from, to, owner: custodyOf(from).address.toLowerCase() } },
    });
    expect(await history("carla")).toMatchObject([
      { from: 0, to: from },
      { from, to },
    ]);
    expect(await current(to)).toMatchObject({ body: { transfer: { username: network.own("carla") } } });
    expect(await current(from)).toMatchObject({ status: 404 });
    expect(await ask({ name: "carla", from, to: 0, timestamp: network.now() + 1 })).toMatchObject({
      status: 400,
    });
  });

  it("row 2: asked by B it needs a signature of A", async () => {
    const [from, to] = [await registered("dora"), nextFid()];
    const body = await sign({ name: "dora", from, to, fid: to });
    expect(await post(body)).toEqual(failed("UNAUTHORIZED"));
    const forged = { ...body, from_signature: await signConsent(body, to) };
    expect(await post(forged)).toMatchObject({ status: 400 });
    expect(await post({ ...body, from_signature: body.signature })).toMatchObject({ status: 400 });
    const other = { ...body, from_signature: await signConsent({ ...body, to: nextFid() }) };
    expect(await post(other)).toMatchObject({ status: 400 });
    expect(await history("dora")).toHaveLength(1);
    const given = { ...body, from_signature: await signConsent(body) };
    const owner = custodyOf(to).address.toLowerCase();
    expect(await post(given)).toMatchObject({ status: 200, body: { transfer: { from, to, owner } } });
  });

  it("row 2: who is neither from nor to may not ask", async () => {
    const from = await registered("emma");
    const thief = nextFid();
    const body = await sign({ name: "emma", from, to: nextFid(), fid: thief });
    expect(await post(body)).toEqual(failed("UNAUTHORIZED"));
    expect(await history("emma")).toHaveLength(1);
  });

  it("row 3: registered → unregistered, and free for anybody", async () => {
    const from = await registered("frida");
    expect(await ask({ name: "frida", from, to: 0 })).toMatchObject({ status: 200 });
    await network.pass(1);
    const next = await ask({ name: "frida", from: 0, to: nextFid() });
    expect(next).toMatchObject({ status: 200 });
    expect(await history("frida")).toHaveLength(3);
  });

  it("row 3: whose name it is not cannot unregister it", async () => {
    await registered("greta");
    const thief = nextFid();
    expect(await ask({ name: "greta", from: thief, to: 0 })).toEqual(failed("USERNAME_TAKEN"));
    expect(await history("greta")).toHaveLength(1);
  });
});

describe("POST /transfers, refused", () => {
  const draft = () => ({ name: `n${fids.length}`, from: 0, to: nextFid() });

  it("INVALID_FID_OWNER: owner is not the custody address of the fid", async () => {
    const body = await sign({ ...draft(), fid: nextFid() });
    expect(await post({ ...body, fid: body.to })).toEqual(failed("INVALID_FID_OWNER"));
    const [nobody = 0] = network.unused(1);
    expect(await ask({ ...draft(), to: nobody })).toEqual(failed("INVALID_FID_OWNER"));
  });

  it("INVALID_SIGNATURE: of another key, for another name, or of another time", async () => {
    const body = await sign(draft());
    const signatures = ["11", "00", "ff"].map((byte) => `0x${byte.repeat(65)}`);
    for (const part of [
      { name: "other" },
      { timestamp: body.timestamp + 1 },
      ...[...signatures, "0x", `0x${"12".repeat(64)}`].map((signature) => ({ signature })),
    ]) {
      expect(await post({ ...body, ...part })).toEqual(failed("INVALID_SIGNATURE"));
    }
    const { signature } = await signTransfer({ ...draft(), name: body.name, timestamp: body.timestamp });
    expect(await post({ ...body, signature })).toEqual(failed("INVALID_SIGNATURE"));
  });

  const badNames = ["Anna", "a_b", "-ab", "a".repeat(17), "ä", "a.eth", "", "a\0b"];
  it.each(badNames)("INVALID_USERNAME: %j", async (name) => {
    const body = await signTransfer({ ...draft(), name, timestamp: network.now() });
    expect(await post(body)).toEqual(failed("INVALID_USERNAME"));
  });

  it("TOO_MANY_NAMES: who has a name gets no second", async () => {
    const fid = await registered("hilda");
    expect(await ask({ name: "hilda-2", from: 0, to: fid })).toEqual(failed("TOO_MANY_NAMES"));
    const other = await registered("ida");
    expect(await ask({ name: "ida", from: other, to: fid })).toEqual(failed("TOO_MANY_NAMES"));
  });

  it.each([-610, 610])("INVALID_TIMESTAMP: %i seconds from now", async (away) => {
    const timestamp = network.now() + away;
    expect(await ask({ ...draft(), timestamp })).toEqual(failed("INVALID_TIMESTAMP"));
  });

  it.each([-590, 590])("a timestamp %i seconds from now is taken", async (away) => {
    const timestamp = network.now() + away;
    expect(await ask({ ...draft(), timestamp })).toMatchObject({ status: 200 });
  });

  it.skipIf(againstServer)("the last second that is taken is 600 from now", async () => {
    for (const away of [-601, 601]) {
      const timestamp = network.now() + away;
      expect(await ask({ ...draft(), timestamp })).toEqual(failed("INVALID_TIMESTAMP"));
    }
    for (const away of [-600, 600]) {
      const timestamp = network.now() + away;
      expect(await ask({ ...draft(), timestamp })).toMatchObject({ status: 200 });
    }
  });

  it.each([
    ["no name", { name: undefined }],
    ["a number as name", { name: 7 }],
    ["a fid as text", { fid: "7" }],
    ["a negative to", { to: -1 }],
    ["no from", { from: undefined }],
    ["a negative from", { from: -1 }],
    ["no signature", { signature: undefined }],
    ["a signature that is no hex", { signature: "zz" }],
    ["an owner that is no address", { owner: "0x12" }],
    ["a timestamp as text", { timestamp: "now" }],
  ])("%s is 400 without a code", async (_, part) => {
    const { status, body } = await post({ ...(await sign(draft())), ...part });
    expect(status).toBe(400);
    expect(body).toEqual({ error: expect.any(String) as unknown });
  });
});

describe("replay", () => {
  it("the identical request again gives the existing transfer", async () => {
    const body = await sign({ name: "lena", from: 0, to: nextFid() });
    const first = await post(body);
    await network.pass(1);
    expect(await post(body)).toEqual(first);
    expect(await history("lena")).toHaveLength(1);
  });

  it("a claim that was used is not taken for another target", async () => {
    const [from, to] = [await registered("maria"), nextFid()];
    const body = await sign({ name: "maria", from, to });
    expect(await post(body)).toMatchObject({ status: 200 });
    expect(await post({ ...body, to: nextFid() })).toEqual(failed("INVALID_TIMESTAMP"));
    expect(await post({ ...body, to: 0 })).toEqual(failed("INVALID_TIMESTAMP"));
    expect(await post({ ...body, from: 0, to: from })).toEqual(failed("INVALID_TIMESTAMP"));
    for (const [, write] of goodForms) {
      const rewritten = { ...body, to: nextFid(), signature: write(body.signature) };
      expect(await post(rewritten)).toEqual(failed("INVALID_TIMESTAMP"));
    }
    expect(await history("maria")).toHaveLength(2);
  });

  it("of two fids that register one name at once, one gets it", async () => {
    const bodies = await Promise.all(
      [nextFid(), nextFid(), nextFid()].map((to) => sign({ name: "nora", from: 0, to })),
    );
    const answers = await Promise.all(bodies.map(post));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await history("nora")).toHaveLength(1);
  });
});

describe("where it is configured", () => {
  it.skipIf(againstServer)("USERNAME_RESERVED and THROTTLED", async () => {
    const strict = await startInterfaceNetwork({ reservedNames: new Set(["admin"]), transferThrottle: 60 });
    const request = async (draft: Draft) =>
      strict.call("POST /transfers", await signTransfer({ timestamp: strict.now(), ...draft }));
    expect(await request({ name: "admin", from: 0, to: 1 })).toEqual(failed("USERNAME_RESERVED"));
    expect(await request({ name: "olga", from: 0, to: 1 })).toMatchObject({ status: 200 });
    await strict.pass(59);
    expect(await request({ name: "olga", from: 1, to: 0 })).toEqual(failed("THROTTLED"));
    await strict.pass(2);
    expect(await request({ name: "olga", from: 1, to: 0 })).toMatchObject({ status: 200 });
    await strict.close();
  });
});
