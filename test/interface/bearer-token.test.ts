import { describe, expect, it } from "vitest";
import { keyOf, makeToken, secretOf, type TokenParts } from "../support/signing.ts";
import { people, refused, send, success, useInterfaceNetwork } from "../support/interface-network.ts";

const { follower, stranger } = people;

const network = await useInterfaceNetwork();
const channelId = await network.channel();

/** Follows the channel, which anybody may who is who he says. */
const callWith = (authorization?: string) =>
  send(network.url, "POST /fc/channel-follows", { channelId }, authorization ? { authorization } : {});
const callAs = async (fid: number, parts: TokenParts = {}, exp = network.now() + 300) =>
  callWith(`Bearer ${await makeToken(fid, exp, parts)}`);
const unauthorized = refused(401, "invalid_auth_token");

describe("Bearer token, taken", () => {
  it("signed plainly with the application key over <header>.<payload>", async () => {
    expect(await callAs(follower)).toEqual(success);
  });

  it("the acting user is the fid in the header", async () => {
    await callAs(20);
    expect(await network.call("GET /v1/user-channel", { fid: 20, channelId })).toMatchObject({
      body: { result: { following: true } },
    });
  });

  it.each([
    ["without 0x", (key: string) => key.slice(2)],
    ["in capitals", (key: string) => `0x${key.slice(2).toUpperCase()}`],
    ["in capitals without 0x", (key: string) => key.slice(2).toUpperCase()],
  ])("with the key written %s", async (_, write) => {
    const header = { fid: 21, type: "app_key", key: write(await keyOf(21)) };
    expect(await callAs(21, { header })).toEqual(success);
  });

  it("with further fields in header and payload", async () => {
    const header = { fid: 22, type: "app_key", key: await keyOf(22), alg: "none" };
    expect(await callAs(22, { header, payload: { exp: network.now() + 60, more: 1 } })).toEqual(success);
  });

  it("up to 5 seconds after exp, and for 24 hours at most", async () => {
    expect(await callAs(23, {}, network.now() - 4)).toEqual(success);
    expect(await callAs(23, {}, network.now() + 24 * 3600)).toEqual(success);
  });
});

describe("Bearer token, refused", () => {
  it.each([
    ["no header", undefined],
    ["another scheme", "Basic abc"],
    ["the scheme alone", "Bearer"],
    ["two segments", "Bearer abc.def"],
    ["four segments", "Bearer a.b.c.d"],
  ])("%s", async (_, authorization) => {
    expect(await callWith(authorization)).toEqual(unauthorized);
  });

  const headers: [string, (key: string) => unknown][] = [
    ["a header that is no JSON", () => "nonsense"],
    ["another type", (key) => ({ fid: stranger, type: "custody", key })],
    ["fid 0", (key) => ({ fid: 0, type: "app_key", key })],
    ["a key of 31 bytes", (key) => ({ fid: stranger, type: "app_key", key: key.slice(0, -2) })],
    ["the fid of somebody else", (key) => ({ fid: people.owner, type: "app_key", key })],
    ["a fid without account", (key) => ({ fid: 999_999, type: "app_key", key })],
  ];
  it.each(headers)("%s", async (_, header) => {
    expect(await callAs(stranger, { header: header(await keyOf(stranger)) })).toEqual(unauthorized);
  });

  it.each([
    ["no JSON", "nonsense"],
    ["no exp", {}],
  ])("a payload with %s", async (_, payload) => {
    expect(await callAs(stranger, { payload })).toEqual(unauthorized);
  });

  it.each([
    ["expired for more than 5 seconds", -6],
    ["longer than 24 hours", 24 * 3600 + 10],
    ["in milliseconds", 1_700_000_000_000],
  ])("an exp that is %s", async (_, ahead) => {
    expect(await callAs(stranger, {}, network.now() + ahead)).toEqual(unauthorized);
  });

  it("a signature by another key, for another text, of another length, or none", async () => {
    expect(await callAs(stranger, { secret: secretOf(6) })).toEqual(unauthorized);
    expect(await callAs(stranger, { signature: Buffer.alloc(64) })).toEqual(unauthorized);
    expect(await callAs(stranger, { signature: Buffer.alloc(63, 1) })).toEqual(unauthorized);
    expect(await callAs(stranger, { signature: Buffer.alloc(65, 1) })).toEqual(unauthorized);
    const [header, payload] = (await makeToken(stranger, network.now() + 300)).split(".");
    const [, , other] = (await makeToken(stranger, network.now() + 301)).split(".");
    expect(await callWith(`Bearer ${header}.${payload}.${other}`)).toEqual(unauthorized);
  });

  it("a key that is not registered, though the token is signed with it", async () => {
    const header = { fid: stranger, type: "app_key", key: await keyOf(77) };
    expect(await callAs(stranger, { header, secret: secretOf(77) })).toEqual(unauthorized);
  });

  it("a token that was good until it expired", async () => {
    const authorization = `Bearer ${await makeToken(24, network.now() - 3)}`;
    expect(await callWith(authorization)).toEqual(success);
    await network.pass(5);
    expect(await callWith(authorization)).toEqual(unauthorized);
  });

  it("a key that was revoked, at once, though the token had been taken before", async () => {
    const [fid = 0] = await network.newcomers(1);
    const authorization = `Bearer ${await makeToken(fid, network.now() + 300)}`;
    expect(await callWith(authorization)).toEqual(success);
    const revocation = { fid, key: await keyOf(fid) };
    expect(await network.operator("POST /operator/keys/revoke", revocation)).toEqual(success);
    expect(await callWith(authorization)).toEqual(unauthorized);
    expect(await callAs(fid)).toEqual(unauthorized);
  });

  it("changes nothing", async () => {
    expect(await network.call("GET /v1/user-channel", { fid: stranger, channelId })).toMatchObject({
      body: { result: { following: false } },
    });
  });
});

describe("Auth = yes", () => {
  it.each([
    "POST /fc/channel-follows",
    "DELETE /fc/channel-follows",
    "POST /fc/channel-bans",
    "DELETE /fc/channel-bans",
    "POST /fc/channel-invites",
    "DELETE /fc/channel-invites",
    "PATCH /fc/channel-invites",
    "POST /fc/moderated-casts",
    "POST /fc/moderate-cast",
    "PUT /fc/pinned-casts",
    "DELETE /fc/pinned-casts",
  ])("%s needs a token", async (request) => {
    expect(await network.call(request, { channelId })).toEqual(unauthorized);
  });

  it("a token in the query or the body is none", async () => {
    const token = await makeToken(stranger, network.now() + 300);
    const request = `POST /fc/channel-follows?access_token=${token}&authorization=Bearer%20${token}`;
    expect(await network.call(request, { channelId, authorization: `Bearer ${token}` })).toEqual(
      unauthorized,
    );
  });
});

describe("Auth = no", () => {
  it.each([
    ["GET /v2/all-channels", {}],
    ["GET /fc/channel-bans", {}],
    ["GET /fc/account-verifications", {}],
  ])("%s is public, whatever token comes along", async (request, query) => {
    expect((await network.call(request, query)).status).toBe(200);
    expect((await network.call(request, query, { authorization: "Bearer nonsense" })).status).toBe(200);
  });
});
