import { describe, expect, it } from "vitest";
import { makeToken } from "../support/signing.ts";
import {
  people,
  refused,
  send,
  sendRaw,
  success,
  useInterfaceNetwork,
} from "../support/interface-network.ts";

const { owner, moderator, follower, stranger } = people;

const network = await useInterfaceNetwork();
const channelId = await network.channel();

const bearer = async (fid: number) => ({
  authorization: `Bearer ${await makeToken(fid, network.now() + 300)}`,
});
const ban = "POST /fc/channel-bans";

describe("answers", () => {
  it("are JSON objects with a result", async () => {
    const response = await sendRaw(network.url, "GET /v1/channel", { channelId });
    expect(response.headers.get("content-type")).toMatch(/^application\/json/);
    expect(Object.keys(Object(await response.json()))).toEqual(["result"]);
  });

  it.each([
    ["GET /v2/all-channels", "channels"],
    ["GET /v1/channel-followers", "users"],
    ["GET /fc/channel-members", "members"],
    ["GET /fc/channel-invites", "invites"],
    ["GET /fc/channel-restricted-users", "restrictedUsers"],
    ["GET /fc/channel-bans", "bannedUsers"],
    ["GET /fc/moderated-casts", "moderationActions"],
    ["GET /fc/account-verifications", "verifications"],
    ["GET /fc/blocked-users", "blockedUsers"],
  ])("of %s are a result with %s alone", async (request, name) => {
    const { body } = await network.call(request, { channelId });
    expect(body).toMatchObject({ result: { [name]: expect.any(Array) as unknown } });
    expect(Object.keys((body as { result: object }).result)).toEqual([name]);
  });

  it("of mutating calls are a result with success", async () => {
    expect(await network.as(owner, ban, { channelId, banFid: 30 })).toEqual(success);
  });

  it("that refuse hold errors with message and reason, and the place where there is one", async () => {
    const { status, body } = await network.as(owner, ban, { channelId, banFid: "30" });
    expect(status).toBe(400);
    const text: unknown = expect.any(String);
    expect(body).toEqual({
      errors: [{ message: text, reason: "invalid_request", instancePath: expect.stringContaining("banFid") }],
    });
  });
});

describe("unknown routes and methods", () => {
  it.each([
    "GET /fc/nothing",
    "GET /v1/all-channels",
    "GET /v2/channel",
    "POST /v1/channel",
    "PUT /fc/channel-bans",
    "PATCH /fc/channel-bans",
    "PATCH /fc/channel-follows",
    "POST /fc/pinned-casts",
    "DELETE /fc/moderated-casts",
    "GET /fc/moderate-cast",
    "GET /fc/pinned-casts",
  ])("%s is 404", async (request) => {
    expect(await network.as(owner, request, { channelId })).toEqual(refused(404, "not_found"));
  });
});

describe("order of checks", () => {
  const big = JSON.stringify({ channelId: "nowhere", banFid: 1, more: "x".repeat(65_536) });

  it("413 comes before everything", async () => {
    expect(await send(network.url, ban, big)).toEqual(refused(413));
    expect(await send(network.url, ban, big.slice(0, -1))).toEqual(refused(413));
  });

  it("a body of 64 KiB is not too large", async () => {
    const frame = JSON.stringify({ channelId, banFid: 31, more: "" });
    const body = JSON.stringify({ channelId, banFid: 31, more: "x".repeat(65_536 - frame.length) });
    expect(body).toHaveLength(65_536);
    expect(await send(network.url, ban, body, await bearer(owner))).toEqual(success);
    const larger = body.replace("xx", "xxx");
    expect(await send(network.url, ban, larger, await bearer(owner))).toEqual(refused(413));
  });

  it.each(["{", "nonsense", '{"channelId":}'])("broken JSON %j is 400, before the token", async (body) => {
    expect(await send(network.url, ban, body)).toEqual(refused(400, "invalid_request"));
  });

  it("no body at all is nothing broken: the token comes first, then the schema", async () => {
    expect(await send(network.url, ban, "")).toEqual(refused(401, "invalid_auth_token"));
    expect(await send(network.url, ban, "", await bearer(owner))).toEqual(refused(400, "invalid_request"));
  });

  it("401 comes before the schema", async () => {
    expect(await network.call(ban, { channelId: 7 })).toEqual(refused(401, "invalid_auth_token"));
  });

  it("the schema comes before 404", async () => {
    expect(await network.as(owner, ban, { channelId: "nowhere", banFid: 0 })).toEqual(
      refused(400, "invalid_request"),
    );
  });

  it("404 comes before 403", async () => {
    expect(await network.as(stranger, ban, { channelId: "nowhere", banFid: 7 })).toEqual(
      refused(404, "not_found"),
    );
  });

  it("403 comes before 409", async () => {
    const invites = { channelId: await network.channel(), role: "member" };
    await network.as(owner, "POST /fc/channel-invites", { ...invites, inviteFid: follower });
    const crowd = Array.from({ length: 10 }, (_, index) => 10 + index);
    const full = await network.channel({ moderatorFids: crowd });
    const invite = { channelId: full, inviteFid: follower, role: "moderator" };
    expect(await network.as(10, "POST /fc/channel-invites", invite)).toEqual(refused(403, "not_owner"));
    expect(await network.as(owner, "POST /fc/channel-invites", invite)).toEqual(
      refused(403, "invitee_not_member"),
    );
  });
});

