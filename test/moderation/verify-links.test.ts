import { beforeEach, describe, expect, test } from "vitest";
import { AppError } from "../../src/errors.ts";
import { verifyLinks } from "../../src/moderation/verify-links.ts";
import { botFid, clockOf, people, troubleNetwork, verifyDiscord } from "../support/world.ts";
import { meetAtLock, useWorld } from "../support/test-cases.ts";
import { hasServer } from "../support/services.ts";
import { storedEvents } from "../support/stored.ts";

const day = 24 * 3600;
const unreachable = () => new AppError("network_unreachable", "The network did not answer.");

const bot = await useWorld();

beforeEach(async () => {
  await verifyDiscord(bot, people.owner, "100");
});

function link() {
  return bot.database.query.selectFrom("castellan.links").selectAll().executeTakeFirstOrThrow();
}

async function news(): Promise<unknown[]> {
  const events = await storedEvents(bot.database, "link.changed");
  return events.map(({ data }) => ("change" in data ? data.change : undefined));
}

const dropVerification = () => bot.database.query.deleteFrom("network.verifications").execute();

describe("the proof of a link", () => {
  test("that still holds is noted with its time", async () => {
    bot.clock.advance(600);
    await verifyLinks(bot);
    expect(await link()).toMatchObject({ verified_at_ms: bot.clock.now(), suspended_at_ms: null });
    expect(await news()).toEqual([]);
  });

  test("that is gone suspends the link, once, and restores it when it is back", async () => {
    await dropVerification();
    await verifyLinks(bot);
    const since = bot.clock.now();
    bot.clock.advance(60);
    await verifyLinks(bot);
    const { suspended_reason, suspended_at_ms } = await link();
    expect(suspended_at_ms).toBe(since);
    expect(suspended_reason).toContain("no longer owns or moderates");
    expect(await news()).toEqual(["suspended"]);
    await verifyDiscord(bot, people.moderator, "100");
    await verifyLinks(bot);
    expect(await link()).toMatchObject({ suspended_at_ms: null, suspended_reason: null });
    expect(await news()).toEqual(["suspended", "restored"]);
  });

  test.runIf(hasServer)("that is gone is told once by two workers at once", async () => {
    await dropVerification();
    const workers = [1, 2].map((late) => {
      const now = bot.clock.now() + late;
      return () => verifyLinks({ ...bot, clock: clockOf(() => now) });
    });
    await meetAtLock(bot.database, "castellan.links", workers);
    expect(await news()).toEqual(["suspended"]);
  });

  test("that cannot be read is trusted for a day and several tries, then suspended, not dropped", async () => {
    const network = troubleNetwork(bot.network, "accountVerifications", "list", unreachable, "before");
    for (let hours = 0; hours < 24; hours += 2) {
      // Repeated tries at once count as one.
      await verifyLinks({ ...bot, network });
      await verifyLinks({ ...bot, network });
      expect(await link()).toMatchObject({ suspended_at_ms: null, unreadable_tries: hours / 2 + 1 });
      bot.clock.advance(2 * 3600);
    }
    await verifyLinks({ ...bot, network });
    expect(await link()).toMatchObject({ suspended_at_ms: bot.clock.now() });
    await verifyLinks(bot);
    expect(await link()).toMatchObject({
      suspended_at_ms: null,
      unreadable_since_ms: null,
      unreadable_at_ms: null,
      unreadable_tries: 0,
    });
  });

  test("that cannot be read by the first tries after days without the bot is trusted", async () => {
    const network = troubleNetwork(bot.network, "accountVerifications", "list", unreachable, "before");
    bot.clock.advance(3 * day);
    await verifyLinks({ ...bot, network });
    // Off again, in the middle of a failure.
    bot.clock.advance(3 * day);
    await verifyLinks({ ...bot, network });
    expect((await link()).suspended_at_ms).toBeNull();
    expect(await news()).toEqual([]);
  });

  test("that was unreadable for hours before days without the bot is trusted", async () => {
    const network = troubleNetwork(bot.network, "accountVerifications", "list", unreachable, "before");
    for (let tries = 0; tries < 12; tries += 1) {
      await verifyLinks({ ...bot, network });
      bot.clock.advance(300);
    }
    bot.clock.advance(2 * day);
    await verifyLinks({ ...bot, network });
    expect(await link()).toMatchObject({ suspended_at_ms: null, unreadable_tries: 1 });
  });

  test("of a channel that is gone suspends at once", async () => {
    await bot.net.api.operator.deleteChannel({ id: "memes" });
    await verifyLinks(bot);
    expect((await link()).suspended_reason).toContain("no longer has the channel");
  });

  test("is the operator's word where the operator allows the server", async () => {
    await dropVerification();
    const channelGuilds = () => new Map([["memes", new Set(["g1"])]]);
    await verifyLinks({ ...bot, settings: { ...bot.settings, channelGuilds } });
    expect((await link()).suspended_at_ms).toBeNull();
  });

  test("is not overwritten by a reading that began before the link was renewed", async () => {
    const verified = bot.clock.now() + 5000;
    const network = troubleNetwork(bot.network, "accountVerifications", "list", () => undefined, "before");
    const renewedMeanwhile = {
      ...network,
      accountVerifications: {
        list: async (...input: Parameters<typeof network.accountVerifications.list>) => {
          await bot.database.query.updateTable("castellan.links").set({ verified_at_ms: verified }).execute();
          await dropVerification();
          return network.accountVerifications.list(...input);
        },
      },
    };
    await verifyLinks({ ...bot, network: renewedMeanwhile });
    expect(await link()).toMatchObject({ verified_at_ms: verified, suspended_at_ms: null });
    expect(await news()).toEqual([]);
  });
});

test("the bot's lost role is an alarm once, and so is its return", async () => {
  const owner = bot.net.as(people.owner);
  await owner.channelInvites.remove({ channelId: "memes", removeFid: botFid, role: "moderator" });
  await verifyLinks(bot);
  await verifyLinks(bot);
  expect((await link()).bot_role_lost_at_ms).toBe(bot.clock.now());
  await bot.net.seed.bot(botFid);
  await owner.channelInvites.invite({ channelId: "memes", inviteFid: botFid, role: "moderator" });
  await verifyLinks(bot);
  expect((await link()).bot_role_lost_at_ms).toBeNull();
  expect(await news()).toEqual(["bot_role_lost", "bot_role_back"]);
});
