import { describe, expect, it } from "vitest";
import { custodyOf, makeToken } from "../support/signing.ts";
import { castHash } from "../support/seed.ts";
import {
  channelUrl,
  founded,
  membershipCalls,
  people,
  refused,
  resultOf,
  success,
  useInterfaceNetwork,
} from "../support/interface-network.ts";

const { owner, member, stranger } = people;

const network = await useInterfaceNetwork();

const { ban, remove } = membershipCalls(network);

describe("Operator routes", () => {
  it.each([
    ["POST /operator/network", {}],
    ["POST /operator/casts", { fid: 1, text: "gm" }],
    [`DELETE /operator/casts/${castHash(1)}`, {}],
    [`GET /operator/casts/${castHash(1)}`, {}],
    ["POST /operator/join", { channelId: "memes", fid: 7 }],
    ["GET /operator/notifications", { channelId: "memes" }],
    ["POST /operator/keys/revoke", { fid: 1, key: "0x00" }],
    ["DELETE /operator/channels/memes", {}],
  ])("%s needs the operator's token, and no user's will do", async (request, input) => {
    const user = `Bearer ${await makeToken(owner, network.now() + 300)}`;
    for (const authorization of [user, "Bearer nonsense", "Bearer "]) {
      expect((await network.call(request, input, { authorization })).status).toBe(401);
    }
    expect((await network.call(request, input)).status).toBe(401);
  });
});

describe("POST /operator/casts", () => {
  it("casts into a channel, and the cast is in it by the channel's url", async () => {
    const channelId = await network.channel();
    const result = resultOf(
      await network.operator("POST /operator/casts", { fid: 4, text: "gm", channelId }),
    );
    expect(await network.castState(String(result["hash"]))).toMatchObject({
      cast: {
        hash: result["hash"],
        fid: 4,
        text: "gm",
        parentUrl: channelUrl(channelId),
        timestamp: network.justNow(),
        removed: false,
      },
      hiddenByModeration: false,
      hiddenByBan: false,
      hiddenOnEntry: false,
      belowFold: false,
      channelId,
    });
  });

  it("answers a cast: a reply is in its parent's channel", async () => {
    const channelId = await network.channel();
    const parentHash = await network.cast({ fid: 4, channelId });
    const input = { fid: 6, text: "gm", parentHash };
    const { hash } = resultOf(await network.operator("POST /operator/casts", input));
    expect(await network.castState(String(hash))).toMatchObject({ cast: { fid: 6, parentHash }, channelId });
    const again = { fid: 4, text: "gm", parentHash: hash, channelId };
    const deep = resultOf(await network.operator("POST /operator/casts", again))["hash"];
    const state = await network.castState(String(deep));
    expect(state).toMatchObject({ cast: { parentHash: hash }, channelId });
    expect(state).not.toHaveProperty("cast.parentUrl");
  });

  it("casts into no channel, and replies to that are in none", async () => {
    const { hash } = resultOf(await network.operator("POST /operator/casts", { fid: 6, text: "gm" }));
    expect(await network.castState(String(hash))).not.toHaveProperty("channelId");
    const input = { fid: 4, text: "gm", parentHash: hash };
    const reply = resultOf(await network.operator("POST /operator/casts", input))["hash"];
    expect(await network.castState(String(reply))).not.toHaveProperty("channelId");
  });

  it.each([
    ["into an unknown channel", () => ({ channelId: "nowhere" })],
    ["in reply to an unknown cast", () => ({ parentHash: `0x${"ab".repeat(20)}` })],
    ["by a fid without account", () => ({ fid: network.unused(1)[0] })],
  ])("%s is 404", async (_, part) => {
    const answer = await network.operator("POST /operator/casts", { fid: 6, text: "gm", ...part() });
    expect(answer).toEqual(refused(404, "not_found"));
  });

  it.each([
    ["before 2021, when messages began", { timestamp: Date.UTC(2021, 0, 1) / 1000 - 1 }],
    ["at a time in milliseconds", { timestamp: founded * 1000 }],
    ["of text with NUL", { text: "a\0b" }],
    ["of text with half a character", { text: "half \ud83d" }],
  ])("%s is 400", async (_, part) => {
    const answer = await network.operator("POST /operator/casts", { fid: 6, text: "gm", ...part });
    expect(answer).toEqual(refused(400, "invalid_request"));
  });

  it("into another channel than its parent's is 400", async () => {
    const parentHash = await network.cast({ fid: 4, channelId: await network.channel() });
    const input = { fid: 6, text: "gm", channelId: await network.channel(), parentHash };
    expect(await network.operator("POST /operator/casts", input)).toEqual(refused(400, "invalid_request"));
  });
});

