import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { seconds } from "../../../src/clock.ts";
import { createTestNetwork, type TestNetwork } from "../../support/world.ts";

const [owner, moderator, member, stranger, other] = [1, 2, 3, 4, 5];
let network: TestNetwork;
let channelId: string;
let channels = 0;

beforeAll(async () => {
  network = await createTestNetwork();
});
afterAll(() => network.context.database.close());
beforeEach(async () => {
  channelId = `memes-${++channels}`;
  await network.seed.channel(channelId, { owner, moderators: [moderator, 6], members: [member] });
});

function ban(caller: number, banFid: number) {
  return network.as(caller).channelBans.ban({ channelId, banFid });
}

function unban(caller: number, unbanFid: number) {
  return network.as(caller).channelBans.unban({ channelId, unbanFid });
}

async function listBans() {
  return (await network.public.channelBans.list({ channelId })).result.bannedUsers;
}

async function listRestricted() {
  return (await network.public.channelRestrictedUsers.list({ channelId })).result.restrictedUsers;
}

async function listMembers() {
  const { result } = await network.public.channelMembers.list({ channelId });
  return result.members.map((found) => found.fid).toSorted((a, b) => a - b);
}

async function hiddenByBan(hash: string) {
  const cast = await network.context.database.query
    .selectFrom("network.casts")
    .select(["hidden_by_ban", "hidden_by_moderation"])
    .where("hash", "=", hash)
    .executeTakeFirstOrThrow();
  return cast.hidden_by_ban;
}

describe("ban", () => {
  it.each([owner, moderator])("by the owner or a moderator (%i) lists the user as banned", async (caller) => {
    expect(await ban(caller, stranger)).toEqual({ success: true });
    expect(await listBans()).toEqual([
      { fid: stranger, channelId, bannedAt: seconds(network.context.clock) },
    ]);
  });

  it.each([member, stranger])("by anybody else (%i) is not permitted", async (caller) => {
    await expect(ban(caller, other)).rejects.toMatchObject({ code: "not_permitted" });
    expect(await listBans()).toEqual([]);
  });

  it("ends a member's role and counts him out", async () => {
    await ban(moderator, member);
    expect(await listMembers()).toEqual([1, 2, 6]);
    expect((await network.public.channels.get({ channelId })).channel.memberCount).toBe(3);
  });

  it("ends an outstanding invite", async () => {
    await network.seed.follow(stranger, channelId);
    await network.as(owner).channelInvites.invite({ channelId, inviteFid: stranger, role: "member" });
    await ban(owner, stranger);
    expect((await network.public.channelInvites.list({ channelId })).result.invites).toEqual([]);
    await expect(
      network.as(stranger).channelInvites.answer({ channelId, role: "member", accept: true }),
    ).rejects.toMatchObject({ code: "no_active_invite" });
  });

  it("ends the outstanding moderator invite of a member together with his role", async () => {
    await network.as(owner).channelInvites.invite({ channelId, inviteFid: member, role: "moderator" });
    await ban(moderator, member);
    expect((await network.public.channelInvites.list({ channelId })).result.invites).toEqual([]);
    expect(await listMembers()).toEqual([1, 2, 6]);
  });

  it("of a moderator is the owner's alone", async () => {
    await expect(ban(moderator, 6)).rejects.toMatchObject({ code: "cannot_ban_moderator" });
    await ban(owner, 6);
    const { channel } = await network.public.channels.get({ channelId });
    expect(channel).toMatchObject({ moderatorFids: [moderator], memberCount: 3 });
  });

  it("of the owner is refused, as is a ban of oneself", async () => {
    await expect(ban(moderator, owner)).rejects.toMatchObject({ code: "cannot_ban_owner" });
    await expect(ban(owner, owner)).rejects.toMatchObject({ code: "cannot_ban_owner" });
    await expect(ban(moderator, moderator)).rejects.toMatchObject({ code: "cannot_ban_moderator" });
  });

  it("of the banned succeeds and keeps the time of the first", async () => {
    await ban(owner, stranger);
    network.context.clock.advance(60);
    const before = await listBans();
    expect(await ban(moderator, stranger)).toEqual({ success: true });
    expect(await listBans()).toEqual(before);
  });

  it("takes a restricted user off the restricted listing", async () => {
    await network.as(owner).channelInvites.remove({ channelId, removeFid: member, role: "member" });
    expect(await listRestricted()).toMatchObject([{ fid: member }]);
    await ban(moderator, member);
    expect(await listRestricted()).toEqual([]);
  });

  it("leaves follows as they are, and the banned may follow", async () => {
    await network.seed.follow(member, channelId);
    await ban(owner, member);
    await ban(owner, stranger);
    await network.as(stranger).channelFollows.follow({ channelId });
    const { result } = await network.public.channels.followers({ channelId });
    expect(result.users.map((user) => user.fid)).toEqual([stranger, member]);
  });

  it("in an unknown channel is not found", async () => {
    await expect(
      network.as(owner).channelBans.ban({ channelId: "nowhere", banFid: 9 }),
    ).rejects.toMatchObject({
      code: "not_found",
    });
  });
});

