import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { parseRules } from "../../src/rules/language/parse-rules.ts";
import { findRules, listVersions, saveRules } from "../../src/rules/versions/rules-of-server.ts";
import { castHash as someHash, castRow, rule } from "../support/rules.ts";
import { useRulesInDiscord } from "../support/scenes.ts";

const chat = await useRulesInDiscord();
const { users, bot, discord } = chat;

const inForce = async () => {
  const rules = await findRules(bot, discord.guildId);
  return { source: rules?.source ?? "", lists: rules?.ruleSet.lists, rules: rules?.ruleSet.rules ?? [] };
};
const add = (list: string, values: string, more = {}) =>
  chat.run(users.owner, "list add", { list, values, ...more });

/** Puts a file in force. */
async function saveFile(source: string): Promise<void> {
  const ruleSet = parseRules(source);
  const rules = { guildId: discord.guildId, ruleSet, change: "import", savedBy: users.owner, baseVersion: 0 };
  await bot.database.transaction((tx) => saveRules(tx, { ...rules, savedAt: bot.clock.now() }));
}

/** A cast of fid 7 whose hash is known. */
async function cast(text: string, embeds: readonly string[] = []): Promise<string> {
  const [event] = await chat.said(text);
  if (event?.kind !== "cast.created") throw new Error("nothing was said");
  const { castHash } = event.data;
  await sql`update castellan.casts set embeds = ${JSON.stringify(embeds)}::text::jsonb where hash = ${castHash}`.execute(
    bot.database.query,
  );
  return castHash;
}

describe("/list add", () => {
  it("makes a list with the simplest rule for it in shadow, and shows what that would have hit", async () => {
    await chat.said("claim at https://evil.example/x", "gm");
    const preview = await add("blocked_links", "everybody: https://www.evil.example/path !");
    expect(preview.text).toContain("To the new list **blocked_links** (links): `evil.example`");
    expect(preview.text).toContain(
      "🔵 shadow **blocked-links** · in every linked channel: when somebody casts",
    );
    expect(preview.text).toContain("**blocked-links** 🔵 shadow\n🆕 newly hit: **1**");
    expect(Object.keys(preview.buttons)).toEqual(["Add it and the rule", "Only the list", "Cancel"]);
    expect(await chat.version()).toBeUndefined();
    const done = await chat.click(users.owner, preview, "Add it and the rule");
    expect(done.text).toContain("Version 1 is in force: 0 enforce, 0 review, 1 shadow");
    const { rules, lists } = await inForce();
    expect(lists?.get("blocked_links")).toEqual({ type: "domain", values: ["evil.example"] });
    expect(rules.map(({ id, mode }) => [id, mode])).toEqual([["blocked-links", "shadow"]]);
    const mode = await chat.ask(users.owner, done, "Let blocked-links act");
    expect(mode.text).toContain("→ 🔴 enforce");
  });

  it("can make the list alone, which changes no rule", async () => {
    await chat.save(rule());
    const preview = await add("blocked_phrases", "free airdrop: 100%");
    await chat.click(users.owner, preview, "Only the list");
    const { rules, lists } = await inForce();
    expect(lists?.get("blocked_phrases")?.values).toEqual(["free airdrop: 100%"]);
    expect(rules.map(({ id }) => id)).toEqual(["scam"]);
  });

  it("adds to a list that a rule looks at as a small version of its own, which a rollback takes back", async () => {
    await chat.click(users.owner, await add("blocked_links", "a.example"), "Add it and the rule");
    await chat.said("https://b.example", "gm");
    const preview = await add("blocked_links", "https://a.example https://b.example");
    expect(preview.text).toContain("To the list **blocked_links** (links): `b.example`");
    expect(preview.text).toContain("Already in it: 1.");
    expect(preview.text).toContain("Used by **blocked-links** (🔵 shadow).");
    expect(preview.text).toContain("🆕 newly hit: **1**");
    await chat.click(users.owner, preview, "Add it");
    const [latest] = await listVersions(bot.database.query, discord.guildId, 1);
    expect(latest?.change).toBe("list blocked_links: 1 value added");
    const back = await chat.run(users.owner, "rule rollback");
    await chat.click(users.owner, back, "Bring it back");
    expect((await inForce()).lists?.get("blocked_links")?.values).toEqual(["a.example"]);
    const again = await add("blocked_links", "A.EXAMPLE");
    expect(again.text).toContain("That is in the list **blocked_links** already.");
    expect(again.buttons).toEqual({});
  });

  it("finds people by name, fid and link, and phrases word for word", async () => {
    await bot.database.query
      .insertInto("castellan.names")
      .values({ name: "pia", fid: 7, owner: "0x", since: 1 })
      .execute();
    const preview = await add("blocked_people", "@pia, fid 9 12");
    expect(preview.text).toContain("`@pia (fid 7)`, `9`, `12`");
    await chat.click(users.owner, preview, "Add it and the rule");
    expect((await inForce()).lists?.get("blocked_people")).toEqual({ type: "fid", values: [7, 9, 12] });
  });

  it("asks what a new list holds, warns of what everybody uses, and refuses what is nothing", async () => {
    expect((await add("odd", "x")).text).toContain("Choose its type");
    const shared = await add("odd", "https://github.com/evil", { type: "links" });
    expect(shared.text).toContain("⚠️ Many people link to `github.com`");
    expect((await add("odd", "gm", { type: "phrases" })).text).toContain("⚠️ `gm` is short");
    expect((await add("odd", "no link", { type: "links" })).text).toContain("There is no link in that.");
    expect((await add("Odd one", "x", { type: "phrases" })).text).toContain("must be 1 to 40 of a-z");
    expect((await add("odd", "\u200b \u200b", { type: "phrases" })).text).toContain("no visible characters");
  });

  it("takes ten thousand values, and no more", { timeout: 120_000 }, async () => {
    const values = Array.from({ length: 9_999 }, (_, index) => index + 1);
    await saveFile(`version: 1\nlists:\n  many: {type: fid, values: [${values.join(", ")}]}\nrules: []\n`);
    await chat.click(users.owner, await add("many", "100000"), "Only the list");
    expect((await inForce()).lists?.get("many")?.values.length).toBe(10_000);
    expect((await add("many", "100001")).text).toMatch(/is too long\\?: at most 10000/);
  });

  it("says when the file would be too large", { timeout: 120_000 }, async () => {
    const phrases = Array.from({ length: 260 }, (_, index) => `- ${"x".repeat(490)} ${index}`);
    const lines = phrases.join("\n      ");
    await saveFile(`version: 1\nlists:\n  long:\n    type: text\n    values:\n      ${lines}\nrules: []\n`);
    expect((await add("long", "y".repeat(499))).text).toContain("at most 128 kB are read");
  });
});

