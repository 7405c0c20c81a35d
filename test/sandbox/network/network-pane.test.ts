import Fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { privateKeyToAccount } from "viem/accounts";
import { describeKeyRequest, ownKeyRequestDomain } from "../../../src/contract/key-request.ts";
import { silentLog } from "../../../src/log.ts";
import { actAs, type PaneAction } from "../../../src/sandbox/network-pane/act.ts";
import { readChannelView, readOverview } from "../../../src/sandbox/network-pane/read-view.ts";
import { addNetworkRoutes } from "../../../src/sandbox/network-pane/network-routes.ts";
import { createPage } from "../../../src/sandbox/page-server.ts";
import { createKeyPair } from "../../support/signing.ts";
import { botFid, openSampleNetwork } from "../../support/sample-network.ts";

const sample = await openSampleNetwork();
afterAll(() => sample.close());

const act = (name: string, action: PaneAction) => actAs(sample.pane, sample.person(name), action);
const view = () => readChannelView(sample.pane, sample.person("mo"), "garden");

describe("the network pane", () => {
  it("lets the owner make the bot a moderator at once", async () => {
    await act("ada", { do: "invite", channelId: "garden", fid: botFid, role: "moderator" });
    expect((await view()).channel.moderatorFids).toEqual([2, botFid]);
  });

  it("shows an invite to the one who got it, and lets them accept", async () => {
    await act("mo", { do: "invite", channelId: "garden", fid: 4, role: "member" });
    expect((await view()).invites).toMatchObject([{ invitedFid: 4, role: "member" }]);
    expect((await readOverview(sample.pane, sample.person("nia"))).invites).toMatchObject([
      { channelId: "garden" },
    ]);
    await act("nia", { do: "answer", channelId: "garden", role: "member", accept: true });
    expect((await view()).members.map(({ fid }) => fid)).toContain(4);
  });

  it("shows what a ban hides, and that lifting it restricts", async () => {
    const [root] = (await view()).casts;
    await act("sam", { do: "reply", castHash: root?.cast.hash ?? "", text: "Buy seeds here" });
    await act("mo", { do: "ban", channelId: "garden", fid: 5 });
    const banned = await view();
    expect(banned.casts.find(({ cast }) => cast.fid === 5)).toMatchObject({ hiddenByBan: true });
    expect(banned.bans.map(({ fid }) => fid)).toEqual([5]);
    await act("mo", { do: "unban", channelId: "garden", fid: 5 });
    const lifted = await view();
    expect(lifted.casts.find(({ cast }) => cast.fid === 5)).toMatchObject({
      hiddenByBan: false,
      belowFold: true,
    });
    expect(lifted.restricted.map(({ fid }) => fid)).toEqual([5]);
  });

  it("hides, shows, pins and unpins casts, and removes one's own", async () => {
    await act("mel", { do: "cast", channelId: "garden", text: "First frost!" });
    const castHash = (await view()).casts[0]?.cast.hash ?? "";
    await act("mo", { do: "hide", castHash });
    await act("mo", { do: "pin", castHash });
    expect(await view()).toMatchObject({
      channel: { pinnedCastHash: castHash },
      records: [{ castHash, action: "hide" }],
    });
    await act("mo", { do: "unhide", castHash });
    await act("mo", { do: "unpin", channelId: "garden" });
    expect((await view()).records[0]).toMatchObject({ action: "unhide" });
    await expect(act("mo", { do: "remove-cast", castHash })).rejects.toThrow(/Only the author/);
    await act("mel", { do: "remove-cast", castHash });
    expect((await view()).channel.pinnedCastHash).toBeUndefined();
  });

  it("registers a name with the person's own signature, and names people", async () => {
    await expect(act("sam", { do: "register-name", name: "sam-two" })).rejects.toMatchObject({
      code: "TOO_MANY_NAMES",
    });
    expect((await view()).names).toMatchObject({ 1: "ada", 2: "mo" });
  });

  it("lets somebody give a name up and register another", async () => {
    const nameOf = async () => (await readOverview(sample.pane, sample.person("sam"))).name;
    expect(await nameOf()).toBe("sam");
    sample.network.context.clock.advance(5);
    await act("sam", { do: "release-name", name: "sam" });
    expect(await nameOf()).toBeNull();
    await expect(act("sam", { do: "register-name", name: "ada" })).rejects.toThrow(/somebody else/);
    await act("sam", { do: "register-name", name: "sam-two" });
    expect(await nameOf()).toBe("sam-two");
  });

  it("shows a channel's casts however much happens elsewhere, and a new reply to an old cast with what it answers", async () => {
    await act("mel", { do: "cast", channelId: "kitchen", text: "Soup" });
    const kitchen = () => readChannelView(sample.pane, sample.person("mo"), "kitchen");
    const old = (await kitchen()).casts[0]?.cast.hash ?? "";
    for (let n = 0; n < 20; n += 1) await act("mel", { do: "cast", channelId: "kitchen", text: `More ${n}` });
    await act("nia", { do: "reply", castHash: old, text: "Which soup?" });
    const texts = (await kitchen()).casts.map(({ cast }) => cast.text);
    expect(texts).toEqual(expect.arrayContaining(["Which soup?", "Soup", "More 19"]));
    for (let n = 0; n < 410; n += 1) await act("sam", { do: "cast", channelId: "memes", text: `Noise ${n}` });
    expect((await kitchen()).casts.map(({ cast }) => cast.text)).toContain("More 19");
  });

  it("answers an application's key request with the person's own wallet", async () => {
    const { key } = await createKeyPair();
    const asker = sample.person("ada");
    const request = {
      requestFid: asker.fid,
      key,
      deadline: Math.floor(sample.pane.clock.now() / 1000) + 600,
    };
    const wallet = privateKeyToAccount(asker.account?.custodyKey ?? "0x");
    const signature = await wallet.signTypedData(describeKeyRequest(ownKeyRequestDomain, request));
    const { signedKeyRequests } = sample.pane.as(asker);
    const { signedKeyRequest } = await signedKeyRequests.create({ ...request, signature });
    await expect(act("nia", { do: "answer-key", request: "nothing", answer: "approve" })).rejects.toThrow(
      /not a key request/,
    );
    await act("nia", { do: "answer-key", request: signedKeyRequest.deeplinkUrl, answer: "approve" });
    const { token } = signedKeyRequest;
    expect((await signedKeyRequests.get({ token })).signedKeyRequest).toMatchObject({ userFid: 4 });
  });

  it("refuses a stranger what only moderators may", async () => {
    await expect(act("sam", { do: "ban", channelId: "garden", fid: 3 })).rejects.toMatchObject({
      code: "not_permitted",
    });
  });

  it("lets nobody act whose keys are not here", async () => {
    const person = { ...sample.person("ada"), account: undefined };
    await expect(actAs(sample.pane, person, { do: "follow", channelId: "memes" })).rejects.toThrow(
      /only read as ada/,
    );
  });
});

