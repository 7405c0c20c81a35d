import { signAsync } from "@noble/ed25519";
import { beforeEach, describe, expect, it } from "vitest";
import { createApi, type Api } from "../../src/api/create-api.ts";
import { keyOf, makeToken, secretOf } from "../support/signing.ts";
import { useTestContext } from "../support/test-cases.ts";

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

const context = await useTestContext();
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

  it.each<[string, string, () => Promise<object>]>([
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

  it("counts no longer once it is expired, also when it was verified before", async () => {
    const token = await makeToken(7, now() + 10);
    expect(await check(token)).toBe(7);
    context.clock.advance(14);
    expect(await check(token)).toBe(7);
    context.clock.advance(1);
    expect(await outcome(token)).toContain("is expired");
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
