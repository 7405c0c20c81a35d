import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { viewChannel } from "../../support/seed.ts";
import { createTestNetwork, type TestNetwork } from "../../support/world.ts";

const [owner, moderator, user] = [1, 2, 7];
let network: TestNetwork;
let channelId: string;
let channels = 0;

beforeAll(async () => {
  network = await createTestNetwork();
  for (const fid of [owner, moderator, user]) await network.seed.account(fid);
});
afterAll(() => network.context.database.close());
beforeEach(async () => {
  channelId = `memes-${++channels}`;
  await network.seed.channel(channelId, { owner, moderators: [moderator] });
  await network.seed.follow(user, channelId);
});

function join(fid: number) {
  return network.api.operator.join({ channelId, fid });
}

function invite() {
  return network.as(owner).channelInvites.invite({ channelId, inviteFid: user, role: "member" });
}

function remove() {
  return network.as(moderator).channelInvites.remove({ channelId, removeFid: user, role: "member" });
}

function view() {
  return viewChannel(network.public, channelId);
}

describe("joining by link", () => {
  it("makes a stranger a member; once more changes nothing", async () => {
    expect(await join(user)).toEqual({ success: true });
    expect(await join(user)).toEqual({ success: true });
    expect(await join(moderator)).toEqual({ success: true });
    expect(await view()).toMatchObject({ members: [owner, moderator, user], memberCount: 3 });
  });

  it("stays open to one whose invite was revoked, and is closed to a removed member until he is invited", async () => {
    await invite();
    await remove();
    await join(user);
    await remove();
    await expect(join(user)).rejects.toMatchObject({ code: "not_permitted" });
    expect(await view()).toMatchObject({ members: [owner, moderator], restricted: [user] });
    await invite();
    await join(user);
    expect(await view()).toMatchObject({ members: [owner, moderator, user], restricted: [] });
  });

  it("ends an outstanding invite, which can no longer be answered", async () => {
    await invite();
    await join(user);
    expect((await view()).invites).toEqual([]);
    await expect(
      network.as(user).channelInvites.answer({ channelId, role: "member", accept: false }),
    ).rejects.toMatchObject({ code: "no_active_invite" });
  });

  it("is closed to the banned, and to the unbanned, who are restricted", async () => {
    await network.as(moderator).channelBans.ban({ channelId, banFid: user });
    await expect(join(user)).rejects.toMatchObject({ code: "banned_from_channel" });
    await network.as(moderator).channelBans.unban({ channelId, unbanFid: user });
    await expect(join(user)).rejects.toMatchObject({ code: "not_permitted" });
  });
});