describe("values in bodies", () => {
  const unsafe = 2 ** 53;
  it.each([
    ["a fid as text", { banFid: "7" }],
    ["fid 0", { banFid: 0 }],
    ["a negative fid", { banFid: -1 }],
    ["a fraction", { banFid: 1.5 }],
    ["a fid of 2^53", { banFid: unsafe }],
    ["null", { banFid: null }],
    ["no fid", {}],
    ["a channel id in capitals", { channelId: "MEMES", banFid: 7 }],
    ["a channel id of 17 characters", { channelId: "a".repeat(17), banFid: 7 }],
    ["an empty channel id", { channelId: "", banFid: 7 }],
    ["a channel id that begins with -", { channelId: "-memes", banFid: 7 }],
    ["a number as channel id", { channelId: 7, banFid: 7 }],
  ])("%s is 400", async (_, input) => {
    expect(await network.as(owner, ban, { channelId, ...input })).toEqual(refused(400, "invalid_request"));
  });

  it.each([
    ["an unknown role", { role: "owner" }],
    ["no role", { role: undefined }],
    ["no fid", { inviteFid: undefined }],
  ])("POST /fc/channel-invites with %s is 400", async (_, part) => {
    const input = { channelId, inviteFid: follower, role: "member", ...part };
    expect(await network.as(owner, "POST /fc/channel-invites", input)).toEqual(
      refused(400, "invalid_request"),
    );
  });

  it.each(["true", 1, null, undefined])("PATCH /fc/channel-invites with accept %j is 400", async (accept) => {
    const input = { channelId, role: "member", accept };
    expect(await network.as(follower, "PATCH /fc/channel-invites", input)).toEqual(
      refused(400, "invalid_request"),
    );
  });

  it.each(["[]", "null", "7", '"text"'])("the body %s is 400", async (body) => {
    expect(await send(network.url, ban, body, await bearer(owner))).toEqual(refused(400, "invalid_request"));
  });

  it("more fields than asked are ignored", async () => {
    const input = { channelId, banFid: 32, because: ["spam"], exp: 1 };
    expect(await network.as(moderator, ban, input)).toEqual(success);
  });
});

describe("values in queries", () => {
  it("more parameters than asked are ignored", async () => {
    expect((await network.call("GET /v1/channel", { channelId, colour: "red" })).status).toBe(200);
  });

  it("a repeated parameter is 400", async () => {
    const response = await fetch(`${network.url}/v1/channel?channelId=${channelId}&channelId=${channelId}`);
    expect({ status: response.status, body: await response.json() }).toEqual(refused(400, "invalid_request"));
  });
});

describe("CORS and health", () => {
  it("public GETs may be read by any page", async () => {
    const response = await sendRaw(network.url, "GET /v1/channel", { channelId });
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
  });

  it("operator routes may not", async () => {
    const response = await sendRaw(network.url, "GET /operator/notifications", { channelId });
    expect(response.status).toBe(401);
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
  });

  it("GET /healthcheck answers ok", async () => {
    expect(await network.call("GET /healthcheck")).toEqual({
      status: 200,
      body: { result: { status: "ok" } },
    });
  });
});
