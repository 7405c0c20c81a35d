import { gzipSync } from "node:zlib";
import type { InjectOptions } from "fastify";
import { describe, expect, it } from "vitest";
import { createScriptedServer } from "../../support/served-network.ts";

const { server, calls } = await createScriptedServer();
const bans = "/fc/channel-bans";
const json = { "content-type": "application/json" };
const asSeven = { authorization: "Bearer 7" };

async function ask(request: InjectOptions) {
  calls.length = 0;
  const response = await server.inject(request);
  const body = response.body === "" ? undefined : response.json<{ errors?: { reason: string }[] }>();
  return { status: response.statusCode, reason: body?.errors?.[0]?.reason, body, headers: response.headers };
}

describe("a call", () => {
  it("carries the token's fid and the body", async () => {
    const payload = { channelId: "memes", banFid: 3, note: "not ours" };
    const answer = await ask({ method: "POST", url: bans, headers: asSeven, payload });
    expect(answer).toMatchObject({ status: 200, body: { result: { success: true } } });
    expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(answer.headers["x-content-type-options"]).toBe("nosniff");
    expect(calls).toMatchObject([{ caller: 7, input: { channelId: "memes", banFid: 3 } }]);
  });

  it("carries the query, with page size and defaults settled", async () => {
    await ask({ url: `${bans}?channelId=memes&fid=7&limit=5000&colour=red` });
    expect(calls).toMatchObject([{ caller: 0, input: { channelId: "memes", fid: 7, limit: 1000 } }]);
  });

  it("reaches the same endpoint by its alias", async () => {
    const payload = { castHash: `0x${"a".repeat(40)}`, action: "hide" };
    await ask({ method: "POST", url: "/fc/moderate-cast", headers: asSeven, payload });
    expect(calls[0]?.endpoint.path).toBe("/fc/moderated-casts");
  });

  it("may write its type with a charset, and needs no body where nothing is required", async () => {
    const headers = { ...asSeven, "content-type": "application/json; charset=utf-8" };
    const answer = await ask({ method: "POST", url: bans, headers, payload: `{"channelId":"m","banFid":3}` });
    expect(answer.status).toBe(200);
  });

  it("is a public read whatever token comes along", async () => {
    expect(await ask({ url: bans, headers: { authorization: "Bearer forged" } })).toMatchObject({
      status: 200,
    });
  });
});

describe("a body", () => {
  it.each(["{", "{]", "\0", "undefined", "{'a':1}", "\ud800"])("%j is no JSON", async (payload) => {
    const answer = await ask({ method: "POST", url: bans, headers: { ...json, ...asSeven }, payload });
    expect(answer.body).toEqual({
      errors: [
        {
          message: expect.stringMatching(/^The body is not valid JSON: line 1, column \d: .*\.$/),
          reason: "invalid_request",
        },
      ],
    });
  });

  it.each([
    [
      "in another encoding",
      {},
      Buffer.from(`{"channelId":"m","banFid":3,"note":"caf\xe9"}`, "latin1"),
      /UTF-8/,
    ],
    ["that is compressed", { "content-encoding": "gzip" }, gzipSync("{}"), /must not be compressed/],
  ])("%s is 400 and says so", async (_, more, payload, message) => {
    const answer = await ask({
      method: "POST",
      url: bans,
      headers: { ...json, ...asSeven, ...more },
      payload,
    });
    expect(answer).toMatchObject({
      status: 400,
      body: { errors: [{ message: expect.stringMatching(message) as unknown }] },
    });
    expect(calls).toEqual([]);
  });

  it("may begin with a byte order mark", async () => {
    const payload = `\ufeff{"channelId":"m","banFid":3}`;
    const answer = await ask({ method: "POST", url: bans, headers: { ...json, ...asSeven }, payload });
    expect(answer.status).toBe(200);
  });

  it("cannot reach prototypes", async () => {
    const payload = `{"channelId":"m","banFid":3,"__proto__":{"banFid":4},"constructor":{"prototype":{"x":1}}}`;
    const answer = await ask({ method: "POST", url: bans, headers: { ...json, ...asSeven }, payload });
    expect(answer.status).toBe(200);
    expect(calls).toMatchObject([{ input: { banFid: 3 } }]);
    expect({}).not.toHaveProperty("x");
  });

  it.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application",
    ";",
  ])("of type %j is 400", async (type) => {
    const headers = { ...asSeven, "content-type": type };
    const answer = await ask({ method: "POST", url: bans, headers, payload: `{"channelId":"m","banFid":3}` });
    expect(answer).toMatchObject({ status: 400, reason: "invalid_request" });
  });
});

