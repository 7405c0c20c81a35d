import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { applyCase } from "../../src/moderation/cases/apply.ts";
import { type ReviewsInDiscord, startReviewsInDiscord } from "../support/rules-in-discord.ts";

let scene: ReviewsInDiscord;

beforeAll(async () => {
  scene = await startReviewsInDiscord();
});
afterAll(() => scene.stop());

beforeEach(() => scene.reset());

describe("/automod", () => {
  test("stops the rules and lets them act again, and tells the rooms who did", async () => {
    const paused = await scene.run("owner", "automod pause", { duration: "2h", reason: "a bad rule" });
    expect(paused.text).toContain("Rules are paused in /memes until <t:");
    await scene.deliver();
    expect(scene.shownIn("feed").text).toContain("Rules paused in memes");
    expect(scene.shownIn("feed").text).toContain(`By <@${scene.users.owner}>`);
    expect(scene.shownIn("feed").text).toContain("Reason: a bad rule");
    const status = await scene.run("owner", "status");
    expect(status.text).toContain(`/memes: **paused** by <@${scene.users.owner}>`);
    expect(status.text).toMatch(/\*\*paused\*\* by .* until <t:\d+:f>; \/automod resume ends it sooner/);
    expect((await scene.run("owner", "automod resume")).text).toContain("act in /memes again");
    expect((await scene.run("owner", "automod resume")).text).toContain("were not paused");
  });

  test("drops what a rule asked for and nobody sent yet, but not a person's wish", async () => {
    const { database } = scene.bot;
    await scene.judge({ mode: "enforce", then: [{ hide: {} }] });
    await scene.run("owner", "automod pause");
    const [asked] = await database.query.selectFrom("castellan.cases").select("id").execute();
    expect(await applyCase(scene.bot, asked?.id ?? 0)).toMatchObject({
      state: "failed",
      answer: "Not done: rules were paused before it went out.",
    });
    expect(await scene.hidden()).toEqual([]);
    const preview = await scene.run("owner", "hide", { cast: scene.castHash() });
    expect((await scene.click("owner", preview, "Hide")).text).toContain("done");
    expect(await scene.hidden()).toEqual([[scene.castHash(), "hide"]]);
  });

  test("tells the rooms of every change of the rules: which version, what of it, by whom", async () => {
    await scene.judge({ mode: "shadow" });
    const preview = await scene.run("owner", "rule mode", { rule: "scam", mode: "off" });
    await scene.click("owner", preview, "Change it");
    await scene.deliver();
    const { text } = scene.shownIn("feed");
    expect(text).toContain("The rules were changed: version 2 is in force");
    expect(text).toContain(`\`mode of scam: off\` by <@${scene.users.owner}>`);
    expect(text).toContain("Changed: `scam` (shadow → off)");
    const told = scene.bot.database.query.selectFrom("castellan.feed_rows").select("event_id");
    const events = scene.bot.database.query.selectFrom("castellan.events").select("channel_id");
    expect(await events.where("kind", "=", "rules.changed").where("id", "in", told).execute()).toEqual([
      { channel_id: null },
    ]);
  });

  test("is for who may change rules", async () => {
    expect((await scene.run("stranger", "automod pause")).text).toContain(
      "You may not look at or change the rules of /memes",
    );
  });
});
