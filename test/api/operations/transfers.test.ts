import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { recoverTypedDataAddress } from "viem";
import { createApi, type Api } from "../../../src/api/create-api.ts";
import { asAppError, type RegistryCode } from "../../../src/errors.ts";
import { describeClaim } from "../../../src/contract/name-claim.ts";
import { createTestContext, type TestContext } from "../../support/world.ts";
import {
  custodyOf,
  signConsent,
  signTransfer,
  type SignedTransfer,
  type TransferInput,
} from "../../support/signing.ts";
import { recordStatements } from "../../support/database.ts";

let context: TestContext;
let api: Api;
const registry = () => api.network().transfers;
const now = () => Math.floor(context.clock.now() / 1000);

beforeAll(async () => {
  context = await createTestContext();
  api = createApi(context);
});
afterAll(() => context.database.close());
beforeEach(async () => {
  await context.database.truncate();
  const accounts = [1, 2, 3].map((fid) => ({ fid, custody_address: custodyOf(fid).address }));
  await context.database.query.insertInto("network.accounts").values(accounts).execute();
});

const sign = (transfer: Omit<SignedTransfer, "timestamp"> & { timestamp?: number }) =>
  signTransfer({ timestamp: now(), ...transfer });
const post = async (input: TransferInput | Promise<TransferInput>) =>
  (await registry().create(await input)).transfer;
/** Registers a name and lets a second pass, so that the next claim is later. */
async function register(name: string, fid: number) {
  const transfer = await post(sign({ name, from: 0, to: fid }));
  context.clock.advance(1);
  return transfer;
}
/** The code with which a request is refused, or "done". */
const outcome = (input: TransferInput | Promise<TransferInput>) =>
  post(input).then(
    () => "done",
    (error: unknown) => asAppError(error)?.code,
  );
const events = async () => (await api.network().hub.events({})).events;

