import { describe, expect, it } from "vitest";
import {
  fresh,
  membershipCalls,
  people,
  range,
  refused,
  success,
  type Answer,
  useInterfaceNetwork,
} from "../support/interface-network.ts";
import { titled } from "../support/test-cases.ts";

const { owner, moderator, member, follower, stranger, bot } = people;

const network = await useInterfaceNetwork();
await network.import({ botAllowlist: [bot] });

const { invite, remove, answer, ban, unban, join } = membershipCalls(network);

interface Refusal {
  it: string;
  does: (channelId: string) => Promise<Answer>;
  reason: string;
}

const refusals: Refusal[] = [
  ...["member", "stranger"].flatMap((caller): Refusal[] => [
    {
      it: `Rule 1: a ${caller} cannot invite a member`,
      does: (id) => invite(caller === "member" ? member : stranger, id, follower, "member"),
      reason: "not_permitted",
    },
    {
      it: `Rule 2: a ${caller} cannot remove a member`,
      does: (id) => remove(caller === "member" ? member : stranger, id, member, "member"),
      reason: "not_permitted",
    },
  ]),
  {
    it: "Rule 1: a user who follows neither the channel nor the caller cannot be invited as member",
    does: (id) => invite(owner, id, stranger, "member"),
    reason: "invitee_not_following",
  },
  {
    it: "Rule 1: a follower who is no member cannot be invited as moderator",
    does: (id) => invite(owner, id, follower, "moderator"),
    reason: "invitee_not_member",
  },
  {
    it: "Rule 1: a moderator cannot invite a moderator",
    does: (id) => invite(moderator, id, member, "moderator"),
    reason: "not_owner",
  },
  {
    it: "Rule 1: a stranger cannot invite a moderator",
    does: (id) => invite(stranger, id, member, "moderator"),
    reason: "not_permitted",
  },
  {
    it: "Rule 1: permission comes before the held role",
    does: (id) => invite(moderator, id, moderator, "moderator"),
    reason: "not_owner",
  },
  {
    it: "Rule 2: a moderator cannot remove a moderator",
    does: (id) => remove(moderator, id, moderator, "moderator"),
    reason: "not_owner",
  },
  {
    it: "Rule 2: the owner cannot be removed as member",
    does: (id) => remove(owner, id, owner, "member"),
    reason: "cannot_remove_owner",
  },
  {
    it: "Rule 3: who has no invite has nothing to accept",
    does: (id) => answer(follower, id, "member", true),
    reason: "no_active_invite",
  },
  {
    it: "Rule 3: who has no invite has nothing to decline",
    does: (id) => answer(follower, id, "member", false),
    reason: "no_active_invite",
  },
  {
    it: "Rule 3: the owner has no invite to his own channel",
    does: (id) => answer(owner, id, "moderator", true),
    reason: "no_active_invite",
  },
];

describe("Rules of membership, refused", () => {
  it.each(titled(refusals, ({ it }) => it))("%s", async (_, { does, reason }) => {
    const channelId = await network.channel();
    expect(await does(channelId)).toEqual(refused(403, reason));
    expect(await network.state(channelId)).toEqual(fresh);
  });

  it("Rule 3: a member invite is not an invite as moderator, nor another's invite", async () => {
    const channelId = await network.channel();
    await invite(owner, channelId, follower, "member");
    expect(await answer(follower, channelId, "moderator", true)).toEqual(refused(403, "no_active_invite"));
    expect(await answer(stranger, channelId, "member", true)).toEqual(refused(403, "no_active_invite"));
    expect((await network.state(channelId)).invites).toEqual(["4 member"]);
  });

  it("POST invite: the banned cannot be invited, whatever else holds", async () => {
    const channelId = await network.channel();
    await ban(owner, channelId, follower);
    expect(await invite(owner, channelId, follower, "member")).toEqual(refused(403, "banned_from_channel"));
    expect(await network.state(channelId)).toEqual({ ...fresh, banned: [follower] });
  });

  it("PATCH invite: acceptance checks again that the invited moderator is still a member", async () => {
    const channelId = await network.channel();
    await invite(owner, channelId, member, "moderator");
    await remove(owner, channelId, member, "member");
    expect(await answer(member, channelId, "moderator", true)).toEqual(refused(403));
    expect(await network.state(channelId)).toEqual({ ...fresh, members: [1, 2], restricted: [member] });
  });

  it("PATCH invite: a ban ends the invite, so that there is nothing to accept, even after the unban", async () => {
    const channelId = await network.channel();
    await invite(owner, channelId, follower, "member");
    await ban(owner, channelId, follower);
    expect(await answer(follower, channelId, "member", true)).toEqual(refused(403));
    await unban(owner, channelId, follower);
    expect(await answer(follower, channelId, "member", true)).toEqual(refused(403, "no_active_invite"));
    expect(await network.state(channelId)).toEqual({ ...fresh, restricted: [follower] });
  });

  it("PATCH invite: a revoked invite is none, though an older one had been answered", async () => {
    const channelId = await network.channel();
    await invite(owner, channelId, follower, "member");
    await answer(follower, channelId, "member", false);
    await invite(owner, channelId, follower, "member");
    await remove(owner, channelId, follower, "member");
    expect(await answer(follower, channelId, "member", true)).toEqual(refused(403, "no_active_invite"));
  });
});

