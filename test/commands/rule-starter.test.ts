import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { parseRules } from "../../src/rules/language/parse-rules.ts";
import { findRules } from "../../src/rules/versions/rules-of-server.ts";
import { starterRules } from "../../src/rules/starter/starter-rules.ts";
import { rule } from "../support/rules.ts";
import { startRulesInDiscord } from "../support/rules-in-discord.ts";

const chat = await startRulesInDiscord();
const { users, bot, discord } = chat;
afterAll(() => chat.stop());
beforeEach(() => chat.reset());

const inForce = () => findRules(bot, discord.guildId);

describe("/rule starter", () => {
  it("adds a rule to a server that has none, in shadow, after showing what it would have done", async () => {
    await chat.said("Claim your free airdrop https://scam.example", "gm");
    const preview = await chat.run(users.owner, "rule starter", { rule: "scam-links" });
    expect(preview.text).toContain("New (1)**\n🔵 shadow **scam-links**");
    expect(preview.text).toContain("**scam-links** 🔵 shadow\n🆕 newly hit: **1**");
    expect(await chat.version()).toBeUndefined();
    const done = await chat.click(users.owner, preview, "Add it in shadow");
    expect(done.text).toContain("Version 1 is in force: 0 enforce, 0 review, 1 shadow");
  });

  it("adds one after the other to what is there, which keeps its comments and its modes", async () => {
    const yaml = `# ours\nversion: 1\nrules:\n  - id: own # mine\n    mode: enforce\n    on: [cast.created]\n    when: {text: {contains: x}}\n    then: [{hide: {}}]\n`;
    const imported = await chat.run(users.owner, "rule import", { text: yaml });
    await chat.click(users.owner, imported, "Put in force");
    for (const { id } of starterRules) {
      const preview = await chat.run(users.owner, "rule starter", { rule: id });
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
    const preview = await chat.run(users.owner, "rule starter", { rule: "flood" });
    expect(preview.text).toContain("New (1)**\n🔵 shadow **flood-3**");
    await chat.click(users.owner, preview, "Add it in shadow");
    expect((await chat.run(users.owner, "rule starter")).text).toContain(
      "🔵 shadow **flood** (as **flood-3**)",
    );
    const again = await chat.run(users.owner, "rule starter", { rule: "flood" });
    expect(again.text).toContain("**flood** is already there as **flood-3**: 🔵 shadow");
  });

  it("refuses a stranger", async () => {
    const { text } = await chat.run(users.stranger, "rule starter", { rule: "flood" });
    expect(text).toContain("You may not view or change the rules of /memes");
  });
});
