import { beforeEach, describe, expect, test } from "vitest";
import { AppError } from "../../src/errors.ts";
import { becomeModerators, hasUnmoderated, lookAgainSoon } from "../../src/moderation/become-moderator.ts";
import { describeOnboarding } from "../../src/moderation/channel-links.ts";
import { linkChannel } from "../../src/moderation/link-channel.ts";
import { newEvent } from "../../src/observe/events.ts";
import { watchNetwork } from "../support/observer.ts";
import { useWorld } from "../support/test-cases.ts";
import { people, verifyDiscord } from "../support/world.ts";
import { storedEvents } from "../support/stored.ts";

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
/** What the listings, or the events of channels, show of an invite. */
const tellOfInvite = (subjectFid: number) =>
  bot.database.transaction((tx) =>
    bot.appendEvents(tx, [
      newEvent(bot.clock.now(), {
        kind: "invite.created",
        sourceKey: `invite ${subjectFid}`,
        channelId,
        subjectFid,
        occurredAt: Math.floor(bot.clock.now() / 1000),
        data: { role: "member", inviterFid: owner },
      }),
    ]),
  );
/** The next look, when it is time. */
const look = async (context = bot) => {
  bot.clock.advance(3600);
  await becomeModerators(context);
};
const way = () =>
  bot.database.query
    .selectFrom("castellan.links")
    .select(["onboarding_stage", "onboarding_error", "bot_role_lost_at_ms"])
    .where("channel_id", "=", channelId)
    .executeTakeFirstOrThrow();
/** A network that refuses some calls, as the live one does, or does something else instead. */
function withCalls<G extends "channelFollows" | "channelInvites" | "channels">(
  group: G,
  calls: Partial<(typeof bot.network)[G]>,
) {
  return { ...bot, network: { ...bot.network, [group]: { ...bot.network[group], ...calls } } };
}
const refuse = (sentence: string) => () =>
  Promise.reject(new AppError("not_permitted", sentence, { status: 403 }));
const changes = async () =>
  (await storedEvents(bot.database, "link.changed")).map(({ data }) =>
    "change" in data ? data.change : undefined,
  );

describe("a bot that the network's operator did not allowlist", () => {
  test("follows what is linked, accepts both invites, and tells that it moderates", async () => {
    await expect(invite("member")).rejects.toMatchObject({ code: "invitee_not_following" });
    expect(await link()).toMatchObject({ way: "follower" });
    expect(await hasUnmoderated(bot)).toBe(false);
    await invite("member");
    await look();
    expect(await roles()).toEqual([false, true]);
    expect(await changes()).toEqual([]);
    expect(await link()).toMatchObject({ way: "member" });
    await invite("moderator");
    await look();
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
    await look();
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
    await look();
    expect(await roles()).toEqual([false, false]);
  });

  test("that lost the role waits for an invite, and calls nothing but what shows it", async () => {
    await link();
    await invite("member");
    await look();
    await invite("moderator");
    await look();
    await bot.net.as(owner).channelInvites.remove({ channelId, removeFid: bot.botFid, role: "moderator" });
    await bot.database.query
      .updateTable("castellan.links")
      .set({ bot_role_lost_at_ms: bot.clock.now() })
      .where("channel_id", "=", channelId)
      .execute();
    const called: string[] = [];
    await look({ ...bot, network: watchNetwork(bot.network, called) });
    expect(called).toEqual([
      "channels.get",
      "channelFollows.status",
      "channelMembers.list",
      "channelInvites.list",
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
    await look({ ...bot, network });
    expect(await roles()).toEqual([false, true]);
  });

  test("is linked also where the network lets it do nothing, and says what it answered, there and later", async () => {
    const banned = withCalls("channelFollows", { follow: refuse("User is banned from channel.") });
    const actor = { userId: "100", guildId: "g2", roomId: "1", roleIds: [], managesServer: true };
    const linked = await linkChannel(banned, actor, channelId);
    expect(linked).toMatchObject({ way: undefined, refusal: "User is banned from channel." });
    expect(await way()).toMatchObject({
      onboarding_stage: null,
      onboarding_error: "User is banned from channel.",
    });
    expect(describeOnboarding(7, null, "The channel is closed")).toBe(
      'it tried to follow the channel, or see what it is invited to, and the response was: "The channel is closed" Castellan tries again within the hour, and soon after /status. Once that works, the owner has to invite fid 7, as member and then as moderator.',
    );
    await look();
    expect(await way()).toMatchObject({ onboarding_stage: "follower", onboarding_error: null });
    await invite("member");
    await look(withCalls("channelInvites", { answer: refuse("Storage is full.") }));
    expect(await way()).toMatchObject({ onboarding_stage: "follower", onboarding_error: "Storage is full." });
    await look(withCalls("channels", { get: refuse("Not now.") }));
    expect(await way()).toMatchObject({ onboarding_stage: "follower", onboarding_error: "Not now." });
  });

  test("moderates once its acceptance was answered, whatever the channel's record shows yet", async () => {
    await link();
    await invite("member");
    await look();
    await invite("moderator");
    const { channel } = await bot.network.channels.get({ channelId });
    await look(withCalls("channels", { get: async () => ({ channel }) }));
    expect(await way()).toEqual({
      onboarding_stage: null,
      onboarding_error: null,
      bot_role_lost_at_ms: null,
    });
    expect(await changes()).toEqual(["bot_role_back"]);
  });

  test("looks ever more rarely, and at once where it was invited or somebody wants to know", async () => {
    await link();
    const called: string[] = [];
    const watched = { ...bot, network: watchNetwork(bot.network, called) };
    const looks = () => called.filter((call) => call === "channels.get").length;
    for (let second = 0; second < 5 * 3600; second += 10) {
      bot.clock.advance(10);
      if (await hasUnmoderated(bot)) await becomeModerators(watched);
    }
    expect(looks()).toBe(9);
    bot.woken.length = 0;
    await lookAgainSoon(bot, [channelId]);
    expect(bot.woken).toEqual(["become-moderator"]);
    await becomeModerators(watched);
    expect(looks()).toBe(10);
    await becomeModerators(watched);
    expect(looks()).toBe(10);
    bot.clock.advance(30);
    await tellOfInvite(bot.botFid);
    await becomeModerators(watched);
    expect(looks()).toBe(11);
  });

  test("goes on as soon as an invite to it is known, and minds no invite of others", async () => {
    await link();
    bot.woken.length = 0;
    await tellOfInvite(people.member);
    expect(bot.woken).not.toContain("become-moderator");
    await tellOfInvite(bot.botFid);
    expect(bot.woken).toContain("become-moderator");
  });

  test("abandons a check that hangs at shutdown, and begins with the other channels next time", async () => {
    await link();
    await bot.net.seed.channel("zzz", { owner });
    const actor = { userId: "100", guildId: "g2", roomId: "1", roleIds: [], managesServer: true };
    await linkChannel(bot, actor, "zzz");
    bot.clock.advance(3600);
    const asked: string[] = [];
    const get: typeof bot.network.channels.get = (input, options) => {
      asked.push(input.channelId);
      return new Promise((_, reject) => {
        options?.signal?.addEventListener("abort", () =>
          reject(new AppError("network_unreachable", "given up")),
        );
      });
    };
    for (const channels of [[channelId], ["zzz"]]) {
      await becomeModerators(withCalls("channels", { get }), { signal: AbortSignal.timeout(20) });
      expect(asked.splice(0)).toEqual(channels);
    }
  });
});
