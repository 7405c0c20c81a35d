import { describe, expect, it } from "vitest";
import { createServer } from "../../../src/api/http/create-server.ts";
import { silentLog } from "../../../src/log.ts";
import { createScriptedServer } from "../../support/served-network.ts";

describe("the health check", () => {
  it("answers 503 until the network is ready, and so does every call", async () => {
    let isReady = false;
    const { server, calls } = await createScriptedServer({ isReady: () => isReady });
    for (const url of ["/healthcheck", "/v2/all-channels"]) {
      const early = await server.inject({ url });
      expect(early.statusCode).toBe(503);
      expect(early.headers["retry-after"]).toBe("1");
      expect(early.json()).toMatchObject({ errors: [{ reason: "not_ready" }] });
    }
    expect(calls).toEqual([]);
    isReady = true;
    const now = await server.inject({ url: "/healthcheck" });
    expect(now.statusCode).toBe(200);
    expect(now.json()).toEqual({ result: { status: "ok" } });
  });
});

describe("a limit per source address", () => {
  it("is off unless it is configured", async () => {
    const { server } = await createScriptedServer();
    for (let count = 0; count < 50; count++) {
      expect((await server.inject({ url: "/v2/all-channels" })).statusCode).toBe(200);
    }
  });

  it("refuses the calls above it and says when to come again", async () => {
    const { server, calls } = await createScriptedServer({ sourceLimit: { calls: 2, seconds: 60 } });
    const ask = () => server.inject({ url: "/v2/all-channels" });
    expect([(await ask()).statusCode, (await ask()).statusCode]).toEqual([200, 200]);
    const refused = await ask();
    expect(refused.statusCode).toBe(429);
    expect(refused.json()).toMatchObject({ errors: [{ reason: "rate_limited" }] });
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(50);
    // Web pages of other origins can read the answer and that header, too.
    expect(refused.headers).toMatchObject({
      "access-control-allow-origin": "*",
      "access-control-expose-headers": "etag, retry-after",
    });
    expect(calls).toHaveLength(2);
  });

  it.each([
    ["with a limit of its own", "/fc/primary-addresses?fids=1&protocol=ethereum"],
    ["that is not there", "/nowhere"],
    ["for OPTIONS alone", "/fc/channel-bans"],
  ])("counts a route %s", async (_what, url) => {
    const { server } = await createScriptedServer({ sourceLimit: { calls: 2, seconds: 60 } });
    const method = _what.includes("OPTIONS") ? "OPTIONS" : "GET";
    const codes = [];
    for (let count = 0; count < 3; count++) codes.push((await server.inject({ method, url })).statusCode);
    expect(codes.slice(0, 2)).not.toContain(429);
    expect(codes[2]).toBe(429);
    expect((await server.inject({ url: "/v2/all-channels" })).statusCode).toBe(429);
  });

  it("leaves a route's own limit, which may be smaller, beside it", async () => {
    const { server } = await createScriptedServer({ sourceLimit: { calls: 1000, seconds: 60 } });
    const ask = () => server.inject({ url: "/fc/primary-addresses?fids=1&protocol=ethereum" });
    for (let count = 0; count < 20; count++) expect((await ask()).statusCode).not.toBe(429);
    expect((await ask()).statusCode).toBe(429);
    expect((await server.inject({ url: "/v2/all-channels" })).statusCode).toBe(200);
  });

  it.each([
    ["believes a trusted proxy who asks", "127.0.0.1", [200, 200, 429]],
    ["believes nobody else", "10.0.0.9", [200, 429, 429]],
  ])("%s", async (_what, remoteAddress, expected) => {
    const { server } = await createScriptedServer({
      sourceLimit: { calls: 1, seconds: 60 },
      trustedProxies: ["127.0.0.0/8"],
    });
    const codes: number[] = [];
    for (const asking of ["192.0.2.1", "192.0.2.2", "192.0.2.2"]) {
      const headers = { "x-forwarded-for": asking };
      codes.push((await server.inject({ url: "/v2/all-channels", remoteAddress, headers })).statusCode);
    }
    expect(codes).toEqual(expected);
  });
});

describe("calls of one address at once", () => {
  /** A server whose calls end one by one, the oldest first, as the test says; each is named by its channel. */
  async function serveSlowly() {
    const begun: string[] = [];
    const open: (() => void)[] = [];
    const server = await createServer({
      api: {
        async callText(_endpoint, input) {
          begun.push((input as { channelId: string }).channelId);
          await new Promise<void>((resolve) => open.push(resolve));
          return "{}";
        },
        authenticate: async () => 1,
      },
      log: silentLog,
      isReady: () => true,
    });
    const ask = (name: string, remoteAddress: string) =>
      server.inject({ url: `/v1/channel?channelId=${name}`, remoteAddress });
    return { server, begun, ask, end: () => open.shift()?.() };
  }

  const many = (count: number) => Array.from({ length: count }, (_, place) => `a${place}`);

  it("are eight, and the others wait for their turns without holding up another address", async () => {
    const { server, begun, ask, end } = await serveSlowly();
    const names = many(20);
    const answers = names.map((name) => ask(name, "192.0.2.1"));
    await expect.poll(() => begun).toEqual(names.slice(0, 8));
    const other = ask("b", "192.0.2.2");
    await expect.poll(() => begun).toEqual([...names.slice(0, 8), "b"]);
    expect((await server.inject({ url: "/healthcheck", remoteAddress: "192.0.2.1" })).statusCode).toBe(200);
    expect((await server.inject({ url: "/readycheck", remoteAddress: "192.0.2.1" })).statusCode).toBe(200);
    expect(begun).toHaveLength(9);
    for (let ended = 1; ended <= 12; ended++) {
      end();
      // The ninth to end is the other address's, which nobody waits behind.
      const followed = ended < 9 ? ended : ended - 1;
      await expect
        .poll(() => begun, { interval: 5 })
        .toEqual([...names.slice(0, 8), "b", ...names.slice(8, 8 + followed)]);
    }
    for (let left = 0; left < 21; left++) {
      end();
      await new Promise(setImmediate);
    }
    const codes = (await Promise.all([...answers, other])).map(({ statusCode }) => statusCode);
    expect(new Set(codes)).toEqual(new Set([200]));
    expect(begun).toHaveLength(21);
  });

  it("are refused when too many wait already, with a time to come again", async () => {
    const { begun, ask, end } = await serveSlowly();
    const answers = many(208).map((name) => ask(name, "192.0.2.1"));
    await expect.poll(() => begun).toHaveLength(8);
    const refused = await ask("late", "192.0.2.1");
    expect(refused.statusCode).toBe(429);
    expect(refused.headers["retry-after"]).toBe("1");
    expect(refused.json()).toMatchObject({ errors: [{ reason: "rate_limited" }] });
    while (begun.length < 208) {
      end();
      await new Promise(setImmediate);
    }
    for (let left = 0; left < 8; left++) end();
    expect((await Promise.all(answers)).every(({ statusCode }) => statusCode === 200)).toBe(true);
    expect(begun).not.toContain("late");
  });

  it("go on after calls that failed", async () => {
    const calls: string[] = [];
    const server = await createServer({
      api: {
        async callText(_endpoint, input) {
          calls.push((input as { channelId: string }).channelId);
          throw new Error("broken");
        },
        authenticate: async () => 1,
      },
      log: silentLog,
      isReady: () => true,
    });
    const answers = many(30).map((name) => server.inject({ url: `/v1/channel?channelId=${name}` }));
    expect((await Promise.all(answers)).every(({ statusCode }) => statusCode === 500)).toBe(true);
    expect(calls).toEqual(many(30));
  });
});