describe("unban", () => {
  it.each([owner, moderator])(
    "by the owner or a moderator (%i) leaves the user restricted",
    async (caller) => {
      await ban(owner, member);
      network.context.clock.advance(5);
      expect(await unban(caller, member)).toEqual({ success: true });
      expect(await listBans()).toEqual([]);
      const restrictedAt = seconds(network.context.clock);
      expect(await listRestricted()).toEqual([{ fid: member, channelId, restrictedAt }]);
      expect(await listMembers()).toEqual([1, 2, 6]);
    },
  );

  it.each([member, stranger])("by anybody else (%i) is not permitted", async (caller) => {
    await ban(owner, other);
    await expect(unban(caller, other)).rejects.toMatchObject({ code: "not_permitted" });
  });

  it("of one who is not banned succeeds and restricts nobody", async () => {
    expect(await unban(moderator, member)).toEqual({ success: true });
    expect(await unban(moderator, stranger)).toEqual({ success: true });
    expect(await listRestricted()).toEqual([]);
    expect(await listMembers()).toContain(member);
  });

  it("reads banFid where unbanFid is absent, and refuses two that differ", async () => {
    await ban(owner, stranger);
    await expect(
      network.as(owner).channelBans.unban({ channelId, unbanFid: stranger, banFid: other }),
    ).rejects.toMatchObject({ code: "invalid_request", instancePath: "/banFid" });
    await network.as(owner).channelBans.unban({ channelId, banFid: stranger });
    expect(await listBans()).toEqual([]);
  });
});

describe("replies of a banned user", () => {
  it("are hidden, his root casts and other channels' casts are not; unban shows them again", async () => {
    await network.seed.channel("cats", { owner });
    const root = await network.seed.cast({ fid: stranger, channelId });
    const reply = await network.seed.cast({ fid: stranger, channelId, parentHash: root });
    const elsewhere = await network.seed.cast({ fid: stranger, channelId: "cats", parentHash: root });
    const others = await network.seed.cast({ fid: other, channelId, parentHash: root });
    await ban(owner, stranger);
    expect(await Promise.all([root, reply, elsewhere, others].map(hiddenByBan))).toEqual([
      false,
      true,
      false,
      false,
    ]);
    await unban(owner, stranger);
    expect(await hiddenByBan(reply)).toBe(false);
  });

  it("stay hidden by moderation after the unban, and neither writes moderation records", async () => {
    const { query } = network.context.database;
    const root = await network.seed.cast({ fid: other, channelId });
    const reply = await network.seed.cast({ fid: stranger, channelId, parentHash: root });
    await query
      .updateTable("network.casts")
      .set({ hidden_by_moderation: true })
      .where("hash", "=", reply)
      .execute();
    await ban(owner, stranger);
    await unban(owner, stranger);
    const cast = await query
      .selectFrom("network.casts")
      .select(["hidden_by_ban", "hidden_by_moderation"])
      .where("hash", "=", reply)
      .executeTakeFirstOrThrow();
    expect(cast).toEqual({ hidden_by_ban: false, hidden_by_moderation: true });
    expect(await query.selectFrom("network.moderation_records").selectAll().execute()).toEqual([]);
  });
});
