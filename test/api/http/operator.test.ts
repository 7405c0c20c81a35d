import { describe, expect, it } from "vitest";
import { createScriptedServer, operatorToken } from "../../support/served-network.ts";

// Calls come from loopback, as those of a page in the operator's browser would.
const { server, calls } = await createScriptedServer({ trustedProxies: ["127.0.0.1"] });
const authorization = `Bearer ${operatorToken}`;

async function join(headers: Record<string, string>) {
  calls.length = 0;
  const payload = { channelId: "memes", fid: 3 };
  const response = await server.inject({ method: "POST", url: "/operator/join", headers, payload });
  return { status: response.statusCode, body: response.json<unknown>(), headers: response.headers };
}

describe("operator routes", () => {
  it("serve who has the token", async () => {
    const answer = await join({ authorization });
    expect(answer).toMatchObject({ status: 200, body: { result: { success: true } } });
    expect(answer.headers["cache-control"]).toBe("no-store");
    expect(answer.headers).not.toHaveProperty("access-control-allow-origin");
    expect(calls).toMatchObject([{ input: { channelId: "memes", fid: 3 } }]);
  });

  it.each([
    "",
    "Bearer",
    "Bearer ",
    `Bearer ${operatorToken}x`,
    `Bearer ${operatorToken.slice(1)}`,
    operatorToken,
    "Bearer 7",
  ])("refuse the authorization %j", async (wrong) => {
    expect(await join({ authorization: wrong })).toMatchObject({
      status: 401,
      body: { errors: [{ reason: "invalid_auth_token" }] },
    });
    expect(calls).toEqual([]);
  });

  it.each([
    "localhost",
    "localhost:4680",
    "127.0.0.1:4680",
    "[::1]:4680",
    "10.1.2.3",
    "castle.test",
    "CASTLE.test:80",
  ])("serve under the host %s", async (host) => {
    expect((await join({ authorization, host })).status).toBe(200);
  });

  it.each(["evil.test", "localhost.evil.test", "127.0.0.1.evil.test", "evil.test:127"])(
    "refuse the host %j, which a page may have rebound to us",
    async (host) => {
      expect(await join({ authorization, host })).toMatchObject({ status: 403 });
      expect(calls).toEqual([]);
    },
  );

  it("refuse it whatever is said to be forwarded", async () => {
    const headers = { authorization, host: "evil.test", "x-forwarded-host": "localhost" };
    expect(await join(headers)).toMatchObject({ status: 403 });
  });

  it.each(["https://evil.test", "http://localhost:4681", "http://localhost:4680", "null"])(
    "refuse pages of the origin %s, even with the token",
    async (origin) => {
      expect(await join({ authorization, origin })).toMatchObject({ status: 403 });
      expect(calls).toEqual([]);
    },
  );

  it("take the path's parameter, whatever the body says", async () => {
    const hash = `0x${"a".repeat(40)}`;
    calls.length = 0;
    const payload = { hash: `0x${"b".repeat(40)}` };
    await server.inject({
      method: "DELETE",
      url: `/operator/casts/${hash}`,
      headers: { authorization },
      payload,
    });
    expect(calls).toMatchObject([{ input: { hash } }]);
  });

  it("take network files far above the usual limit, but check the token before reading one", async () => {
    const payload = JSON.stringify({ casts: ["x".repeat(1024 * 1024)] });
    const request = { method: "POST", url: "/operator/network", payload } as const;
    const headers = { "content-type": "application/json" };
    expect((await server.inject({ ...request, headers: { ...headers, authorization } })).statusCode).toBe(
      200,
    );
    expect((await server.inject({ ...request, headers, payload: "{broken" })).statusCode).toBe(401);
  });

  it("are not there without a token to ask for", async () => {
    const closed = await createScriptedServer({ operator: undefined });
    const response = await closed.server.inject({
      method: "POST",
      url: "/operator/join",
      headers: { authorization },
    });
    expect(response.statusCode).toBe(404);
  });
});