describe("/list remove", () => {
  it("takes out what is there, and leaves the rest and the file's comments", async () => {
    await chat.click(users.owner, await add("blocked_phrases", "Free Airdrop"), "Add it and the rule");
    await chat.click(users.owner, await add("blocked_phrases", "claim now"), "Add it");
    const remove = (values: string) =>
      chat.run(users.owner, "list remove", { list: "blocked_phrases", values });
    const preview = await remove("free airdrop");
    expect(preview.text).toContain("From the list **blocked_phrases** (phrases): `Free Airdrop`");
    await chat.click(users.owner, preview, "Remove");
    const { lists, source } = await inForce();
    expect(lists?.get("blocked_phrases")?.values).toEqual(["claim now"]);
    expect(source).toContain("# Hides casts that contain a phrase of the list blocked_phrases.");
    expect((await remove("free airdrop")).text).toContain("That is not in the list");
    const { text } = await chat.run(users.owner, "list remove", { list: "none", values: "x" });
    expect(text).toContain("There is no list");
  });
});

describe("/list show", () => {
  it("shows all lists with the rules that look at them, and what is in one", async () => {
    expect((await chat.run(users.owner, "list show")).text).toContain("No lists yet.");
    await chat.click(users.owner, await add("blocked_links", "a.example"), "Add it and the rule");
    await chat.click(users.owner, await add("blocked_people", "7"), "Only the list");
    const { text } = await chat.run(users.owner, "list show");
    expect(text).toContain("**blocked_links** · 1 value (links) · Used by **blocked-links** (🔵 shadow).");
    expect(text).toContain("**blocked_people** · 1 value (people) · No rule uses it.");
    const one = await chat.run(users.owner, "list show", { list: "blocked_links" });
    expect(one.text).toContain("blocked_links: 1 value (links)\n`a.example`");
  });
});

describe("/list add with a cast", () => {
  const block = (hash: string) => chat.run(users.owner, "list add", { cast: hash });

  it("offers the link, a phrase and the author of a cast", async () => {
    const hash = await cast("claim https://evil.example/now", ["https://imagedelivery.net/a/b"]);
    const asked = await block(hash);
    expect(Object.keys(asked.buttons)).toEqual(["Link evil.example", "A phrase", "All by fid 7", "Cancel"]);
    const preview = await chat.click(users.owner, asked, "Link evil.example");
    expect(preview.text).toContain("To the new list **blocked_links** (links): `evil.example`");
    expect(preview.text).toContain("🆕 newly hit: **1**");
    await chat.click(users.owner, preview, "Add it and the rule");
    expect((await inForce()).lists?.get("blocked_links")?.values).toEqual(["evil.example"]);
  });

  it("asks which of several links in a menu, and for a phrase in a form", async () => {
    const hash = await cast("https://a.example https://b.example claim now");
    const asked = await block(hash);
    expect(Object.keys(asked.menu.values)).toEqual(["a.example", "b.example"]);
    const chosen = await chat.choose(users.owner, asked, "b.example");
    expect(chosen.text).toContain("(links): `b.example`");
    const phrase = await chat.fill(users.owner, await block(hash), "A phrase", {
      values: "claim now\n\nfree mint",
    });
    expect(phrase.text).toContain("To the new list **blocked_phrases** (phrases): `claim now`, `free mint`");
    await chat.click(users.owner, phrase, "Add it and the rule");
    expect((await inForce()).lists?.get("blocked_phrases")?.values).toEqual(["claim now", "free mint"]);
  });

  it("puts the author on a list, and is in the menu of messages and under a hide", async () => {
    const hash = await cast("gm");
    const said = discord.people.say({ user: "owner", room: "general", content: `see ${hash}` });
    const asked = await chat.openMenu(users.owner, "Block", said.id);
    const preview = await chat.click(users.owner, asked, "All by fid 7");
    expect(preview.text).toContain("(people): `7`");
    await chat.click(users.owner, preview, "Add it and the rule");
    expect((await inForce()).rules.map(({ id }) => id)).toEqual(["blocked-people"]);
    const real = await bot.net.seed.cast({ fid: 7, channelId: "memes", text: "x" });
    await bot.database.query.insertInto("castellan.casts").values(castRow(real)).execute();
    const hidden = await chat.click(users.owner, await chat.run(users.owner, "hide", { cast: real }), "Hide");
    expect(Object.keys(hidden.buttons)).toContain("Add to blocklist…");
  });

  it("refuses an unknown cast, and people without the permission for rules", async () => {
    expect((await block(someHash)).text).not.toContain("What should go on the blocklist?");
    const hash = await cast("gm");
    const { text } = await chat.run(users.stranger, "list add", { cast: hash });
    expect(text).toContain("You may not");
  });
});
