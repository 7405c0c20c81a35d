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

const { owner, moderator, member, follower, stranger, bot } = people;

const network = await useInterfaceNetwork();
await network.import({ botAllowlist: [bot] });

const { invite, remove, answer, ban, unban, join } = membershipCalls(network);

async function channelWithRestricted() {
  const channelId = await network.channel({ followers: [member] });
  await remove(moderator, channelId, member, "member");
  return channelId;
}

describe("Channel role and restriction", () => {
  it.each([
    ["the owner", owner],
    ["a moderator", moderator],
  ])("row 1: member → not a member and restricted, removed by %s", async (_, caller) => {
    const channelId = await network.channel();
    expect(await remove(caller, channelId, member, "member")).toEqual(success);
    expect(await network.state(channelId)).toEqual({ ...fresh, members: [1, 2], restricted: [member] });
    expect(await network.list("GET /fc/channel-restricted-users", { channelId })).toEqual([
      { fid: member, channelId, restrictedAt: network.justNow() },
    ]);
  });

  it("row 1: the restricted cannot become a member by link, only by a moderator's invite", async () => {
    const channelId = await channelWithRestricted();
    expect(await join(member, channelId)).toEqual(refused(403));
    expect(await network.state(channelId)).toEqual({ ...fresh, members: [1, 2], restricted: [member] });
    await invite(moderator, channelId, member, "member");
    expect(await answer(member, channelId, "member", true)).toEqual(success);
    expect(await network.state(channelId)).toEqual(fresh);
  });

  it("row 1: a member cannot remove himself", async () => {
    const channelId = await network.channel();
    expect(await remove(member, channelId, member, "member")).toEqual(refused(403, "not_permitted"));
    expect(await network.state(channelId)).toEqual(fresh);
  });

  it("row 2: moderator → the member that he was before, not restricted", async () => {
    const channelId = await network.channel();
    await invite(owner, channelId, member, "moderator");
    await answer(member, channelId, "moderator", true);
    expect(await remove(owner, channelId, member, "moderator")).toEqual(success);
    expect(await network.state(channelId)).toEqual(fresh);
    expect(await network.as(member, "POST /fc/channel-bans", { channelId, banFid: stranger })).toEqual(
      refused(403, "not_permitted"),
    );
    expect(await answer(member, channelId, "moderator", true)).toEqual(refused(403, "no_active_invite"));
  });

  it("row 2: a bot that was a member before is one again", async () => {
    const channelId = await network.channel({ followers: [bot] });
    await invite(owner, channelId, bot, "member");
    await answer(bot, channelId, "member", true);
    await invite(owner, channelId, bot, "moderator");
    expect((await network.state(channelId)).moderators).toEqual([2, bot]);
    expect(await remove(owner, channelId, bot, "moderator")).toEqual(success);
    expect(await network.state(channelId)).toEqual({ ...fresh, members: [1, 2, 3, bot] });
  });

  it("row 2: moderator → nothing where he was no member before, not restricted", async () => {
    const channelId = await network.channel();
    await invite(owner, channelId, bot, "moderator");
    expect(await remove(owner, channelId, bot, "moderator")).toEqual(success);
    expect(await network.state(channelId)).toEqual(fresh);
    expect(await remove(owner, channelId, moderator, "moderator")).toEqual(success);
    expect(await network.state(channelId)).toEqual({ ...fresh, members: [1, 3], moderators: [] });
  });

  it("row 2: the moderator himself may not resign", async () => {
    const channelId = await network.channel();
    expect(await remove(moderator, channelId, moderator, "moderator")).toEqual(refused(403, "not_owner"));
    expect(await network.state(channelId)).toEqual(fresh);
  });

  it("row 3: restricted → not restricted once invited, and so he stays when he declines", async () => {
    const channelId = await channelWithRestricted();
    expect(await invite(moderator, channelId, member, "member")).toEqual(success);
    expect(await network.list("GET /fc/channel-restricted-users", { channelId })).toEqual([]);
    await answer(member, channelId, "member", false);
    expect(await network.state(channelId)).toEqual({ ...fresh, members: [1, 2] });
    expect(await join(member, channelId)).toEqual(success);
  });

  it("row 3: restricted → not restricted, and so he stays when the invite is revoked", async () => {
    const channelId = await channelWithRestricted();
    await invite(moderator, channelId, member, "member");
    expect(await remove(moderator, channelId, member, "member")).toEqual(success);
    expect(await network.state(channelId)).toEqual({ ...fresh, members: [1, 2] });
  });

  it("row 4: restricted → banned, and the entry leaves the restricted listing", async () => {
    const channelId = await channelWithRestricted();
    expect(await ban(moderator, channelId, member)).toEqual(success);
    expect(await network.state(channelId)).toEqual({ ...fresh, members: [1, 2], banned: [member] });
  });

  it.each([
    ["POST", "restrictFid"],
    ["DELETE", "unrestrictFid"],
    ["PUT", "fid"],
    ["PATCH", "fid"],
  ])("row 5: %s /fc/channel-restricted-users is no operation", async (method, field) => {
    const channelId = await channelWithRestricted();
    const request = `${method} /fc/channel-restricted-users`;
    expect(await network.as(owner, request, { channelId, [field]: member })).toEqual(
      refused(404, "not_found"),
    );
    expect((await network.state(channelId)).restricted).toEqual([member]);
  });

  it("row 5: removing a restricted user again, or lifting a ban that is none, leaves him restricted", async () => {
    const channelId = await channelWithRestricted();
    const before = await network.list("GET /fc/channel-restricted-users", { channelId });
    await network.pass(1);
    expect(await remove(owner, channelId, member, "member")).toEqual(success);
    expect(await unban(owner, channelId, member)).toEqual(success);
    expect(await network.list("GET /fc/channel-restricted-users", { channelId })).toEqual(before);
  });

  it("replies of restricted users stay visible, below the fold", async () => {
    const channelId = await network.channel({ followers: [member] });
    const root = await network.cast({ fid: owner, channelId });
    const reply = await network.cast({ fid: member, parentHash: root });
    expect(await network.castState(reply)).toMatchObject({ belowFold: false, hiddenByBan: false });
    await remove(owner, channelId, member, "member");
    const restricted = { belowFold: true, hiddenByBan: false, hiddenByModeration: false, channelId };
    expect(await network.castState(reply)).toMatchObject(restricted);
    await invite(owner, channelId, member, "member");
    expect(await network.castState(reply)).toMatchObject({ ...restricted, belowFold: false });
  });

  it("replies in other channels, and casts that are no replies, are above the fold", async () => {
    const channelId = await channelWithRestricted();
    const elsewhere = await network.cast({ fid: owner, channelId: await network.channel() });
    const there = await network.cast({ fid: member, parentHash: elsewhere });
    const here = await network.cast({ fid: member, channelId });
    for (const hash of [there, here]) {
      expect(await network.castState(hash)).toMatchObject({ belowFold: false });
    }
  });
});