describe("DELETE /operator/casts", () => {
  it("removes a cast, once", async () => {
    const hash = await network.cast({ fid: member, channelId: await network.channel() });
    expect(await network.operator(`DELETE /operator/casts/${hash}`)).toEqual(success);
    expect(await network.castState(hash)).toMatchObject({ cast: { removed: true } });
    expect(await network.operator(`DELETE /operator/casts/${hash}`)).toEqual(refused(404, "not_found"));
  });
});

describe("reads and removals of what is not there", () => {
  it.each([
    [`GET /operator/casts/${castHash(999)}`, {}],
    [`DELETE /operator/casts/${castHash(999)}`, {}],
    ["GET /operator/notifications", { channelId: "nowhere" }],
    ["DELETE /operator/channels/nowhere", {}],
  ])("%s is 404", async (request, input) => {
    expect(await network.operator(request, input)).toEqual(refused(404, "not_found"));
  });
});

describe("POST /operator/network", () => {
  it("counts what it imported, and again what was present", async () => {
    const accounts = network.unused(3).map((fid) => ({ fid, custodyAddress: custodyOf(fid).address }));
    expect(resultOf(await network.operator("POST /operator/network", { accounts }))).toMatchObject({
      imported: { accounts: 3 },
    });
    expect(resultOf(await network.operator("POST /operator/network", { accounts }))).toMatchObject({
      present: { accounts: 3 },
    });
  });

  it("is all or nothing: 400 with every mistake and its path", async () => {
    const channel = { id: "half", name: "Half", url: "https://castle.test/half", createdAt: founded };
    const channels = [
      { ...channel, leadFid: 1 },
      { ...channel, id: "Bad Id", leadFid: 999_999, url: "https://castle.test/other" },
    ];
    const { status, body } = await network.operator("POST /operator/network", {
      channels,
      casts: [{ hash: castHash(500), fid: 1, text: "gm", channelId: "nobody-knows", timestamp: founded }],
    });
    expect(status).toBe(400);
    const { errors } = body as { errors: { instancePath: string }[] };
    const paths = errors.map(({ instancePath }) => instancePath).join(" ");
    expect(paths).toContain("/channels/1");
    expect(await network.call("GET /v1/channel", { channelId: "half" })).toEqual(refused(404));
  });

  it("never changes what exists: roles and follows of a channel that is there are not applied", async () => {
    const channelId = await network.channel();
    await ban(owner, channelId, stranger);
    await remove(owner, channelId, member, "member");
    const before = await network.state(channelId);
    const channel = { id: channelId, name: "Other", url: channelUrl(channelId), createdAt: founded };
    await network.import({
      channels: [{ ...channel, leadFid: stranger, moderatorFids: [6], memberFids: [member] }],
      channelFollows: [{ fid: 9, channelId, followedAt: founded }],
    });
    expect(await network.state(channelId)).toEqual(before);
    expect(resultOf(await network.call("GET /v1/channel", { channelId }))["channel"]).toMatchObject({
      name: channelId,
      leadFid: owner,
      followerCount: 1,
    });
  });

  it.each(["[]", "null", "{", '"file"'])("refuses %s", async (file) => {
    expect((await network.operator("POST /operator/network", file)).status).toBe(400);
  });
});

describe("POST /operator/keys/revoke", () => {
  it("of a key that is none harms no other key", async () => {
    await network.operator("POST /operator/keys/revoke", { fid: owner, key: `0x${"ab".repeat(32)}` });
    const channelId = await network.channel();
    expect(await ban(owner, channelId, stranger)).toEqual(success);
  });
});
