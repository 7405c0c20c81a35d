import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { seconds } from "../../../src/clock.ts";
import type { Role } from "../../../src/contract/values.ts";
import { viewChannel } from "../../support/seed.ts";
import { createTestNetwork, type TestNetwork } from "../../support/world.ts";

const [owner, moderator, member, follower, stranger, bot] = [1, 2, 3, 4, 5, 9001];
const founders = {
  members: [owner, moderator, member],
  moderators: [moderator],
  invites: [],
  restricted: [],
  banned: [],
  memberCount: 3,
};
const success = { success: true };
let network: TestNetwork;
let channelId: string;
let channels = 0;

beforeAll(async () => {
  network = await createTestNetwork();
  await network.seed.bot(bot);
});
afterAll(() => network.context.database.close());
beforeEach(async () => {
  channelId = `memes-${++channels}`;
  await network.seed.channel(channelId, { owner, moderators: [moderator], members: [member] });
  await network.seed.follow(follower, channelId);
});

function invite(caller: number, inviteFid: number, role: Role) {
  return network.as(caller).channelInvites.invite({ channelId, inviteFid, role });
}

function answer(caller: number, role: Role, accept: boolean) {
  return network.as(caller).channelInvites.answer({ channelId, role, accept });
}

function remove(caller: number, removeFid: number, role: Role) {
  return network.as(caller).channelInvites.remove({ channelId, removeFid, role });
}

function view() {
  return viewChannel(network.public, channelId);
}

async function listInvites() {
  return (await network.public.channelInvites.list({ channelId })).result.invites;
}

describe("an invite as a member", () => {
  it.each([owner, moderator])("by the owner or a moderator (%i) of a follower is listed", async (caller) => {
    expect(await invite(caller, follower, "member")).toEqual(success);
    expect(await listInvites()).toEqual([
      {
        channelId,
        invitedFid: follower,
        invitedAt: seconds(network.context.clock),
        inviterFid: caller,
        role: "member",
      },
    ]);
    expect((await view()).members).toEqual(founders.members);
  });

  it("takes one who follows the caller, not one who follows somebody else", async () => {
    const [fan, other] = [100 + channels, 200 + channels];
    await network.seed.userFollow(fan, moderator);
    await expect(invite(owner, fan, "member")).rejects.toMatchObject({ code: "invitee_not_following" });
    expect(await invite(moderator, fan, "member")).toEqual(success);
    await network.seed.userFollow(moderator, other);
    await expect(invite(moderator, other, "member")).rejects.toMatchObject({ code: "invitee_not_following" });
  });

  it("by a member or a stranger is not permitted", async () => {
    await expect(invite(member, follower, "member")).rejects.toMatchObject({ code: "not_permitted" });
    await expect(invite(stranger, follower, "member")).rejects.toMatchObject({ code: "not_permitted" });
    expect(await view()).toEqual(founders);
  });

  it("repeated, by whomever, changes neither time nor inviter", async () => {
    await invite(owner, follower, "member");
    const before = await listInvites();
    network.context.clock.advance(60);
    expect(await invite(moderator, follower, "member")).toEqual(success);
    expect(await listInvites()).toEqual(before);
  });

  it("of one who holds the role, or a higher one, succeeds and changes nothing", async () => {
    for (const fid of [member, moderator, owner]) {
      expect(await invite(moderator, fid, "member")).toEqual(success);
    }
    expect(await view()).toEqual(founders);
  });

  it("lifts the restriction of a removed member before he answers", async () => {
    await remove(owner, member, "member");
    expect((await view()).restricted).toEqual([member]);
    await network.seed.follow(member, channelId);
    await invite(moderator, member, "member");
    expect(await view()).toMatchObject({ restricted: [], invites: [`${member} member`] });
    await answer(member, "member", false);
    expect((await view()).restricted).toEqual([]);
  });

  it("of the banned is refused", async () => {
    await network.as(owner).channelBans.ban({ channelId, banFid: follower });
    await expect(invite(owner, follower, "member")).rejects.toMatchObject({ code: "banned_from_channel" });
  });
});

