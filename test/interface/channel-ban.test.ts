import { describe, expect, it } from "vitest";
import {
  fresh,
  founded,
  membershipCalls,
  people,
  refused,
  success,
  useInterfaceNetwork,
} from "../support/interface-network.ts";

const { owner, moderator, member, follower, stranger } = people;

const network = await useInterfaceNetwork();

const { invite, ban, unban } = membershipCalls(network);

const shown = { hiddenByModeration: false, hiddenByBan: false, belowFold: false };

describe("Channel ban", () => {
  it.each([
    ["the owner", owner],
    ["a moderator", moderator],
  ])("row 1: not banned → banned, by %s, and listed", async (_, caller) => {
    const channelId = await network.channel();
    expect(await ban(caller, channelId, stranger)).toEqual(success);
    expect(await network.list("GET /fc/channel-bans", { channelId })).toEqual([
      { fid: stranger, channelId, bannedAt: network.justNow() },
    ]);
    expect(await network.state(channelId)).toEqual({ ...fresh, banned: [stranger] });
  });

  it("row 1: all his replies are hidden, in this channel only", async () => {
    const [channelId, other] = [await network.channel(), await network.channel()];
    const reply = async (id: string) =>
      network.cast({ fid: stranger, parentHash: await network.cast({ fid: owner, channelId: id }) });
    const [here, again, there] = [await reply(channelId), await reply(channelId), await reply(other)];
    const nested = await network.cast({ fid: follower, parentHash: here });
    const root = await network.cast({ fid: stranger, channelId });
    await ban(moderator, channelId, stranger);
    for (const hash of [here, again]) {
      expect(await network.castState(hash)).toMatchObject({ ...shown, hiddenByBan: true });
    }
    for (const hash of [there, nested, root]) expect(await network.castState(hash)).toMatchObject(shown);
  });

  it("row 1: a reply that he makes afterwards is hidden as it arrives", async () => {
    const channelId = await network.channel();
    const root = await network.cast({ fid: owner, channelId });
    await ban(owner, channelId, stranger);
    const imported = await network.cast({ fid: stranger, parentHash: root });
    const hidden = { hiddenByBan: true, hiddenOnEntry: false, channelId };
    expect(await network.castState(imported)).toMatchObject(hidden);
    const { body } = await network.operator("POST /operator/casts", {
      fid: stranger,
      text: "still here",
      parentHash: root,
    });
    // Answered with the hash alone.
    const { hash } = (body as { result: { hash: string } }).result;
    expect(await network.castState(hash)).toMatchObject(hidden);
    const own = await network.cast({ fid: stranger, channelId });
    expect(await network.castState(own)).toMatchObject(shown);
  });

  it("row 2: banned → restricted, the entry leaves the bans", async () => {
    const channelId = await network.channel();
    await ban(owner, channelId, stranger);
    await network.pass(1);
    expect(await unban(moderator, channelId, stranger)).toEqual(success);
    expect(await network.state(channelId)).toEqual({ ...fresh, restricted: [stranger] });
    expect(await network.list("GET /fc/channel-restricted-users", { channelId })).toEqual([
      { fid: stranger, channelId, restrictedAt: network.justNow() },
    ]);
  });

  it("row 2: his replies are visible again and he can reply again, below the fold", async () => {
    const channelId = await network.channel();
    const root = await network.cast({ fid: owner, channelId });
    const before = await network.cast({ fid: stranger, parentHash: root });
    await ban(owner, channelId, stranger);
    const during = await network.cast({ fid: stranger, parentHash: root });
    await unban(owner, channelId, stranger);
    const after = await network.cast({ fid: stranger, parentHash: root });
    for (const hash of [before, during, after]) {
      expect(await network.castState(hash)).toMatchObject({ ...shown, belowFold: true });
    }
  });
});

describe("who may ban and unban", () => {
  it.each([
    ["a member", member],
    ["a stranger", stranger],
  ])("%s may do neither", async (_, caller) => {
    const channelId = await network.channel();
    expect(await ban(caller, channelId, follower)).toEqual(refused(403, "not_permitted"));
    expect(await network.state(channelId)).toEqual(fresh);
    await ban(owner, channelId, follower);
    expect(await unban(caller, channelId, follower)).toEqual(refused(403, "not_permitted"));
    expect(await network.state(channelId)).toEqual({ ...fresh, banned: [follower] });
  });

  it("who moderates another channel may not ban in this one", async () => {
    const channelId = await network.channel();
    await network.channel({ leadFid: stranger });
    expect(await ban(stranger, channelId, follower)).toEqual(refused(403, "not_permitted"));
  });

  it("ban: the owner cannot be banned", async () => {
    const channelId = await network.channel();
    expect(await ban(moderator, channelId, owner)).toEqual(refused(403, "cannot_ban_owner"));
    expect(await network.state(channelId)).toEqual(fresh);
  });

  it("ban: a moderator is banned by the owner alone", async () => {
    const channelId = await network.channel({ moderatorFids: [moderator, 8] });
    expect(await ban(8, channelId, moderator)).toEqual(refused(403, "cannot_ban_moderator"));
    expect(await ban(owner, channelId, moderator)).toEqual(success);
    expect(await network.state(channelId)).toEqual({
      ...fresh,
      members: [1, 3, 8],
      moderators: [8],
      banned: [moderator],
    });
  });

  it.each([
    ["owner", owner],
    ["moderator", moderator],
  ])("ban: the %s cannot ban himself", async (_, caller) => {
    const channelId = await network.channel();
    expect(await ban(caller, channelId, caller)).toEqual(refused(403));
    expect(await network.state(channelId)).toEqual(fresh);
  });

  it("ban: any fid may be banned, with or without account", async () => {
    const channelId = await network.channel();
    const unknown = 2 ** 53 - 1;
    expect(await ban(owner, channelId, unknown)).toEqual(success);
    expect((await network.state(channelId)).banned).toEqual([unknown]);
    expect(await unban(owner, channelId, unknown)).toEqual(success);
  });
});

