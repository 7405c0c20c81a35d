import { verifyAsync } from "@noble/ed25519";
import { describe, expect, it } from "vitest";
import { createClient, createOperatorClient } from "../../src/client/create-client.ts";
import { createTokenSource, mintToken } from "../../src/client/token.ts";
import { systemClock } from "../../src/clock.ts";
import type { Operator } from "../../src/contract/index.ts";
import { silentLog } from "../../src/log.ts";
import { createTestClock } from "../support/world.ts";
import { createFarClient, seed } from "./far-client.ts";

const publicKey = "8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c";

describe("a token", () => {
  it("has the three segments of interface.md, signed over the first two", async () => {
    const clock = createTestClock(1_700_000_000);
    const token = await createTokenSource({ fid: 7, privateKey: seed }, clock)();
    const [header = "", payload = "", signature = ""] = token.split(".");
    expect(decode(header)).toEqual({ fid: 7, type: "app_key", key: `0x${publicKey}` });
    expect(decode(payload)).toEqual({ exp: 1_700_000_300 });
    const signed = new TextEncoder().encode(`${header}.${payload}`);
    const isValid = await verifyAsync(
      Buffer.from(signature, "base64url"),
      signed,
      Buffer.from(publicKey, "hex"),
      {
        zip215: false,
      },
    );
    expect(isValid).toBe(true);
  });

  it("is used again until a minute before it expires, then renewed", async () => {
    const clock = createTestClock(1_700_000_000);
    const getToken = createTokenSource({ fid: 7, privateKey: seed }, clock);
    const first = await getToken();
    clock.advance(240);
    expect(await getToken()).toBe(first);
    clock.advance(1);
    const second = await getToken();
    expect(decode(second.split(".")[1] ?? "")).toEqual({ exp: 1_700_000_541 });
  });

  it("is missing without a signer, before anything is sent", async () => {
    const network = createFarClient("http://127.0.0.1:1", { signer: undefined });
    await expect(network.channelFollows.follow({ channelId: "memes" })).rejects.toMatchObject({
      code: "invalid_auth_token",
    });
  });
});

describe("tokens are sent", () => {
  it.each([
    "https://api.example.test",
    "http://localhost:4680",
    "http://127.0.0.1:4680",
    "http://[::1]:4680",
  ])("to %s", (url) => {
    expect(() => createFarClient(url)).not.toThrow();
    expect(() => createOperator(url)).not.toThrow();
  });

  it.each(["http://api.example.test", "http://192.168.0.5:4680", "http://127.0.0.1.example.test"])(
    "not to %s",
    (url) => {
      expect(() => createFarClient(url)).toThrow("Tokens cannot be sent to");
      expect(() => createOperator(url)).toThrow("Tokens cannot be sent to");
    },
  );

  it.each(["ftp://localhost", "localhost:4680", "nowhere", ""])("nowhere when %j is no address", (url) => {
    expect(() => createFarClient(url)).toThrow("not an http or https address");
  });
});

function decode(segment: string): unknown {
  return JSON.parse(Buffer.from(segment, "base64url").toString());
}

function createOperator(url: string): Operator {
  return createOperatorClient({ url, token: "t".repeat(32), clock: systemClock, log: silentLog });
}

describe("a signer's key", () => {
  it.each([
    ["hex digits", Buffer.from(seed).toString("hex")],
    ["hex digits with 0x", `0x${Buffer.from(seed).toString("hex")}`],
  ])("may be given as %s", async (_, privateKey) => {
    const exp = 1_700_000_300;
    expect(await mintToken({ fid: 7, privateKey }, exp)).toBe(
      await mintToken({ fid: 7, privateKey: seed }, exp),
    );
  });

  it.each([
    ["a short text", "abc", "not one of length 3"],
    ["other bytes", new Uint8Array(64), "not one of length 64"],
    ["nothing", undefined, "not nothing"],
  ])("that is %s is refused where the client is made", (_, privateKey, why) => {
    expect(() =>
      createClient({
        clientUrl: "http://127.0.0.1:1",
        registryUrl: "http://127.0.0.1:1",
        hubUrl: "http://127.0.0.1:1",
        // As a program without types gives it.
        signer: { fid: 7, privateKey: privateKey as unknown as string },
      }),
    ).toThrow(
      expect.objectContaining({ code: "invalid_configuration", message: expect.stringContaining(why) }),
    );
  });
});
