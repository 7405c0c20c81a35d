import { expect, test } from "vitest";
import { requireCastIn } from "../../src/moderation/authorize.ts";
import { verifyLinks } from "../../src/moderation/verify-links.ts";
import type { LiveReading } from "../../src/observe/live/call-budget.ts";
import { createFarClient } from "../client/far-client.ts";
import { watchNetwork } from "../support/observer.ts";
import { useWorld } from "../support/test-cases.ts";

const bot = await useWorld();

/** The network over HTTP, where every call is answered with these rows. */
const answering = (result: object) =>
  createFarClient("http://127.0.0.1:1", { fetch: async () => Response.json({ result }) });

test("A verified account of another make does not end the link that it may prove", async () => {
  const verification = { fid: 1, platform: "discord", platformId: "7", platformUsername: "x", verifiedAt: 1 };
  const read = (...verifications: object[]) => {
    const { accountVerifications } = answering({ verifications });
    return verifyLinks({ ...bot, network: { ...bot.network, accountVerifications } });
  };
  const suspended = async () =>
    (await bot.database.query.selectFrom("castellan.links").selectAll().executeTakeFirstOrThrow())
      .suspended_at_ms;
  await read(verification, { ...verification, platformId: null });
  expect(await suspended()).toBeNull();
  await read(verification);
  expect(await suspended()).toBe(bot.clock.now());
});

test("A channel of another make may be the cast's, so that a cast nobody saw is left alone", async () => {
  const { channel } = await bot.network.channels.get({ channelId: "memes" });
  const check = (...channels: object[]) => {
    const { all } = answering({ channels }).channels;
    const network = { ...bot.network, channels: { ...bot.network.channels, all } };
    return requireCastIn({ ...bot, network }, { hash: `0x${"1".repeat(40)}`, known: undefined }, "memes");
  };
  await check(channel);
  await expect(check(channel, { ...channel, id: 5 })).rejects.toMatchObject({ code: "not_allowed" });
});

test("On the live network nothing is done to a cast that nobody saw, and nothing is asked for", async () => {
  const live = {} as LiveReading; // only whether there is one counts
  const called: string[] = [];
  const context = { ...bot, network: watchNetwork(bot.network, called), live };
  const unseen = { hash: `0x${"1".repeat(40)}`, known: undefined };
  // The bot may moderate channels that it was never linked to: there its hides would be somebody else's.
  await expect(requireCastIn(context, unseen, "memes")).rejects.toMatchObject({ code: "not_allowed" });
  expect(called).toEqual([]);
});
