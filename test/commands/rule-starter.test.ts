import { describe, expect, it } from "vitest";
import { parseRules } from "../../src/rules/language/parse-rules.ts";
import { findRules } from "../../src/rules/versions/rules-of-server.ts";
import { starterRules } from "../../src/rules/starter/starter-rules.ts";
import { rule } from "../support/rules.ts";
import { useRulesInDiscord } from "../support/scenes.ts";

const chat = await useRulesInDiscord();
const { users, bot, discord } = chat;

const inForce = () => findRules(bot, discord.guildId);

/** Opens the form of a starter rule, and sends it with what is typed there: as it is where nothing is. */
async function ask(id: string, typed: Record<string, string> = {}) {
  const asked = { user: users.owner, room: "general", command: "rule starter", options: { rule: id } };
  return chat.submit(users.owner, discord.people.slash(asked), typed);
}

describe("/rule starter", () => {
  it("adds a rule to a server that has none, in shadow, after showing what it would have done", async () => {
    await chat.said("Claim your free airdrop https://scam.example", "gm");
    const preview = await ask("scam-links");
    expect(preview.text).toContain(
      "New (1)**\n🔵 shadow **scam-links** · in every linked channel: Hides lures by people who are not members: fake airdrops, wallets to connect, seed phrases, easy money. → `hide the cast`",
    );
    expect(preview.text).toContain("**scam-links** 🔵 shadow\n🆕 newly hit: **1**");
    expect(await chat.version()).toBeUndefined();
    const done = await chat.click(users.owner, preview, "Add it in shadow");
    expect(done.text).toContain("Version 1 is in force: 0 enforce, 0 review, 1 shadow");
  });

  it("adds rules one after the other, and keeps the file's comments and modes", async () => {
    const yaml = `# ours\nversion: 1\nrules:\n  - id: own # mine\n    mode: enforce\n    on: [cast.created]\n    when: {text: {contains: x}}\n    then: [{hide: {}}]\n`;
    const imported = await chat.run(users.owner, "rule import", { text: yaml });
    await chat.click(users.owner, imported, "Put in force");
    for (const { id } of starterRules) {
      const preview = await ask(id);
      await chat.click(users.owner, preview, "Add it in shadow");
    }
    const { source = "", version } = (await inForce()) ?? {};
    expect(version).toBe(starterRules.length + 1);
    expect(source).toContain("# ours");
    expect(source).toContain("- id: own # mine");
    for (const { what } of starterRules) expect(source).toContain(`# ${what}`);
    const modes = parseRules(source).rules.map(({ id, mode }) => [id, mode]);
    const added = starterRules.map(({ id }) => [id, "shadow"]);
    expect(Object.fromEntries(modes)).toEqual({ own: "enforce", ...Object.fromEntries(added) });
  });

  it("describes none of them by a pattern, also with other actions or in one channel", async () => {
    const scam = starterRules.find(({ id }) => id === "scam-links");
    await chat.save(
      { ...scam?.entry, mode: "enforce", channels: ["memes"] },
      { ...scam?.entry, id: "own", then: [{ review: { queue: "links" } }] },
    );
    const { text } = await chat.run(users.owner, "rule show");
    expect(text).toContain(
      "🔴 enforce **scam-links** · in `/memes`: Hides lures by people who are not members",
    );
    expect(text).toMatch(
      /\*\*own\*\* · in every linked channel: when somebody casts, if [^\n]*matches one of 17 patterns/,
    );
    expect(text).not.toContain("matches /");
  });

  it("lists them with what each is for and how it stands, and adds none twice", async () => {
    const flood = starterRules.find(({ id }) => id === "flood");
    await chat.save({ ...flood?.entry, mode: "enforce" });
    const { text, buttons } = await chat.run(users.owner, "rule starter");
    expect(text).toContain("🔴 enforce **flood**");
    expect(text).toContain("➕ not added **scam-links**\nHides lures");
    expect(buttons).toEqual({});
    const again = await chat.run(users.owner, "rule starter", { rule: "flood" });
    expect(again.text).toContain("**flood** is already there: 🔴 enforce");
    expect(again.buttons).toEqual({});
  });

  it("takes no other rule of the same name for its own, and is added beside it", async () => {
    await chat.save(rule({ id: "flood", mode: "enforce" }), rule({ id: "flood-2" }));
    const { text } = await chat.run(users.owner, "rule starter");
    expect(text).toContain("➕ not added **flood**\nHolds for review");
    expect(text).toContain(
      "⚠️ This server already has a different rule with that name (🔴 enforce). This one would be added as **flood-3**.",
    );
    const preview = await ask("flood");
    expect(preview.text).toContain("New (1)**\n🔵 shadow **flood-3**");
    await chat.click(users.owner, preview, "Add it in shadow");
    expect((await chat.run(users.owner, "rule starter")).text).toContain(
      "🔵 shadow **flood** (as **flood-3**)",
    );
    const again = await chat.run(users.owner, "rule starter", { rule: "flood" });
    expect(again.text).toContain("**flood** is already there as **flood-3**: 🔵 shadow");
  });

  it("takes its numbers and what happens from a form", async () => {
    const preview = await ask("flood", {
      count: "3",
      within: "10 minutes",
      then: "review spam, strike 2 for 7d, ban 1d",
    });
    expect(preview.text).toContain(
      "when somebody casts, if the author has 3 or more casts within 10 minutes",
    );
    expect(preview.text).toContain(
      "`hold for review in spam`, `give 2 strike points for 7 days`, `ban the author for 1 day`",
    );
    await chat.click(users.owner, preview, "Add it in shadow");
    const { source = "", ruleSet } = (await inForce()) ?? {};
    expect(source).toContain("# Starter rule flood, with numbers of this server.");
    expect(ruleSet?.rules.map(({ entry }) => entry)).toMatchObject([
      {
        id: "flood",
        mode: "shadow",
        when: { rate: { of: "cast.created", by: "author", within: "10 minutes", gte: 3 } },
        then: [{ review: { queue: "spam" } }, { strike: { points: 2, ttl: "7d" } }, { ban: { for: "1d" } }],
      },
    ]);
  });

  it("acts at once only where that is chosen", async () => {
    const preview = await ask("duplicates");
    expect(Object.keys(preview.buttons)).toEqual(["Add it in shadow", "Let it act at once", "Cancel"]);
    await chat.click(users.owner, preview, "Let it act at once");
    expect((await inForce())?.ruleSet.rules.map(({ id, mode }) => [id, mode])).toEqual([
      ["duplicates", "enforce"],
    ]);
  });

  it("says what of the form cannot be, and keeps it to be edited again", async () => {
    const count = await ask("flood", { count: "many" });
    expect(count.text).toContain("How many must be a number such as 5");
    expect(Object.keys(count.buttons)).toEqual(["Edit again"]);
    expect((await ask("flood", { count: "1" })).text).toMatch(/is too small\\?: at least 2/);
    expect((await ask("flood", { within: "soon" })).text).toMatch(/must be a number with s, m, h, d or w/);
    expect((await ask("flood", { then: "hide, explode" })).text).toContain(
      "is not an action. Write it as in: hide,",
    );
    expect((await ask("flood", { then: "hide, " })).text).toContain("There is an action missing");
    expect(await chat.version()).toBeUndefined();
  });
});
