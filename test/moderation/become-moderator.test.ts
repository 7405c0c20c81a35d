import { beforeEach, describe, expect, test } from "vitest";
import { AppError } from "../../src/errors.ts";
import { becomeModerators, hasUnmoderated } from "../../src/moderation/become-moderator.ts";
import { linkChannel } from "../../src/moderation/link-channel.ts";
import { watchNetwork } from "../support/observer.ts";
import { useWorld } from "../support/test-cases.ts";
import { people, verifyDiscord } from "../support/world.ts";

const bot = await useWorld();
const { owner } = people;
const channelId = "art";
const inviteFid = bot.botFid;

beforeEach(async () => {
  await bot.net.seed.channel(channelId, { owner });
  await verifyDiscord(bot, owner, "100");
});

const link = () =>
  linkChannel(
    bot,
    { userId: "100", guildId: "g2", roomId: "1", roleIds: [], managesServer: true },
    channelId,
  );
const invite = (role: "member" | "moderator") =>
  bot.net.as(owner).channelInvites.invite({ channelId, inviteFid, role });
const roles = async () => {
  const [{ channel }, { result }] = await Promise.all([
    bot.network.channels.get({ channelId }),
    bot.network.channelMembers.list({ channelId, fid: bot.botFid }),
  ]);
  return [channel.moderatorFids.includes(bot.botFid), result.members.length > 0];
};
const changes = async () =>
  (
    await bot.database.query
      .selectFrom("castellan.events")
      .select("data")
      .where("kind", "=", "link.changed")
      .orderBy("id")
      .execute()
  ).map(({ data }) => ("change" in data ? data.change : undefined));

describe("a bot that the network's operator did not allowlist", () => {
  test("follows what is linked, accepts both invites, and tells that it moderates", async () => {
    await expect(invite("member")).rejects.toMatchObject({ code: "invitee_not_following" });
    expect(await link()).toMatchObject({ way: "follower" });
    expect(await hasUnmoderated(bot)).toBe(true);
    await invite("member");
    await becomeModerators(bot);
    expect(await roles()).toEqual([false, true]);
    expect(await changes()).toEqual([]);
    expect(await link()).toMatchObject({ way: "member" });
    await invite("moderator");
    await becomeModerators(bot);
    expect(await roles()).toEqual([true, true]);
    expect(await changes()).toEqual(["bot_role_back"]);
    expect(await hasUnmoderated(bot)).toBe(false);
  });

  test("accepts at the link what it was invited to before", async () => {
    await bot.network.channelFollows.follow({ channelId });
    await invite("member");
    expect(await link()).toMatchObject({ way: "member" });
  });

  test("neither follows nor accepts where nobody linked the channel, or the link is suspended", async () => {
    await bot.network.channelFollows.follow({ channelId });
    await invite("member");
    await becomeModerators(bot);
    expect(await roles()).toEqual([false, false]);
    await link();
    await bot.net.as(owner).channelInvites.remove({ channelId, removeFid: bot.botFid, role: "member" });
    await invite("member");
    await bot.database.query
      .updateTable("castellan.links")
      .set({ suspended_at_ms: 1, suspended_reason: "gone" })
      .where("channel_id", "=", channelId)
      .execute();
    expect(await hasUnmoderated(bot)).toBe(false);
    await becomeModerators(bot);
    expect(await roles()).toEqual([false, false]);
  });

  test("that lost the role waits for an invite, and calls nothing but what shows it", async () => {
    await link();
    await invite("member");
    await becomeModerators(bot);
    await invite("moderator");
    await becomeModerators(bot);
    await bot.net.as(owner).channelInvites.remove({ channelId, removeFid: bot.botFid, role: "moderator" });
    await bot.database.query
      .updateTable("castellan.links")
      .set({ bot_role_lost_at_ms: bot.clock.now() })
      .where("channel_id", "=", channelId)
      .execute();
    const called: string[] = [];
    await becomeModerators({ ...bot, network: watchNetwork(bot.network, called) });
    expect(called).toEqual([
      "channels.get",
      "channelFollows.status",
      "channelInvites.list",
      "channelMembers.list",
    ]);
    expect(await roles()).toEqual([false, true]);
  });

  test("goes on with the others when one channel does not let it", async () => {
    await link();
    await bot.net.seed.channel("aaa", { owner });
    await linkChannel(
      bot,
      { userId: "100", guildId: "g2", roomId: "1", roleIds: [], managesServer: true },
      "aaa",
    );
    await invite("member");
    const get: typeof bot.network.channels.get = (input, options) =>
      input.channelId === "aaa"
        ? Promise.reject(new AppError("network_unreachable", "away"))
        : bot.network.channels.get(input, options);
    const network = { ...bot.network, channels: { ...bot.network.channels, get } };
    await becomeModerators({ ...bot, network });
    expect(await roles()).toEqual([false, true]);
  });

  test("is linked also where the network lets it do nothing", async () => {
    const follow = () => Promise.reject(new AppError("not_permitted", "No.", { status: 403 }));
    const channelFollows = { ...bot.network.channelFollows, follow };
    const network = { ...bot.network, channelFollows };
    const actor = { userId: "100", guildId: "g2", roomId: "1", roleIds: [], managesServer: true };
    expect(await linkChannel({ ...bot, network }, actor, channelId)).toMatchObject({ way: undefined });
  });
});
