import { beforeEach, describe, expect, it } from "vitest";
import {
  channelUrl,
  founded,
  membershipCalls,
  people,
  refused,
  resultOf,
  success,
  type Answer,
  useInterfaceNetwork,
} from "../support/interface-network.ts";

const { owner, moderator, member, follower, stranger } = people;

const network = await useInterfaceNetwork();

const { ban, invite, remove } = membershipCalls(network);
const read = async (channelId: string) =>
  resultOf(await network.call("GET /v1/channel", { channelId }))["channel"];

describe("GET /v1/channel", () => {
  it("gives every field of a bare channel, and none that it has not", async () => {
    const channelId = await network.channel({
      leadFid: owner,
      moderatorFids: [],
      memberFids: [],
      followers: [],
    });
    expect(await network.call("GET /v1/channel", { channelId })).toEqual({
      status: 200,
      body: {
        result: {
          channel: {
            id: channelId,
            url: channelUrl(channelId),
            name: channelId,
            descriptionMentions: [],
            descriptionMentionsPositions: [],
            imageUrl: "https://castle.test/flag.png",
            leadFid: owner,
            moderatorFids: [],
            createdAt: founded,
            followerCount: 0,
            memberCount: 1,
            publicCasting: true,
          },
        },
      },
    });
  });

  it("gives an empty imageUrl where there is no image", async () => {
    expect(await read(await network.channel({ imageUrl: undefined }))).toMatchObject({ imageUrl: "" });
  });

  it("gives the optional fields of one that has them", async () => {
    const parts = {
      description: "By  and ",
      descriptionMentions: [owner, owner],
      descriptionMentionsPositions: [3, 8],
      headerImageUrl: "https://castle.test/header.png",
      externalLink: { title: "The castle", url: "https://castle.test/" },
      publicCasting: false,
    };
    const channelId = await network.channel(parts);
    const castHash = await network.cast({ fid: owner, channelId });
    await network.as(owner, "PUT /fc/pinned-casts", { castHash });
    expect(await read(channelId)).toMatchObject({ ...parts, pinnedCastHash: castHash });
  });

  it("has no moderatorFid, which belongs to the followed channels", async () => {
    expect(await read(await network.channel())).not.toHaveProperty("moderatorFid");
  });

  it("of an unknown channel is 404", async () => {
    expect(await network.call("GET /v1/channel", { channelId: "nowhere" })).toEqual(
      refused(404, "not_found"),
    );
  });

  it.each([
    {},
    { channelId: "" },
    { channelId: "Memes" },
    { channelId: "a".repeat(17) },
    { channelId: "-a" },
  ])("of %j is malformed", async (query) => {
    expect(await network.call("GET /v1/channel", query)).toEqual(refused(400, "invalid_request"));
  });
});

describe("GET /v2/all-channels", () => {
  it("lists whole channels by creation time, then id, unpaged", async () => {
    const late = await network.channel({ createdAt: founded + 9 });
    const early = await network.channel({ createdAt: founded - 9 });
    const twin = await network.channel({ createdAt: founded - 9 });
    // Made last, and the first by its id.
    const first = network.own("a");
    const another = { id: first, name: "A", url: channelUrl(first), leadFid: owner, createdAt: founded - 9 };
    await network.import({ channels: [another] });
    const { status, body } = await network.call("GET /v2/all-channels", { limit: 1 });
    expect(status).toBe(200);
    expect(Object.keys(Object(body))).toEqual(["result"]);
    const listed = await network.list("GET /v2/all-channels");
    const mine = [first, early, twin, late];
    expect(listed.filter(({ id }) => mine.includes(String(id)))).toEqual(await Promise.all(mine.map(read)));
    const keys = listed.map(({ createdAt }) => createdAt);
    expect(keys).toEqual(keys.toSorted((a, b) => Number(a) - Number(b)));
  });
});

describe("a deleted channel", () => {
  let channelId: string;
  let castHash: string;
  let deleted: Answer;
  beforeEach(async () => {
    channelId = await network.channel({ memberFids: [member, 6] });
    castHash = await network.cast({ fid: stranger, channelId });
    await ban(owner, channelId, stranger);
    await remove(owner, channelId, 6, "member");
    await invite(owner, channelId, follower, "member");
    await network.as(owner, "POST /fc/moderated-casts", { castHash, action: "hide" });
    deleted = await network.operator(`DELETE /operator/channels/${channelId}`);
  });

  it("is gone at once", async () => {
    expect(deleted).toEqual(success);
    expect(await network.operator(`DELETE /operator/channels/${channelId}`)).toEqual(refused(404));
  });

  it.each([
    "GET /v1/channel",
    "GET /v1/channel-followers",
    "GET /fc/channel-members",
    "GET /fc/channel-invites",
    "GET /fc/channel-restricted-users",
    "GET /fc/channel-bans",
    "GET /fc/moderated-casts",
  ])("is 404 in %s", async (request) => {
    expect(await network.call(request, { channelId })).toEqual(refused(404, "not_found"));
  });

  it("is 404 to whoever would change it", async () => {
    const attempts = [
      ban(owner, channelId, 7),
      invite(owner, channelId, follower, "member"),
      remove(owner, channelId, member, "member"),
      network.as(follower, "PATCH /fc/channel-invites", { channelId, role: "member", accept: true }),
      network.as(stranger, "POST /fc/channel-follows", { channelId }),
      network.as(owner, "DELETE /fc/pinned-casts", { channelId }),
      network.operator("POST /operator/join", { channelId, fid: 7 }),
    ];
    for (const answer of await Promise.all(attempts)) expect(answer).toEqual(refused(404, "not_found"));
  });

  it.each([
    "GET /v2/all-channels",
    "GET /fc/channel-invites",
    "GET /fc/channel-restricted-users",
    "GET /fc/channel-bans",
    "GET /fc/moderated-casts",
    "GET /v1/user-following-channels",
  ])("leaves %s", async (request) => {
    const query = request.includes("user-following") ? { fid: follower } : {};
    const records = await network.list(request, query);
    expect(records.filter((record) => [record["id"], record["channelId"]].includes(channelId))).toEqual([]);
  });

  it("takes its casts out of moderation", async () => {
    const moderation = { castHash, action: "unhide" };
    const { status } = await network.as(moderator, "POST /fc/moderated-casts", moderation);
    expect([403, 404]).toContain(status);
  });
});
