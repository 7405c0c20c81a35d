import { describe, expect, it } from "vitest";
import {
  fresh,
  membershipCalls,
  people,
  refused,
  success,
  useInterfaceNetwork,
} from "../support/interface-network.ts";

const { owner, moderator, member, follower, stranger, bot } = people;

const network = await useInterfaceNetwork();
await network.import({ botAllowlist: [bot] });

const { invite, remove, answer, join } = membershipCalls(network);

/** A channel in which the fid has lost the role of a member, and with it the way in by link. */
async function channelWithRestricted(fid: number) {
  const channelId = await network.channel({ followers: [fid] });
  await invite(moderator, channelId, fid, "member");
  await answer(fid, channelId, "member", true);
  await remove(moderator, channelId, fid, "member");
  expect(await network.state(channelId)).toEqual({ ...fresh, restricted: [fid] });
  return channelId;
}

describe("Channel invite", () => {
  it.each([
    ["the owner", owner],
    ["a moderator", moderator],
  ])("row 1: none → outstanding (member), invited by %s", async (_, caller) => {
    const channelId = await network.channel();
    expect(await invite(caller, channelId, follower, "member")).toEqual(success);
    expect(await network.state(channelId)).toEqual({ ...fresh, invites: ["4 member"] });
    expect(await network.list("GET /fc/channel-invites", { channelId })).toEqual([
      { channelId, invitedFid: follower, invitedAt: network.justNow(), inviterFid: caller, role: "member" },
    ]);
  });

  it("row 1: none → outstanding (member), of a user who follows the caller instead of the channel", async () => {
    const channelId = await network.channel();
    await network.import({ userFollows: [{ fid: 6, targetFid: moderator }] });
    expect(await invite(moderator, channelId, 6, "member")).toEqual(success);
    expect(await invite(owner, channelId, 6, "member")).toEqual(success);
    expect(await network.state(channelId)).toEqual({ ...fresh, invites: ["6 member"] });
  });

  it("row 1: to follow another than the caller, or to be followed by the caller, is not enough", async () => {
    const channelId = await network.channel();
    const userFollows = [
      { fid: 7, targetFid: moderator },
      { fid: owner, targetFid: 7 },
    ];
    await network.import({ userFollows });
    expect(await invite(owner, channelId, 7, "member")).toEqual(refused(403, "invitee_not_following"));
    expect(await network.state(channelId)).toEqual(fresh);
  });

  it("row 1: the restricted state ends before the invite is answered", async () => {
    const channelId = await channelWithRestricted(follower);
    expect(await invite(moderator, channelId, follower, "member")).toEqual(success);
    expect(await network.state(channelId)).toEqual({ ...fresh, invites: ["4 member"] });
  });

  it("row 2: none → outstanding (moderator), of a member by the owner", async () => {
    const channelId = await network.channel();
    expect(await invite(owner, channelId, member, "moderator")).toEqual(success);
    expect(await network.state(channelId)).toEqual({ ...fresh, invites: ["3 moderator"] });
    expect(await network.list("GET /fc/channel-invites", { channelId })).toEqual([
      { channelId, invitedFid: member, invitedAt: network.justNow(), inviterFid: owner, role: "moderator" },
    ]);
  });

  it("row 3: none → active moderator, of an allowlisted bot that is no member and accepts nothing", async () => {
    const channelId = await network.channel();
    expect(await invite(owner, channelId, bot, "moderator")).toEqual(success);
    expect(await invite(owner, channelId, bot, "moderator")).toEqual(success);
    expect(await network.state(channelId)).toEqual({
      ...fresh,
      members: [1, 2, 3, bot],
      moderators: [2, bot],
    });
    expect(await network.as(bot, "POST /fc/channel-bans", { channelId, banFid: stranger })).toEqual(success);
  });

  it("row 3: an outstanding member invite of the bot ends", async () => {
    const channelId = await network.channel({ followers: [bot] });
    await invite(moderator, channelId, bot, "member");
    expect((await network.state(channelId)).invites).toEqual([`${bot} member`]);
    expect(await invite(owner, channelId, bot, "moderator")).toEqual(success);
    expect(await network.state(channelId)).toMatchObject({ moderators: [2, bot], invites: [] });
    expect(await answer(bot, channelId, "member", true)).toEqual(refused(403, "no_active_invite"));
  });

  it("row 3: a moderator who does not own the channel cannot add the bot", async () => {
    const channelId = await network.channel();
    expect(await invite(moderator, channelId, bot, "moderator")).toEqual(refused(403, "not_owner"));
    expect(await network.state(channelId)).toEqual(fresh);
  });

  it.each([
    ["outstanding member", follower, "member", owner],
    ["outstanding moderator", member, "moderator", owner],
  ] as const)("row 4: an %s invite stays as it is when it is sent again", async (_, fid, role, again) => {
    const channelId = await network.channel();
    await invite(role === "member" ? moderator : owner, channelId, fid, role);
    const before = await network.list("GET /fc/channel-invites", { channelId });
    await network.pass(1);
    expect(await invite(again, channelId, fid, role)).toEqual(success);
    expect(await network.list("GET /fc/channel-invites", { channelId })).toEqual(before);
  });

  it.each([
    ["a member as member", member, "member"],
    ["a moderator as moderator", moderator, "moderator"],
    ["a moderator as member", moderator, "member"],
    ["the owner as moderator", owner, "moderator"],
    ["the owner as member", owner, "member"],
  ] as const)("row 4: inviting %s, a role that is held, changes nothing", async (_, fid, role) => {
    const channelId = await network.channel();
    expect(await invite(owner, channelId, fid, role)).toEqual(success);
    expect(await network.state(channelId)).toEqual(fresh);
  });

  it("row 5: outstanding → accepted, and the member holds the role", async () => {
    const channelId = await network.channel();
    await invite(moderator, channelId, follower, "member");
    await network.pass(1);
    expect(await answer(follower, channelId, "member", true)).toEqual(success);
    expect(await network.state(channelId)).toEqual({ ...fresh, members: [1, 2, 3, 4] });
    expect(await network.list("GET /fc/channel-members", { channelId, fid: follower })).toEqual([
      { fid: follower, memberAt: network.justNow() },
    ]);
  });

  it("row 5: outstanding → accepted, and the moderator holds the role, a member since when he was", async () => {
    const channelId = await network.channel();
    const before = await network.list("GET /fc/channel-members", { channelId, fid: member });
    await invite(owner, channelId, member, "moderator");
    expect(await answer(member, channelId, "moderator", true)).toEqual(success);
    expect(await network.state(channelId)).toEqual({ ...fresh, moderators: [2, 3] });
    expect(await network.list("GET /fc/channel-members", { channelId, fid: member })).toEqual(before);
    expect(await network.as(member, "POST /fc/channel-bans", { channelId, banFid: stranger })).toEqual(
      success,
    );
  });

  it.each([
    ["member", follower],
    ["moderator", member],
  ] as const)("row 6: outstanding → declined, and the %s invite is gone", async (role, fid) => {
    const channelId = await network.channel();
    await invite(owner, channelId, fid, role);
    expect(await answer(fid, channelId, role, false)).toEqual(success);
    expect(await network.state(channelId)).toEqual(fresh);
  });

  it.each([
    ["accepted", true],
    ["declined", false],
  ])("row 7: once %s, the answer cannot be changed", async (_, accept) => {
    const channelId = await network.channel();
    await invite(moderator, channelId, follower, "member");
    await answer(follower, channelId, "member", accept);
    const before = await network.state(channelId);
    expect(await answer(follower, channelId, "member", !accept)).toEqual(
      refused(409, "invite_already_answered"),
    );
    expect(await answer(follower, channelId, "member", accept)).toEqual(success);
    expect(await network.state(channelId)).toEqual(before);
  });

  it("row 7: after declining, a new invite can be accepted", async () => {
    const channelId = await network.channel();
    await invite(moderator, channelId, follower, "member");
    await answer(follower, channelId, "member", false);
    expect(await invite(moderator, channelId, follower, "member")).toEqual(success);
    expect(await answer(follower, channelId, "member", true)).toEqual(success);
    expect((await network.state(channelId)).members).toEqual([1, 2, 3, 4]);
  });

  it("row 7: an accepted invite is none any more once the role is taken back", async () => {
    const channelId = await channelWithRestricted(follower);
    expect(await answer(follower, channelId, "member", true)).toEqual(refused(403, "no_active_invite"));
  });

  it.each([
    ["member", follower, owner],
    ["member", follower, moderator],
    ["moderator", member, owner],
  ] as const)("row 8: outstanding → revoked (%s invite of %i, by %i)", async (role, fid, caller) => {
    const channelId = await network.channel();
    await invite(owner, channelId, fid, role);
    expect(await remove(caller, channelId, fid, role)).toEqual(success);
    expect(await network.state(channelId)).toEqual(fresh);
    expect(await answer(fid, channelId, role, true)).toEqual(refused(403, "no_active_invite"));
  });

  it("row 8: the user whose invite was revoked may still join by link", async () => {
    const channelId = await network.channel();
    await invite(owner, channelId, follower, "member");
    await remove(owner, channelId, follower, "member");
    expect(await join(follower, channelId)).toEqual(success);
    expect((await network.state(channelId)).members).toEqual([1, 2, 3, 4]);
  });

  it.each([
    ["member", stranger],
    ["moderator", stranger],
    ["moderator", member],
    ["moderator", owner],
  ] as const)("row 9: no %s role and no invite of %i: success, unchanged", async (role, fid) => {
    const channelId = await network.channel();
    expect(await remove(owner, channelId, fid, role)).toEqual(success);
    expect(await network.state(channelId)).toEqual(fresh);
  });
});