describe("DELETE invite", () => {
  it("role member of a moderator: success, unchanged", async () => {
    const channelId = await network.channel();
    expect(await remove(owner, channelId, moderator, "member")).toEqual(success);
    expect(await network.state(channelId)).toEqual(fresh);
  });

  it("role member where only a bot's moderator role stands: success, unchanged", async () => {
    const channelId = await network.channel();
    await invite(owner, channelId, bot, "moderator");
    expect(await remove(owner, channelId, bot, "member")).toEqual(success);
    expect((await network.state(channelId)).moderators).toEqual([2, bot]);
  });

  it("role member of a member with a moderator invite: that invite ends too", async () => {
    const channelId = await network.channel();
    await invite(owner, channelId, member, "moderator");
    expect(await remove(moderator, channelId, member, "member")).toEqual(success);
    expect(await network.state(channelId)).toEqual({ ...fresh, members: [1, 2], restricted: [member] });
  });

  it("role moderator of a member with a moderator invite: only the invite ends", async () => {
    const channelId = await network.channel();
    await invite(owner, channelId, member, "moderator");
    expect(await remove(owner, channelId, member, "moderator")).toEqual(success);
    expect(await network.state(channelId)).toEqual(fresh);
  });
});

describe("Limit of ten moderators", () => {
  const crowd = range(10, 18);

  it("active moderators and outstanding invites together reach ten, the eleventh is an error", async () => {
    const channelId = await network.channel({ moderatorFids: crowd.slice(0, 8), memberFids: [20, 21, 22] });
    expect(await invite(owner, channelId, 20, "moderator")).toEqual(success);
    expect(await invite(owner, channelId, 21, "moderator")).toEqual(success);
    expect(await invite(owner, channelId, 22, "moderator")).toEqual(refused(409, "too_many_moderators"));
    expect((await network.state(channelId)).invites).toEqual(["20 moderator", "21 moderator"]);
    await answer(20, channelId, "moderator", true);
    expect(await invite(owner, channelId, 22, "moderator")).toEqual(refused(409, "too_many_moderators"));
  });

  it("repeated invites and held roles are no error at ten", async () => {
    const channelId = await network.channel({ moderatorFids: crowd, memberFids: [20] });
    await invite(owner, channelId, 20, "moderator");
    expect(await invite(owner, channelId, 20, "moderator")).toEqual(success);
    expect(await invite(owner, channelId, 10, "moderator")).toEqual(success);
    expect(await answer(20, channelId, "moderator", true)).toEqual(success);
  });

  it("an allowlisted bot counts, as moderator and as the eleventh", async () => {
    const channelId = await network.channel({ moderatorFids: crowd, memberFids: [20] });
    expect(await invite(owner, channelId, bot, "moderator")).toEqual(success);
    expect(await invite(owner, channelId, 20, "moderator")).toEqual(refused(409, "too_many_moderators"));
    const full = await network.channel({ moderatorFids: [...crowd, 19] });
    expect(await invite(owner, full, bot, "moderator")).toEqual(refused(409, "too_many_moderators"));
  });

  it.each([
    ["a decline", (id: string) => answer(20, id, "moderator", false)],
    ["a revocation", (id: string) => remove(owner, id, 20, "moderator")],
    ["the removal of a moderator", (id: string) => remove(owner, id, 10, "moderator")],
    ["the ban of a moderator", (id: string) => ban(owner, id, 10)],
    ["the ban of one who is invited", (id: string) => ban(owner, id, 20)],
  ])("%s makes room again", async (_, makeRoom) => {
    const channelId = await network.channel({ moderatorFids: crowd, memberFids: [20, 21] });
    await invite(owner, channelId, 20, "moderator");
    expect(await invite(owner, channelId, 21, "moderator")).toEqual(refused(409, "too_many_moderators"));
    await makeRoom(channelId);
    expect(await invite(owner, channelId, 21, "moderator")).toEqual(success);
  });

  it("member invites are not counted", async () => {
    const channelId = await network.channel({ moderatorFids: crowd, memberFids: [20] });
    await invite(owner, channelId, follower, "member");
    expect(await invite(owner, channelId, 20, "moderator")).toEqual(success);
  });

  it("ten hold when eleven invites arrive at once", async () => {
    const many = range(10, 20);
    const channelId = await network.channel({ moderatorFids: [], memberFids: many });
    const answers = await Promise.all(many.map((fid) => invite(owner, channelId, fid, "moderator")));
    const refusals = answers.filter(({ status }) => status !== 200);
    expect(refusals).toEqual([refused(409, "too_many_moderators")]);
    expect((await network.state(channelId)).invites).toHaveLength(10);
  });
});

describe("follows", () => {
  it("a role neither requires a follow nor creates one", async () => {
    const channelId = await network.channel();
    await invite(owner, channelId, follower, "member");
    await network.as(follower, "DELETE /fc/channel-follows", { channelId });
    expect(await answer(follower, channelId, "member", true)).toEqual(success);
    expect(await join(stranger, channelId)).toEqual(success);
    expect(await network.list("GET /v1/channel-followers", { channelId })).toEqual([]);
  });
});
