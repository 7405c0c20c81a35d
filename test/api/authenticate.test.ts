import { Point, signAsync } from "@noble/ed25519";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createApi, type Api } from "../../src/api/create-api.ts";
import { createTestContext, type TestContext } from "../support/world.ts";
import { keyOf, makeToken, secretOf } from "../support/signing.ts";

let context: TestContext;
let api: Api;
const now = () => Math.floor(context.clock.now() / 1000);
const check = (token: string) => api.authenticate(`Bearer ${token}`);
/** The fid that a token proves, or the error's message. */
const outcome = (token: string) =>
  check(token).catch((error: unknown) => {
    expect(error).toMatchObject({ code: "invalid_auth_token" });
    return error instanceof Error ? error.message : "";
  });

/** A token of 7 with another header. */
const header = (change: object) => async () => ({
  header: { fid: 7, type: "app_key", key: await keyOf(7), ...change },
});

async function register(fid: number, key?: string): Promise<void> {
  await context.database.query
    .insertInto("network.app_keys")
    .values({ fid, key: key ?? (await keyOf(fid)) })
    .execute();
}

beforeAll(async () => {
  context = await createTestContext();
});
afterAll(() => context.database.close());
beforeEach(async () => {
  // One of its own knows no tokens yet.
  api = createApi(context);
  await context.database.truncate();
  await register(7);
});

describe("a bearer token", () => {
  it("proves its fid", async () => {
    const token = await makeToken(7, now() + 300);
    expect(await check(token)).toBe(7);
    expect(await api.authenticate(`bearer  ${token} `)).toBe(7);
  });

  it("may write its key without 0x and in any case", async () => {
    const key = await keyOf(7);
    for (const written of [key.slice(2), key.toUpperCase().replace("0X", "0x")]) {
      expect(
        await check(await makeToken(7, now() + 300, { header: { fid: 7, type: "app_key", key: written } })),
      ).toBe(7);
    }
  });

  it.each([undefined, "", "Bearer", "Bearer ", "Basic abc", "Bearer a b"])(
    "is missing in %j",
    async (header) => {
      await expect(api.authenticate(header)).rejects.toMatchObject({ code: "invalid_auth_token" });
    },
  );

  it.each(["a", "a.b", "a.b.c.d", "..", "a..c", "!.b.c", "a.b.c=", `${"a".repeat(5000)}.b.c`])(
    "is not of the form of %.20s",
    async (token) => {
      expect(await outcome(token)).toContain("three base64url segments");
    },
  );

  it.each<[string, string, () => Promise<object>]>([
    ["a header that is no JSON", "header", async () => ({ header: "{" })],
    ["a header that is an array", "header", async () => ({ header: [1] })],
    ["a header that is null", "header", async () => ({ header: "null" })],
    ["a payload that is a number", "payload", async () => ({ payload: "5" })],
    ["another type", "type app_key", header({ type: "custody" })],
    ["no type", "type app_key", header({ type: undefined })],
    ["fid 0", "no fid", header({ fid: 0 })],
    ["a fid as text", "no fid", header({ fid: "7" })],
    ["a fid with a fraction", "no fid", header({ fid: 7.5 })],
    ["a short key", "key of 32 bytes", header({ key: "0x12" })],
    ["no key", "key of 32 bytes", header({ key: undefined })],
    ["a signature of 63 bytes", "signature of 64 bytes", async () => ({ signature: new Uint8Array(63) })],
    ["exp as text", "no expiry time", async () => ({ payload: { exp: "9999999999" } })],
    ["no exp", "no expiry time", async () => ({ payload: {} })],
    ["a forged signature", "does not match its key", async () => ({ secret: secretOf(8) })],
    ["zeros for a signature", "does not match its key", async () => ({ signature: new Uint8Array(64) })],
    ["a key that is no point", "does not match its key", header({ key: `0x02${"00".repeat(31)}` })],
    ["another's fid", "not registered", header({ fid: 8 })],
  ])("with %s is refused", async (_, message, makeParts) => {
    expect(await outcome(await makeToken(7, now() + 300, await makeParts()))).toContain(message);
  });

  it("with a key that is not registered is refused", async () => {
    expect(await outcome(await makeToken(9, now() + 300))).toContain("not registered");
  });

  it.each([
    [-5, "is expired"],
    [-4, 7],
    [24 * 3600, 7],
    [24 * 3600 + 1, "too far"],
  ])("that expires %i s from now gives %s", async (ahead, expected) => {
    const result = await outcome(await makeToken(7, now() + ahead));
    expect(String(result)).toContain(String(expected));
  });

  it("counts no longer once it is expired, also when it was verified before", async () => {
    const token = await makeToken(7, now() + 10);
    expect(await check(token)).toBe(7);
    context.clock.advance(14);
    expect(await check(token)).toBe(7);
    context.clock.advance(1);
    expect(await outcome(token)).toContain("is expired");
  });

  it("is refused with a malleated signature: s + L verifies the same equation", async () => {
    const token = await makeToken(7, now() + 300);
    const [head, payload, signature = ""] = token.split(".");
    const bytes = Buffer.from(signature, "base64url");
    const order = 2n ** 252n + 27_742_317_777_372_353_535_851_937_790_883_648_493n;
    const s = BigInt(`0x${Buffer.from(bytes.subarray(32).toReversed()).toString("hex")}`) + order;
    const moved = Buffer.from(s.toString(16).padStart(64, "0"), "hex").toReversed();
    const forged = Buffer.concat([bytes.subarray(0, 32), moved]).toString("base64url");
    expect(await outcome(`${head}.${payload}.${forged}`)).toContain("does not match its key");
  });

  it("of a small-order key, under which one signature fits every message, is refused", async () => {
    const identity = `0x${Buffer.from(Point.ZERO.toBytes()).toString("hex")}`;
    await register(7, identity);
    const signature = Buffer.concat([Point.ZERO.toBytes(), new Uint8Array(32)]);
    const parts = { header: { fid: 7, type: "app_key", key: identity }, signature };
    expect(await outcome(await makeToken(7, now() + 300, parts))).toContain("does not match its key");
  });

  it("signed over a hash of the text is refused", async () => {
    const [head, payload] = (await makeToken(7, now() + 300)).split(".");
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-512", Buffer.from(`${head}.${payload}`)));
    const signature = Buffer.from(await signAsync(digest, secretOf(7))).toString("base64url");
    expect(await outcome(`${head}.${payload}.${signature}`)).toContain("does not match its key");
  });
});