describe("what a ban ends and keeps", () => {
  it("a member's role ends, and does not come back with the unban", async () => {
    const channelId = await network.channel();
    await ban(moderator, channelId, member);
    expect(await network.state(channelId)).toEqual({ ...fresh, members: [1, 2], banned: [member] });
    await unban(moderator, channelId, member);
    expect(await network.state(channelId)).toEqual({ ...fresh, members: [1, 2], restricted: [member] });
  });

  it("outstanding invites end", async () => {
    const channelId = await network.channel();
    await invite(owner, channelId, follower, "member");
    await invite(owner, channelId, member, "moderator");
    await ban(owner, channelId, follower);
    await ban(owner, channelId, member);
    expect(await network.state(channelId)).toEqual({ ...fresh, members: [1, 2], banned: [member, follower] });
  });

  it("a follow goes on, and the banned may follow and unfollow", async () => {
    const channelId = await network.channel();
    await ban(owner, channelId, follower);
    expect(await network.list("GET /v1/channel-followers", { channelId })).toEqual([
      { fid: follower, followedAt: founded },
    ]);
    await ban(owner, channelId, stranger);
    expect(await network.as(stranger, "POST /fc/channel-follows", { channelId })).toEqual(success);
    expect(await network.as(follower, "DELETE /fc/channel-follows", { channelId })).toEqual(success);
    expect(await network.list("GET /v1/channel-followers", { channelId })).toEqual([
      { fid: stranger, followedAt: network.justNow() },
    ]);
  });

  it("ban of the banned and unban of one who is not: success, unchanged", async () => {
    const channelId = await network.channel();
    await ban(owner, channelId, stranger);
    const before = await network.list("GET /fc/channel-bans", { channelId });
    await network.pass(1);
    expect(await ban(moderator, channelId, stranger)).toEqual(success);
    expect(await unban(moderator, channelId, follower)).toEqual(success);
    expect(await unban(moderator, channelId, member)).toEqual(success);
    expect(await network.list("GET /fc/channel-bans", { channelId })).toEqual(before);
    expect(await network.state(channelId)).toEqual({ ...fresh, banned: [stranger] });
  });

  it("hidden by moderation and hidden by ban are two flags: each call clears its own only", async () => {
    const channelId = await network.channel();
    const root = await network.cast({ fid: owner, channelId });
    const reply = await network.cast({ fid: stranger, parentHash: root });
    const moderate = (action: string) =>
      network.as(moderator, "POST /fc/moderated-casts", { castHash: reply, action });
    await moderate("hide");
    await ban(owner, channelId, stranger);
    expect(await network.castState(reply)).toMatchObject({ hiddenByModeration: true, hiddenByBan: true });
    await unban(owner, channelId, stranger);
    expect(await network.castState(reply)).toMatchObject({ hiddenByModeration: true, hiddenByBan: false });
    await ban(owner, channelId, stranger);
    await moderate("unhide");
    expect(await network.castState(reply)).toMatchObject({ hiddenByModeration: false, hiddenByBan: true });
    const records = await network.list("GET /fc/moderated-casts", { channelId });
    expect(records.map(({ action }) => action)).toEqual(["unhide", "hide"]);
  });
});

describe("Rule 4: the field of an unban", () => {
  it.each([
    ["unbanFid alone", { unbanFid: stranger }],
    ["banFid alone", { banFid: stranger }],
    ["both alike", { unbanFid: stranger, banFid: stranger }],
  ])("%s is taken", async (_, fields) => {
    const channelId = await network.channel();
    await ban(owner, channelId, stranger);
    expect(await network.as(owner, "DELETE /fc/channel-bans", { channelId, ...fields })).toEqual(success);
    expect((await network.state(channelId)).restricted).toEqual([stranger]);
  });

  it.each([
    ["both and different", { unbanFid: stranger, banFid: follower }, "/banFid"],
    ["neither", {}, "/unbanFid"],
  ])("%s is refused", async (_, fields, instancePath) => {
    const channelId = await network.channel();
    await ban(owner, channelId, stranger);
    const answer = await network.as(owner, "DELETE /fc/channel-bans", { channelId, ...fields });
    expect(answer).toEqual(refused(400, "invalid_request"));
    expect(answer.body).toMatchObject({ errors: [{ instancePath }] });
    expect((await network.state(channelId)).banned).toEqual([stranger]);
  });
});
