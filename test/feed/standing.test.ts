import { describe, expect, test } from "vitest";
import { AppError } from "../../src/errors.ts";
import { applyCase } from "../../src/moderation/cases/apply.ts";
import { banned, left, restricted, unbanned, useFeedRoom } from "./feed-room.ts";

const scene = useFeedRoom();
const { happen, propose, deliverNow, shown, titles } = scene;

const until = (seconds: number) => `Until <t:${Math.floor(scene.bot.clock.now() / 1000) + seconds}:f>`;

describe("a post", () => {
  test("says so when it is undone, and until when it holds", async () => {
    const ban = await propose("ban", 7200);
    await applyCase(scene.bot, ban);
    await happen(banned);
    await deliverNow();
    expect(shown()[0]).toMatch(/Until <t:\d+:f>/);
    await applyCase(scene.bot, await propose("unban"));
    await happen(unbanned, restricted);
    await deliverNow();
    expect(titles()).toEqual(["Banned from memes", "Ban lifted in memes"]);
    expect(shown()[0]).toMatch(/Undone by <@\d+>, C-2\./);
    expect(shown()[0]).not.toContain("Until");
  });

  test.each([
    ["not before a longer one is done", false, 3600],
    ["the longest of those in force", true, 7200],
  ])("says until when it holds: %s", async (_, isDone, seconds) => {
    await applyCase(scene.bot, await propose("ban", 3600));
    const longer = await propose("ban", 7200);
    if (isDone) await applyCase(scene.bot, longer);
    await happen(banned);
    await deliverNow();
    expect(shown()[0]).toContain(until(seconds));
  });

  test("says until when it holds, also where a longer ban changed that since", async () => {
    await applyCase(scene.bot, await propose("ban", 3600));
    await happen(banned);
    await deliverNow();
    expect(shown()[0]).toContain(until(3600));
    await applyCase(scene.bot, await propose("ban", 7200));
    await deliverNow();
    expect(shown()[0]).toContain(until(7200));
    await applyCase(scene.bot, await propose("ban"));
    await deliverNow();
    expect(shown()[0]).not.toContain("Until");
  });

  test("says who did it, also where ours was under way just then and is refused", async () => {
    const ban: typeof scene.bot.network.channelBans.ban = async () => {
      await happen(banned, left);
      await deliverNow();
      expect(shown()[0]).toContain("by <@1> · case C-1");
      throw new AppError("cannot_ban_owner", "The owner cannot be banned.");
    };
    const network = { ...scene.bot.network, channelBans: { ...scene.bot.network.channelBans, ban } };
    await applyCase({ ...scene.bot, network }, await propose("ban"));
    await deliverNow();
    expect(shown()).toHaveLength(1);
    expect(shown()[0]).toContain("outside Castellan · case C-2");
  });
});