describe("revocation of a key", () => {
  it("counts at once in the same process", async () => {
    const token = await makeToken(7, now() + 300);
    expect(await check(token)).toBe(7);
    await api.operator.revokeKey({ fid: 7, key: await keyOf(7) });
    expect(await outcome(token)).toContain("revoked");
  });

  it("counts within 5 s when another process did it", async () => {
    const token = await makeToken(7, now() + 300);
    expect(await check(token)).toBe(7);
    await createApi(context).operator.revokeKey({ fid: 7, key: await keyOf(7) });
    context.clock.advance(4);
    expect(await check(token)).toBe(7);
    context.clock.advance(1);
    expect(await outcome(token)).toContain("revoked");
  });

  it.each([-3600, 3600])(
    "by another process counts within 5 s also when the clock is set by %i s",
    async (by) => {
      const token = await makeToken(7, now() + 7200);
      expect(await check(token)).toBe(7);
      await createApi(context).operator.revokeKey({ fid: 7, key: await keyOf(7) });
      context.clock.jump(by);
      context.clock.advance(4);
      expect(await check(token)).toBe(7);
      context.clock.advance(1);
      expect(await outcome(token)).toContain("revoked");
    },
  );

  it("of an unknown key is not found, a second one keeps the time of the first", async () => {
    const { operator } = api;
    const key = await keyOf(7);
    await expect(operator.revokeKey({ fid: 8, key })).rejects.toMatchObject({ code: "not_found" });
    const first = now();
    await operator.revokeKey({ fid: 7, key });
    context.clock.advance(60);
    await operator.revokeKey({ fid: 7, key });
    const row = await context.database.query
      .selectFrom("network.app_keys")
      .select("revoked_at")
      .executeTakeFirstOrThrow();
    expect(row.revoked_at).toBe(first);
  });
});