describe("the network pane over HTTP", () => {
  let server: FastifyInstance;
  let origin: string;
  beforeAll(async () => {
    server = Fastify();
    server.register(createPage(silentLog, undefined, (page) => addNetworkRoutes(page, sample.pane)));
    origin = await server.listen({ host: "127.0.0.1", port: 0 });
  });
  afterAll(() => server.close());

  const post = (body: unknown) =>
    fetch(`${origin}/network/act`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });

  it("acts, reads, and says who one can be", async () => {
    const answer = await post({ fid: 3, action: { do: "follow", channelId: "memes" } });
    expect(answer.status).toBe(204);
    const read = await fetch(`${origin}/network/channel?fid=3&channelId=memes`);
    expect(await read.json()).toMatchObject({ following: true });
    const people = await fetch(`${origin}/network/people`);
    expect(await people.json()).toContainEqual({
      fid: 5,
      name: "sam",
      userId: expect.any(String),
      acts: true,
    });
  });

  it.each([
    ["what is no JSON", 400, "{"],
    ["an unknown action", 400, { fid: 3, action: { do: "explode" } }],
    ["a stranger to the sandbox", 404, { fid: 77, action: { do: "follow", channelId: "memes" } }],
    ["what the network refuses", 400, { fid: 5, action: { do: "ban", channelId: "garden", fid: 3 } }],
    ["more than an act can be", 413, { fid: 3, action: { do: "x".repeat(70_000) } }],
  ])("answers a sentence to %s", async (_what, status, body) => {
    const answer = await post(body);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toEqual({
      error: { code: expect.any(String), message: expect.stringMatching(/\w+/) },
    });
  });

  it("reads no more of an act without a length than an act can be", async () => {
    let sent = 0;
    const body = new ReadableStream({
      pull(stream) {
        sent += 1024;
        stream.enqueue(new Uint8Array(1024).fill(0x20));
      },
    });
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${origin}/network/act`, {
      method: "POST",
      headers,
      body,
      duplex: "half",
    }).catch(() => undefined);
    expect(answer?.status ?? 413).toBe(413);
    // What the sockets of both sides hold comes on top.
    expect(sent).toBeLessThan(16 * 1024 * 1024);
  });

  it("takes no act that a form of another page could send", async () => {
    const act = JSON.stringify({ fid: 3, action: { do: "unfollow", channelId: "memes" } });
    const answer = await fetch(`${origin}/network/act`, { method: "POST", body: act });
    expect(answer.status).toBe(400);
  });

  it("leaves other paths to others", async () => {
    expect((await fetch(`${origin}/elsewhere`)).status).toBe(404);
  });
});
