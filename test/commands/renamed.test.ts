import { ComponentType } from "discord.js";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { saveRules } from "../../src/rules/versions/rules-of-server.ts";
import type { Seen } from "../support/bot-in-discord.ts";
import { type ReviewsInDiscord, startReviewsInDiscord } from "../support/rules-in-discord.ts";
import { rule, ruleSetOf } from "../support/rules.ts";

let scene: ReviewsInDiscord;

beforeAll(async () => {
  scene = await startReviewsInDiscord();
});
afterAll(() => scene.stop());

beforeEach(() => scene.reset());

/** A post with a button of an earlier version. */
async function postWith(customId: string): Promise<Seen> {
  await scene.run("owner", "rule pause");
  await scene.deliver();
  await scene.run("owner", "rule resume");
  const post = scene.shownIn("feed");
  for (const row of post.message.components) {
    if (row.type !== ComponentType.ActionRow) continue;
    for (const button of row.components) if ("custom_id" in button) button.custom_id = customId;
  }
  return { ...post, buttons: { Old: customId } };
}

describe("a button with the old name of a command", () => {
  test.each([
    ["run:automod lift:channel=memes", "/memes is not locked down."],
    ["run:automod lockdown:channel=memes", "Lock down /memes?"],
    ["run:automod pause:channel=memes", "Rules are paused in /memes until /rule resume"],
    ["run:automod resume:channel=memes", "Rules were not paused in /memes."],
    ["run:case list:user=7:channel=memes", "Cases of /memes"],
    ["run:case export:channel=memes", "0 cases of /memes"],
    ["run:case export:format=jsonl:user=7:channel=memes", "0 cases of /memes: about"],
    ["run:lockdown start:channel=memes", "Lock down /memes?"],
    ["run:lockdown end:channel=memes", "/memes is not locked down."],
    ["run:invite member:channel=memes", "Choose whom to invite"],
    ["run:invite revoke:user=7:channel=memes", "There is nothing to revoke"],
    ["run:case view:number=C-1:channel=memes", "There is no case C-1 in /memes."],
    ["run:case reason:number=C-1:reason=spam:channel=memes", "There is no case C-1 in /memes."],
    ["run:case duration:number=C-1:duration=1d:channel=memes", "There is no case C-1 in /memes."],
    ["run:ban add:user=7:channel=memes", "Ban from /memes?"],
    ["run:ban soft:user=7:channel=memes", "Restrict in /memes?"],
    ["run:ban reasons", "Saved reasons"],
    ["run:channel info:channel=memes", "memes (/memes)"],
    ["run:channel sign:channel=art", "There is no channel called art"],
    ["run:channel settings:channel=memes", "Who may do what in /memes"],
    ["run:channel zone", "Time zone"],
    ["channel:art:link", "There is no channel called art"],
    ["run:note add:user=7:text=hm:channel=memes", "Noted"],
    ["run:note list:user=7:channel=memes", "Notes in /memes"],
    ["run:strike add:user=7:channel=memes", "1 strike point"],
    ["run:feed list", "feeds of this server"],
    ["run:list block:cast=0xab", "Unknown cast"],
    ["run:report cast:cast=0xab", "Unknown cast"],
    ["run:report ignore:channel=memes", "Ignored reporters in /memes"],
    ["run:report unignore:user=1:channel=memes", "are not ignored"],
    ["run:review list", "Held for review"],
    ["run:bulk list", "No bulks yet."],
    ["run:bulk show", "No bulks yet."],
    ["run:bulk show:number=3", "There is no bulk B-3"],
    ["run:bulk stop:number=3", "There is no bulk B-3"],
    ["run:bulk stop:number=B-3", "There is no bulk B-3"],
    ["run:bulk hide:text=zzzz:channel=memes", "No cast to hide"],
    ["run:bulk unhide:text=zzzz:channel=memes", "No cast to unhide"],
    ["run:bulk ban:users=1:channel=memes", "Nobody to ban"],
    ["run:bulk unban:since=1h:channel=memes", "Nobody to unban"],
    ["run:rule list", "This server has no rules yet."],
    ["run:rule history", "This server has no rules yet."],
    ["run:pin clear:channel=memes", "Unpin"],
    ["run:member list:channel=memes", "Members of /memes"],
    ["run:members:who=bans:channel=memes", "Banned from /memes"],
    ["run:case undo:number=12:channel=memes", "There is no case C-12"],
    ["run:case undo:number=C-12:channel=memes", "There is no case C-12"],
    ["run:bulk undo:number=3", "There is no bulk B-3"],
    ["run:ban remove:user=7:channel=memes", "is not banned"],
    ["run:unhide:cast=0xab:channel=memes", "0xab"],
  ])("%s still runs it", async (customId, says) => {
    expect((await scene.ask("owner", await postWith(customId), "Old")).text).toContain(says);
  });
});

describe("what an earlier version stored under a button", () => {
  const storeAs = (path: string) =>
    scene.bot.database.query.updateTable("castellan.prompts").set({ path }).execute();

  test.each([
    ["ban add", { duration: "1d" }, "Ban", "Ban · done"],
    ["ban soft", { restrict: true }, "Restrict", "Unban · done"],
  ])("of /%s is still done", async (path, options, button, says) => {
    const asked = await scene.run("owner", "ban", { user: "7", ...options });
    await storeAs(path);
    expect((await scene.click("owner", asked, button)).text).toContain(says);
  });

  test("of a list is still the same list", async () => {
    const { guildId } = scene.discord;
    for (let baseVersion = 0; baseVersion < 17; baseVersion++) {
      const rules = { guildId, ruleSet: ruleSetOf(rule({ priority: baseVersion })), change: "import" };
      const saved = { ...rules, savedBy: "1", savedAt: 0, baseVersion };
      await scene.bot.database.transaction((tx) => saveRules(tx, saved));
    }
    const first = await scene.run("owner", "rule show", { history: true });
    const { query } = scene.bot.database;
    const { state } = await query.selectFrom("castellan.prompts").select("state").executeTakeFirstOrThrow();
    await query
      .updateTable("castellan.prompts")
      .set({ path: "rule history", state: JSON.stringify({ ...Object(state), raw: {} }) })
      .execute();
    expect((await scene.click("owner", first, "Next")).text).toContain("**2** `import`");
  });
});
