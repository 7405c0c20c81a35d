import { describe, expect, test } from "vitest";
import { newEvent } from "../../src/observe/events.ts";
import { createRuleContext } from "../../src/rules/context.ts";
import { endLockdowns, hasLockdownsToEnd } from "../../src/rules/limits/lockdown.ts";
import { evaluatePending, applyOpenCases } from "../support/jobs.ts";
import { findRules } from "../../src/rules/versions/rules-of-server.ts";
import { people } from "../support/world.ts";
import { applyCase } from "../../src/moderation/cases/apply.ts";
import { useReviewsInDiscord } from "../support/scenes.ts";

const scene = await useReviewsInDiscord();

describe("/rule pause and /lockdown", () => {
  test("stops the rules and lets them act again, and tells the rooms who did", async () => {
    const paused = await scene.run("owner", "rule pause", { duration: "2h", reason: "a bad rule" });
    expect(paused.text).toContain("Rules are paused in /memes until <t:");
    await scene.deliver();
    expect(scene.shownIn("feed").text).toContain("Rules paused in memes");
    expect(scene.shownIn("feed").text).toContain(`By <@${scene.users.owner}>`);
    expect(scene.shownIn("feed").text).toContain("Reason: a bad rule");
    const status = await scene.run("owner", "status");
    expect(status.text).toContain(`/memes: **paused** by <@${scene.users.owner}>`);
    expect(status.text).toMatch(/\*\*paused\*\* by .* until <t:\d+:f>; \/rule resume ends it sooner/);
    expect((await scene.run("owner", "rule resume")).text).toContain("act in /memes again");
    expect((await scene.run("owner", "rule resume")).text).toContain("were not paused");
  });

  test("/rule show says which channels a rule looks at, what for, and which no rule looks at", async () => {
    await scene.judge({ channels: ["gard*"], mode: "enforce" });
    const { text } = await scene.run("owner", "rule show");
    expect(text).toContain("in `/gard*`");
    expect(text).toContain('if the text contains "airdrop"');
    expect(text).toContain("Linked: /memes. No rule covers /memes.");
  });

  test("/rule show says where no rule acts, by whom, and until when", async () => {
    await scene.judge({ mode: "enforce" });
    expect((await scene.run("owner", "rule show")).text).not.toContain("paused");
    await scene.run("owner", "rule pause", { duration: "2h" });
    const { text } = await scene.run("owner", "rule show");
    expect(text).toContain("in every linked channel");
    expect(text).not.toContain("No rule covers");
    expect(text).toContain("Paused, so no rule acts there");
    expect(text).toContain(`/memes: **paused** by <@${scene.users.owner}>`);
    await scene.run("owner", "rule resume");
    expect((await scene.run("owner", "rule show")).text).not.toContain("paused");
  });

  test("drops a rule's actions that were not sent yet, but not those of moderators", async () => {
    const { database } = scene.bot;
    await scene.judge({ mode: "enforce", then: [{ hide: {} }] });
    await scene.run("owner", "rule pause");
    const [asked] = await database.query.selectFrom("castellan.cases").select("id").execute();
    expect(await applyCase(scene.bot, asked?.id ?? 0)).toMatchObject({
      state: "failed",
      outcome: "rules_paused",
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

  describe("lockdown", () => {
    async function lockDown(options: Record<string, string> = {}) {
      const preview = await scene.run("owner", "lockdown", options);
      expect(Object.keys(preview.buttons)).toEqual(["Lock it down", "Cancel"]);
      return { preview, done: await scene.click("owner", preview, "Lock it down") };
    }

    test("hides nothing while rules are paused, which the pause says", async () => {
      await lockDown();
      const says = "The lockdown of this channel hides nothing meanwhile.";
      expect((await scene.run("owner", "rule pause")).text).toContain(says);
      await scene.deliver();
      expect(scene.shownIn("feed").text).toContain(says);
      await scene.run("owner", "rule resume");
      await scene.deliver();
      expect(scene.shownIn("feed").text).not.toContain(says);
    });

    /** Somebody casts; what rules do about it is done. */
    async function casts(fid: number): Promise<string> {
      const { bot } = scene;
      const castHash = await bot.net.seed.cast({ fid, channelId: "memes", text: "gm" });
      const place = { rootHash: castHash, threadDepth: 0, mentions: [], embeds: [] };
      await bot.happen(
        newEvent(bot.clock.now(), {
          sourceKey: `cast:${castHash}`,
          kind: "cast.created",
          channelId: "memes",
          subjectFid: fid,
          data: { castHash, text: "gm", ...place },
        }),
      );
      await evaluatePending(context());
      await applyOpenCases(bot);
      return castHash;
    }

    const context = () => createRuleContext(scene.bot, scene.bot);

    test("hides what strangers cast, and not what members do, until its time is over", async () => {
      const { preview, done } = await lockDown({ duration: "2h", reason: "a raid" });
      expect(preview.text).toContain("Lock down /memes?");
      expect(preview.text).toContain("Hidden casts stay hidden when the lockdown ends");
      expect(done.text).toContain("/memes is locked down until <t:");
      await scene.deliver();
      expect(scene.shownIn("feed").text).toContain("Locked down: memes");
      expect(scene.shownIn("feed").text).toContain("Reason: a raid");
      expect((await scene.run("owner", "status")).text).toContain("/memes: **locked down** by");
      const hidden = await casts(people.troll);
      await casts(people.member);
      expect(await scene.hidden()).toEqual([[hidden, "hide"]]);
      scene.bot.clock.advance(2 * 3600 - 1);
      expect(await hasLockdownsToEnd(scene.bot)).toBe(false);
      scene.bot.clock.advance(1);
      expect(await hasLockdownsToEnd(scene.bot)).toBe(true);
      await endLockdowns(context());
      await endLockdowns(context());
      await scene.deliver();
      expect(scene.shownIn("feed").text).toContain("No longer locked down: memes");
      expect(scene.shownIn("feed").text).toContain("It hid 1 cast, which stays hidden.");
      await casts(people.troll);
      expect(await scene.hidden()).toEqual([[hidden, "hide"]]);
      expect(await findRules(context(), scene.discord.guildId)).toBeUndefined();
    });

    test("is neither ended nor begun by a change of the rules, and /status says what is so", async () => {
      const hides = async (fid: number) => {
        const before = (await scene.hidden()).length;
        await casts(fid);
        return (await scene.hidden()).length > before;
      };
      const isAnnounced = async () => (await scene.run("owner", "status")).text.includes("**locked down**");
      const rollBack = async (version: string) => {
        const preview = await scene.run("owner", "rule rollback", { version });
        if (Object.keys(preview.buttons).length > 0) await scene.click("owner", preview, "Bring it back");
      };
      await scene.judge({ mode: "shadow" });
      await lockDown({ duration: "2h" });
      const change = await scene.run("owner", "rule mode", { rule: "scam", mode: "off" });
      await scene.click("owner", change, "Change it");
      expect([await hides(people.troll), await isAnnounced()]).toEqual([true, true]);
      await rollBack("1");
      expect([await hides(people.troll), await isAnnounced()]).toEqual([true, true]);
      await scene.run("owner", "lockdown", { end: true });
      await rollBack("2");
      expect([await hides(people.troll), await isAnnounced()]).toEqual([false, false]);
    });

    test.each(["enforce", "off"])(
      "what earlier versions wrote into the file for one is no rule, in mode %s",
      async (mode) => {
        const former = {
          id: "lockdown-memes",
          mode,
          priority: 1000,
          channels: ["memes"],
          on: ["cast.created"],
          when: { all: [{ "author.is_member": false }, { "author.is_moderator": false }] },
          then: [{ hide: {} }],
          on_unknown: "skip",
        };
        await scene.judge(former);
        expect((await findRules(context(), scene.discord.guildId))?.ruleSet.rules).toEqual([]);
        const before = await scene.hidden();
        await casts(people.troll);
        expect(await scene.hidden()).toEqual(before);
        await lockDown({ duration: "2h" });
        const hidden = await casts(people.troll);
        expect(await scene.hidden()).toEqual([...before, [hidden, "hide"]]);
      },
    );

    test("gets another end when it is asked for again, and is lifted sooner", async () => {
      await scene.judge({ mode: "off" });
      await lockDown({ duration: "1h" });
      const { preview } = await lockDown({ duration: "3h" });
      expect(preview.text).toContain("It is already locked down until");
      scene.bot.clock.advance(3600);
      await endLockdowns(context());
      expect(
        await scene.bot.database.query.selectFrom("castellan.lockdowns").selectAll().execute(),
      ).toHaveLength(1);
      expect((await scene.run("owner", "lockdown", { end: true })).text).toContain(
        "no longer locked down. It hid no cast.",
      );
      expect((await scene.run("owner", "lockdown", { end: true })).text).toContain(
        "/memes is not locked down.",
      );
      const rules = await findRules(context(), scene.discord.guildId);
      expect(rules?.ruleSet.rules.map(({ id }) => id)).toEqual(["scam"]);
    });

    test("waits for the rules to be resumed, lasts no longer than a week, and is not for strangers", async () => {
      const tooLong = await scene.run("owner", "lockdown", { duration: "8d" });
      expect(tooLong.text).toContain("at most a week");
      await scene.run("owner", "rule pause");
      expect((await scene.run("owner", "lockdown")).text).toContain("would hide nothing. /rule resume first");
      await scene.run("owner", "rule resume");
      expect((await scene.run("stranger", "lockdown")).text).toContain("You may not");
    });
  });

  test("is for who may change rules", async () => {
    expect((await scene.run("stranger", "rule pause")).text).toContain(
      "You may not view or change the rules of /memes",
    );
  });
});