describe("an invite as a moderator", () => {
  it("by the owner of a member is listed and, accepted, makes him a moderator since he was a member", async () => {
    await invite(owner, member, "moderator");
    expect(await view()).toEqual({ ...founders, invites: [`${member} moderator`] });
    network.context.clock.advance(60);
    await answer(member, "moderator", true);
    expect(await view()).toEqual({ ...founders, moderators: [moderator, member] });
    const { result } = await network.public.channelMembers.list({ channelId, fid: member });
    expect(result.members).toEqual([{ fid: member, memberAt: 1_600_000_000 }]);
  });

  it("by a moderator takes the owner", async () => {
    await expect(invite(moderator, member, "moderator")).rejects.toMatchObject({ code: "not_owner" });
    await expect(invite(stranger, member, "moderator")).rejects.toMatchObject({ code: "not_permitted" });
  });

  it("of one who is no member is refused", async () => {
    await expect(invite(owner, follower, "moderator")).rejects.toMatchObject({ code: "invitee_not_member" });
  });

  it("declined leaves a member", async () => {
    await invite(owner, member, "moderator");
    await answer(member, "moderator", false);
    expect(await view()).toEqual(founders);
  });
});

describe("an allowlisted bot", () => {
  it("is a moderator at once, and nothing once that ends", async () => {
    expect(await invite(owner, bot, "moderator")).toEqual(success);
    expect(await view()).toMatchObject({ moderators: [moderator, bot], invites: [], memberCount: 4 });
    expect(await invite(owner, bot, "moderator")).toEqual(success);
    await remove(owner, bot, "moderator");
    expect(await view()).toEqual(founders);
  });

  it("loses its outstanding member invite", async () => {
    await network.seed.follow(bot, channelId);
    await invite(owner, bot, "member");
    await invite(owner, bot, "moderator");
    expect(await view()).toMatchObject({ moderators: [moderator, bot], invites: [], memberCount: 4 });
    await expect(answer(bot, "member", true)).rejects.toMatchObject({ code: "no_active_invite" });
  });

  it("that was a member is one again when the role ends", async () => {
    await network.seed.follow(bot, channelId);
    await invite(owner, bot, "member");
    await answer(bot, "member", true);
    await invite(owner, bot, "moderator");
    await remove(owner, bot, "moderator");
    expect(await view()).toEqual({ ...founders, members: [...founders.members, bot], memberCount: 4 });
  });

  it("is nobody's to add but the owner's", async () => {
    await expect(invite(moderator, bot, "moderator")).rejects.toMatchObject({ code: "not_owner" });
  });
});

describe("an answer", () => {
  it("that accepts makes a member from now on", async () => {
    await invite(owner, follower, "member");
    network.context.clock.advance(60);
    expect(await answer(follower, "member", true)).toEqual(success);
    expect(await view()).toEqual({ ...founders, members: [...founders.members, follower], memberCount: 4 });
    const { result } = await network.public.channelMembers.list({ channelId });
    expect(result.members[0]).toEqual({ fid: follower, memberAt: seconds(network.context.clock) });
  });

  it("that declines leaves nothing", async () => {
    await invite(owner, follower, "member");
    expect(await answer(follower, "member", false)).toEqual(success);
    expect(await view()).toEqual(founders);
  });

  it.each([true, false])("(accept %s) may be repeated and not be changed", async (accept) => {
    await invite(owner, follower, "member");
    await answer(follower, "member", accept);
    const before = await view();
    expect(await answer(follower, "member", accept)).toEqual(success);
    await expect(answer(follower, "member", !accept)).rejects.toMatchObject({
      code: "invite_already_answered",
    });
    expect(await view()).toEqual(before);
  });

  it("stands until the next invite, which may be answered anew", async () => {
    await invite(owner, follower, "member");
    await answer(follower, "member", false);
    await invite(moderator, follower, "member");
    await answer(follower, "member", true);
    expect((await view()).members).toContain(follower);
  });

  it("no longer stands once what was accepted is taken back", async () => {
    await invite(owner, follower, "member");
    await answer(follower, "member", true);
    await remove(owner, follower, "member");
    await expect(answer(follower, "member", true)).rejects.toMatchObject({ code: "no_active_invite" });
  });

  it("takes an invite of one's own to that very role", async () => {
    await invite(owner, follower, "member");
    await expect(answer(stranger, "member", true)).rejects.toMatchObject({ code: "no_active_invite" });
    await expect(answer(follower, "moderator", true)).rejects.toMatchObject({ code: "no_active_invite" });
    await remove(owner, follower, "member");
    await expect(answer(follower, "member", true)).rejects.toMatchObject({ code: "no_active_invite" });
  });
});