describe("name registry transfer", () => {
  it("unregistered: from 0 reserves the name to `to`", async () => {
    const input = await sign({ name: "alice", from: 0, to: 1 });
    const transfer = await post(input);
    expect(transfer).toEqual({
      id: 1,
      timestamp: now(),
      username: "alice",
      owner: custodyOf(1).address.toLowerCase(),
      from: 0,
      to: 1,
      user_signature: input.signature,
      server_signature: expect.stringMatching(/^0x[0-9a-f]{130}$/),
    });
    expect((await registry().current({ name: "alice" })).transfer).toEqual(transfer);
    expect((await registry().current({ fid: 1 })).transfers).toEqual([transfer]);
  });

  it("is signed by the registry's key over the same claim", async () => {
    const { username, owner, timestamp, server_signature } = await register("alice", 1);
    const claim = { name: username, owner: owner as `0x${string}`, timestamp };
    const signer = await recoverTypedDataAddress({
      ...describeClaim(context.settings.nameDomain, claim),
      signature: server_signature as `0x${string}`,
    });
    const domain = context.settings.nameDomain;
    expect(await api.network().registryInfo.signer({})).toEqual({ signer, domain });
  });

  it("registered to A: A gives it to B", async () => {
    await register("alice", 1);
    const transfer = await post(sign({ name: "alice", from: 1, to: 2 }));
    expect(transfer).toMatchObject({ id: 2, from: 1, to: 2 });
    expect((await registry().current({ fid: 2 })).transfer.username).toBe("alice");
    await expect(registry().current({ fid: 1 })).rejects.toMatchObject({ code: "not_found" });
  });

  it("registered to A: A releases it, and anybody may register it again", async () => {
    await register("alice", 1);
    await post(sign({ name: "alice", from: 1, to: 0 }));
    context.clock.advance(1);
    await expect(registry().current({ name: "alice" })).rejects.toThrow("No transfer found");
    await expect(registry().current({ fid: 1 })).rejects.toThrow("Could not resolve current name");
    expect(await post(sign({ name: "alice", from: 0, to: 3 }))).toMatchObject({ id: 3, to: 3 });
  });

  it("asked by B needs A's signature over name, timestamp, owner and to", async () => {
    await register("alice", 1);
    const input = await sign({ name: "alice", from: 1, to: 2, fid: 2 });
    expect(await outcome(input)).toBe("UNAUTHORIZED");
    expect(await outcome({ ...input, from_signature: await signConsent(input, 2) })).toBe("UNAUTHORIZED");
    expect(await outcome({ ...input, from_signature: input.signature })).toBe("UNAUTHORIZED");
    expect(await outcome({ ...input, from_signature: await signConsent({ ...input, to: 3 }) })).toBe(
      "UNAUTHORIZED",
    );
    expect((await registry().current({ fid: 1 })).transfer.username).toBe("alice");
    const transfer = await post({ ...input, from_signature: await signConsent(input) });
    expect(transfer).toMatchObject({ from: 1, to: 2, owner: custodyOf(2).address.toLowerCase() });
  });

  it.each<[string, RegistryCode, () => Promise<TransferInput>]>([
    ["a fid that is no party", "UNAUTHORIZED", () => sign({ name: "bob", from: 1, to: 2, fid: 3 })],
    [
      "an owner that is not the fid's custody address",
      "INVALID_FID_OWNER",
      async () => ({ ...(await sign({ name: "bob", from: 0, to: 2 })), owner: custodyOf(3).address }),
    ],
    ["a fid without account", "INVALID_FID_OWNER", () => sign({ name: "bob", from: 0, to: 9 })],
    [
      "another's signature",
      "INVALID_SIGNATURE",
      async () => ({
        ...(await sign({ name: "bob", from: 0, to: 2 })),
        signature: (await sign({ name: "bob", from: 0, to: 3 })).signature,
      }),
    ],
    [
      "a signature over another name",
      "INVALID_SIGNATURE",
      async () => ({ ...(await sign({ name: "bob", from: 0, to: 2 })), name: "carol" }),
    ],
    [
      "a signature over another time",
      "INVALID_SIGNATURE",
      async () => ({ ...(await sign({ name: "bob", from: 0, to: 2 })), timestamp: now() - 1 }),
    ],
    ...["0x", `0x${"00".repeat(65)}`, `0x${"ff".repeat(65)}`, `0x${"12".repeat(64)}`].map(
      (signature): [string, RegistryCode, () => Promise<TransferInput>] => [
        `the signature ${signature.slice(0, 6)}… of ${signature.length / 2 - 1} bytes`,
        "INVALID_SIGNATURE",
        async () => ({ ...(await sign({ name: "bob", from: 0, to: 2 })), signature }),
      ],
    ),
    ...["", "Bob", "-bob", "bob.eth", "bo_b", "seventeen-letters", "b\0b", "бob"].map(
      (name): [string, RegistryCode, () => Promise<TransferInput>] => [
        `the name ${JSON.stringify(name)}`,
        "INVALID_USERNAME",
        () => sign({ name, from: 0, to: 2 }),
      ],
    ),
    ["a second name", "TOO_MANY_NAMES", () => sign({ name: "bob", from: 0, to: 1 })],
    ["a name for somebody who has one", "TOO_MANY_NAMES", () => sign({ name: "alice", from: 1, to: 3 })],
    [
      "a claim from the past",
      "INVALID_TIMESTAMP",
      () => sign({ name: "bob", from: 0, to: 2, timestamp: now() - 601 }),
    ],
    [
      "a claim from the future",
      "INVALID_TIMESTAMP",
      () => sign({ name: "bob", from: 0, to: 2, timestamp: now() + 601 }),
    ],
    [
      "a claim not later than the name's last transfer",
      "INVALID_TIMESTAMP",
      () => sign({ name: "alice", from: 1, to: 2, timestamp: now() - 2 }),
    ],
    ["a registered name", "USERNAME_TAKEN", () => sign({ name: "alice", from: 0, to: 2 })],
    ["a name that somebody else has", "USERNAME_TAKEN", () => sign({ name: "alice", from: 2, to: 0 })],
    ["a name that nobody has", "USERNAME_NOT_FOUND", () => sign({ name: "bob", from: 2, to: 0 })],
    ["a transfer to oneself", "USERNAME_TAKEN", () => sign({ name: "alice", from: 1, to: 1 })],
  ])("refuses %s with %s and changes nothing", async (_, code, makeInput) => {
    await register("alice", 1);
    await register("zoe", 3);
    const before = [await registry().list({}), await events()];
    expect(await outcome(makeInput())).toBe(code);
    expect([await registry().list({}), await events()]).toEqual(before);
  });

  it.each([599, 600, -599, -600])("takes a timestamp %i seconds away from its clock", async (away) => {
    expect(await post(sign({ name: "bob", from: 0, to: 2, timestamp: now() + away }))).toMatchObject({
      to: 2,
    });
  });

  it("reports the first of several mistakes", async () => {
    const { settings } = context;
    context.settings = { ...settings, reservedNames: new Set(["Admin"]) };
    const input = await sign({ name: "Admin", from: 0, to: 2 });
    expect(await outcome({ ...input, fid: 3, signature: "0x" })).toBe("UNAUTHORIZED");
    expect(await outcome({ ...input, owner: custodyOf(3).address, signature: "0x" })).toBe(
      "INVALID_FID_OWNER",
    );
    expect(await outcome({ ...input, signature: "0x" })).toBe("USERNAME_RESERVED");
    context.settings = settings;
    expect(await outcome({ ...input, signature: "0x" })).toBe("INVALID_SIGNATURE");
    expect(await outcome(input)).toBe("INVALID_USERNAME");
  });

  it("throttles the name, when configured", async () => {
    const { settings } = context;
    context.settings = { ...settings, transferThrottle: 100 };
    await register("alice", 1);
    context.clock.advance(98);
    expect(await outcome(sign({ name: "alice", from: 1, to: 0 }))).toBe("THROTTLED");
    context.clock.advance(1);
    expect(await post(sign({ name: "alice", from: 1, to: 0 }))).toMatchObject({ to: 0 });
    context.settings = settings;
  });

  it("malformed bodies are refused without a code of the registry", async () => {
    const input = await sign({ name: "bob", from: 0, to: 2 });
    expect(await outcome({ ...input, signature: "zz" })).toBe("invalid_request");
    expect(await outcome({ ...input, owner: "0x12" })).toBe("invalid_request");
    expect(await outcome({ ...input, from: -1 })).toBe("invalid_request");
  });
});