describe("a query", () => {
  it.each([
    ["a parameter twice", "channelId=a&channelId=b", "/channelId"],
    ["an unknown parameter twice", "colour=a&colour=b", "/colour"],
    ["a limit of 0", "limit=0", "/limit"],
    ["a limit with a sign", "limit=%2B5", "/limit"],
    ["a limit with a point", "limit=1.5", "/limit"],
    ["an empty limit", "limit=", "/limit"],
    ["a fid of 0", "fid=0", "/fid"],
    ["a fid with a leading zero", "fid=07", "/fid"],
    ["a fid of 17 digits", "fid=99999999999999999", "/fid"],
    ["a fid above 2^53", "fid=9007199254740992", "/fid"],
    ["a fid in other digits", "fid=%D9%A3", "/fid"],
    ["a channel with a capital", "channelId=Memes", "/channelId"],
    ["a channel with a NUL", "channelId=a%00", "/channelId"],
  ])("with %s is 400 and says where", async (_, query, instancePath) => {
    const answer = await ask({ url: `${bans}?${query}` });
    expect(answer).toMatchObject({
      status: 400,
      body: { errors: [{ reason: "invalid_request", instancePath }] },
    });
  });

  it("with a cursor that is too long is 400 invalid_cursor", async () => {
    expect(await ask({ url: `${bans}?cursor=${"a".repeat(1025)}` })).toMatchObject({
      status: 400,
      reason: "invalid_cursor",
    });
  });

  it.each(["%", "%E0%A4%A", "%ff", "&&&===", "a[b]=c", "__proto__=x"])(
    "%j is read without harm",
    async (query) => {
      expect((await ask({ url: `${bans}?${query}` })).status).toBe(200);
    },
  );

  it("that is wrong is answered in the shape of its interface", async () => {
    expect((await ask({ url: "/transfers?name=a&name=b" })).body).toEqual({
      error: "name: is given more than once",
    });
    expect((await ask({ url: "/v1/events?stop_id=x" })).body).toMatchObject({ error: "invalid_request" });
  });
});

describe("routes", () => {
  it.each([
    ["GET", "/v1/channels"],
    ["GET", "/fc/channel-bans/"],
    ["GET", "//fc/channel-bans"],
    ["GET", "/FC/channel-bans"],
    ["OPTIONS", "/nowhere"],
    ["OPTIONS", "/operator/join"],
  ] as const)("%s %s is not there", async (method, url) => {
    expect(await ask({ method, url })).toMatchObject({ status: 404, reason: "not_found" });
  });

  it("lead from the address alone to the reference, also below a path of a proxy", async () => {
    const { statusCode, headers } = await server.inject("/");
    expect([statusCode, headers.location]).toEqual([302, "reference"]);
  });

  it.each([
    ["PUT", "/fc/channel-bans", "GET, HEAD, POST, DELETE"],
    ["DELETE", "/v1/channel?channelId=memes", "GET, HEAD"],
    ["POST", "/", "GET, HEAD"],
  ] as const)("%s %s is told what the path takes", async (method, url, allow) => {
    const { status, headers, body } = await ask({ method, url });
    expect([status, headers.allow]).toEqual([404, allow]);
    const [last = "", ...others] = allow.split(", ").toReversed();
    const takes = `${others.toReversed().join(", ")} and ${last}`;
    expect(body).toMatchObject({
      errors: [{ message: `${method} is not allowed: this path accepts ${takes}.`, reason: "not_found" }],
    });
  });

  it("that cannot be decoded are 400", async () => {
    expect(await ask({ url: "/operator/casts/%E0%A4%A" })).toMatchObject({
      status: 400,
      reason: "invalid_request",
    });
  });

  it("of public reads answer HEAD without a body", async () => {
    const response = await server.inject({ method: "HEAD", url: bans });
    expect(response.statusCode).toBe(200);
    expect(response.body).toBe("");
  });
});

describe("pages of other origins", () => {
  const origin = { origin: "https://page.test" };

  it("may read what is public, and its errors", async () => {
    for (const url of [bans, `${bans}?limit=0`, "/transfers", "/v1/events", "/healthcheck"]) {
      expect((await ask({ url, headers: origin })).headers["access-control-allow-origin"]).toBe("*");
    }
  });

  it("may not read answers to calls with a token", async () => {
    const payload = { channelId: "m", banFid: 3 };
    const answer = await ask({ method: "POST", url: bans, headers: { ...asSeven, ...origin }, payload });
    expect(answer.headers).not.toHaveProperty("access-control-allow-origin");
  });

  it("learn from OPTIONS that they may only read", async () => {
    const answer = await ask({ method: "OPTIONS", url: bans, headers: origin });
    expect(answer.status).toBe(204);
    expect(answer.headers).toMatchObject({
      allow: "GET, HEAD, POST, DELETE, OPTIONS",
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "GET, HEAD",
    });
    const closed = await ask({ method: "OPTIONS", url: "/fc/pinned-casts", headers: origin });
    expect(closed.headers).toMatchObject({ allow: "PUT, DELETE, OPTIONS" });
    expect(closed.headers).not.toHaveProperty("access-control-allow-origin");
  });

  it("may post what proves itself to the registry, and read why it is refused", async () => {
    const asked = await ask({ method: "OPTIONS", url: "/transfers", headers: origin });
    expect(asked.headers).toMatchObject({
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "GET, HEAD, POST",
      "access-control-allow-headers": "content-type",
    });
    const refused = await ask({ method: "POST", url: "/transfers", headers: origin, payload: {} });
    expect(refused).toMatchObject({ status: 400, headers: { "access-control-allow-origin": "*" } });
  });
});