describe("roles", () => {
  it("members and memberCount include owner and moderators, moderatorFids leaves the owner out", async () => {
    const channelId = await network.channel();
    expect(await network.call("GET /v1/channel", { channelId })).toMatchObject({
      body: { result: { channel: { memberCount: 3, leadFid: owner, moderatorFids: [moderator] } } },
    });
    expect((await network.state(channelId)).members).toEqual([owner, moderator, member]);
  });

  it("founders are members since the channel was created", async () => {
    const channelId = await network.channel();
    const members = await network.list("GET /fc/channel-members", { channelId });
    expect(members.map(({ memberAt }) => memberAt)).toEqual([founded, founded, founded]);
  });

  it("memberCount follows joins, removals and bans", async () => {
    const channelId = await network.channel();
    const count = async () => {
      const { body } = await network.call("GET /v1/channel", { channelId });
      return body;
    };
    const counting = (memberCount: number) => ({ result: { channel: { memberCount } } });
    await join(follower, channelId);
    expect(await count()).toMatchObject(counting(4));
    await remove(owner, channelId, follower, "member");
    expect(await count()).toMatchObject(counting(3));
    await invite(owner, channelId, bot, "moderator");
    expect(await count()).toMatchObject(counting(4));
    await ban(owner, channelId, moderator);
    await ban(owner, channelId, bot);
    expect(await count()).toMatchObject(counting(2));
    await ban(owner, channelId, member);
    expect(await count()).toMatchObject(counting(1));
  });

  it("a removal does not end the follow", async () => {
    const channelId = await channelWithRestricted();
    expect(await network.list("GET /v1/channel-followers", { channelId })).toEqual([
      { fid: member, followedAt: founded },
    ]);
  });
});

describe("join by link", () => {
  it("makes a member at once, again without effect", async () => {
    const channelId = await network.channel();
    expect(await join(stranger, channelId)).toEqual(success);
    const joined = await network.list("GET /fc/channel-members", { channelId, fid: stranger });
    expect(joined).toEqual([{ fid: stranger, memberAt: network.justNow() }]);
    await network.pass(1);
    expect(await join(stranger, channelId)).toEqual(success);
    expect(await network.list("GET /fc/channel-members", { channelId, fid: stranger })).toEqual(joined);
    expect(await join(moderator, channelId)).toEqual(success);
    expect(await network.state(channelId)).toEqual({ ...fresh, members: [1, 2, 3, stranger] });
  });

  it("ends an outstanding invite, which can no longer be answered", async () => {
    const channelId = await network.channel();
    await invite(owner, channelId, follower, "member");
    expect(await join(follower, channelId)).toEqual(success);
    expect(await network.state(channelId)).toEqual({ ...fresh, members: [1, 2, 3, follower] });
    expect(await answer(follower, channelId, "member", false)).toEqual(refused(403, "no_active_invite"));
  });

  it("is refused to the banned, and to the unbanned, who are restricted", async () => {
    const channelId = await network.channel();
    await ban(owner, channelId, follower);
    expect(await join(follower, channelId)).toEqual(refused(403));
    expect(await network.state(channelId)).toEqual({ ...fresh, banned: [follower] });
    await unban(owner, channelId, follower);
    expect(await join(follower, channelId)).toEqual(refused(403));
    expect(await network.state(channelId)).toEqual({ ...fresh, restricted: [follower] });
  });

  it("needs an account and a channel", async () => {
    const [nobody = 0] = network.unused(1);
    expect(await join(nobody, await network.channel())).toEqual(refused(404, "not_found"));
    expect(await join(stranger, "nowhere")).toEqual(refused(404, "not_found"));
  });
});