describe("replay", () => {
  it("answers the identical request with the existing transfer", async () => {
    const input = await sign({ name: "alice", from: 0, to: 1 });
    const first = await post(input);
    context.clock.advance(10_000);
    expect(await post(input)).toEqual(first);
    expect((await registry().list({})).transfers).toEqual([first]);
    expect(await events()).toHaveLength(1);
  });

  it("never accepts a recorded claim for anything else, not even with its signature written otherwise", async () => {
    await register("zoe", 3);
    // 1 gives alice to 2; whoever reads the public claim posts it with himself as the receiver.
    await register("alice", 1);
    const given = await sign({ name: "alice", from: 1, to: 2 });
    await post(given);
    expect(await outcome({ ...given, to: 3 })).toBe("INVALID_TIMESTAMP");
    expect(await outcome({ ...given, to: 0 })).toBe("INVALID_TIMESTAMP");
    expect(await outcome({ ...given, from: 0, to: 1 })).toBe("INVALID_TIMESTAMP");
    expect(await outcome({ ...given, to: 3, signature: rewrite(given.signature) })).toBe("INVALID_TIMESTAMP");
    expect((await registry().current({ name: "alice" })).transfer.to).toBe(2);
  });

  describe.each(["one process", "two processes"])("asked at once of %s", (processes) => {
    it.each([
      ["the same name for three users", ["alice", "alice", "alice"], [1, 2, 3]],
      ["three names for the same user", ["alice", "bob", "carol"], [1, 1, 1]],
    ])("lets one win of %s", async (_what, names, fids) => {
      const inputs = await Promise.all(names.map((name, at) => sign({ name, from: 0, to: fids[at] ?? 0 })));
      const other = createApi({ ...context, registry: { ...context.registry } });
      const results = await Promise.allSettled(
        inputs.map(async (input, at) => {
          const asked = processes === "two processes" && at > 0 ? other : api;
          await asked.network().transfers.create(input);
        }),
      );
      expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
      expect((await registry().list({})).transfers).toHaveLength(1);
    });
  });

  it("writes each of many registrations asked at once on the first attempt", async () => {
    const inputs = await Promise.all([1, 2, 3].map((fid) => sign({ name: `n${fid}`, from: 0, to: fid })));
    const statements = await recordStatements(() => Promise.all(inputs.map((input) => post(input))));
    expect(statements.filter(({ text }) => text.includes("insert into network.transfers"))).toHaveLength(3);
    expect((await registry().list({})).transfers).toHaveLength(3);
  });
});

/** The same signature, its parity as 0 or 1 in place of 27 or 28. */
function rewrite(signature: string): string {
  return `${signature.slice(0, 130)}0${signature.endsWith("1b") ? 0 : 1}`;
}

describe("the proofs of names", () => {
  it("come with every transfer, replace the one before, and end with fid 0", async () => {
    const registered = await register("alice", 1);
    await post(sign({ name: "alice", from: 1, to: 2 }));
    context.clock.advance(1);
    await post(sign({ name: "alice", from: 2, to: 0 }));
    context.clock.advance(1);
    await post(sign({ name: "alice", from: 0, to: 3 }));
    const proofs = (await events()).map((event) => event.mergeUsernameProofBody);
    expect(proofs[0]).toEqual({
      usernameProof: {
        timestamp: registered.timestamp,
        name: "alice",
        owner: registered.owner,
        signature: Buffer.from(registered.server_signature.slice(2), "hex").toString("base64"),
        fid: 1,
        type: "USERNAME_TYPE_FNAME",
      },
    });
    expect(proofs.map((body) => [body?.usernameProof?.fid, body?.deletedUsernameProof?.fid])).toEqual([
      [1, undefined],
      [2, 1],
      [0, 2],
      [3, undefined],
    ]);
  });
});