describe("a removal", () => {
  it.each([owner, moderator])("by the owner or a moderator (%i) restricts a member", async (caller) => {
    expect(await remove(caller, member, "member")).toEqual(success);
    expect(await view()).toEqual({
      ...founders,
      members: [owner, moderator],
      restricted: [member],
      memberCount: 2,
    });
    const { result } = await network.public.channelRestrictedUsers.list({ channelId });
    expect(result.restrictedUsers[0]?.restrictedAt).toBe(seconds(network.context.clock));
  });

  it("of an outstanding invite restricts nobody", async () => {
    await invite(owner, follower, "member");
    expect(await remove(moderator, follower, "member")).toEqual(success);
    expect(await view()).toEqual(founders);
  });

  it("of a member ends his moderator invite too", async () => {
    await invite(owner, member, "moderator");
    await remove(moderator, member, "member");
    expect(await view()).toMatchObject({ invites: [], restricted: [member], members: [owner, moderator] });
    await expect(answer(member, "moderator", true)).rejects.toMatchObject({ code: "no_active_invite" });
  });

  it("of one with neither invite nor role succeeds", async () => {
    expect(await remove(moderator, stranger, "member")).toEqual(success);
    expect(await remove(owner, stranger, "moderator")).toEqual(success);
    expect(await remove(owner, member, "moderator")).toEqual(success);
    expect(await remove(owner, owner, "moderator")).toEqual(success);
    expect(await view()).toEqual(founders);
  });

  it("as a member leaves a moderator as he is and is refused for the owner", async () => {
    expect(await remove(owner, moderator, "member")).toEqual(success);
    await expect(remove(moderator, owner, "member")).rejects.toMatchObject({ code: "cannot_remove_owner" });
    expect(await view()).toEqual(founders);
  });

  it("as a moderator makes a member again of one who was one, and restricts nobody", async () => {
    await invite(owner, member, "moderator");
    await answer(member, "moderator", true);
    expect(await remove(owner, member, "moderator")).toEqual(success);
    expect(await view()).toEqual(founders);
    await expect(answer(member, "moderator", true)).rejects.toMatchObject({ code: "no_active_invite" });
  });

  it("as a moderator ends the membership of one who never was a member", async () => {
    await remove(owner, moderator, "moderator");
    expect(await view()).toEqual({
      ...founders,
      members: [owner, member],
      moderators: [],
      memberCount: 2,
    });
  });

  it("as a moderator revokes the outstanding invite", async () => {
    await invite(owner, member, "moderator");
    await remove(owner, member, "moderator");
    expect(await view()).toEqual(founders);
  });

  it("is the owner's for moderators, and nobody's for oneself", async () => {
    await expect(remove(moderator, moderator, "moderator")).rejects.toMatchObject({ code: "not_owner" });
    await expect(remove(member, member, "member")).rejects.toMatchObject({ code: "not_permitted" });
    await expect(remove(stranger, member, "member")).rejects.toMatchObject({ code: "not_permitted" });
  });

  it("never ends a follow", async () => {
    await network.seed.follow(member, channelId);
    await remove(owner, member, "member");
    const { following } = await network.public.channelFollows.status({ fid: member, channelId });
    expect(following).toBe(true);
  });
});
