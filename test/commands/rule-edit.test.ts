import { describe, expect, it } from "vitest";
import { findVersion } from "../../src/rules/versions/rules-of-server.ts";
import { linkGuild } from "../support/world.ts";
import { rule, ruleFile } from "../support/rules.ts";
import { useRulesInDiscord } from "../support/scenes.ts";

const chat = await useRulesInDiscord();
const { users, bot, discord } = chat;

type Opened = ReturnType<typeof discord.people.slash>;

/** What stands in the form that an interaction was answered with. */
async function formOf(opened: Opened): Promise<string> {
  const outcome = await opened.outcome;
  if (outcome.kind !== "modal") throw new Error(`the answer was ${outcome.kind}`);
  return JSON.stringify(outcome.modal);
}

const edit = (user: string, options = {}) =>
  discord.people.slash({ user, room: "general", command: "rule edit", options });

const submit = (opened: Opened, typed: string) => chat.submit(users.owner, opened, { rules: typed });

const yaml = `# ours
version: 1
rules:
  - id: scam # the first
    mode: shadow
    on: [cast.created]
    when: {text: {contains: airdrop}}
    then: [{hide: {}}]
  - id: other
    on: [cast.created]
    when: {text: {contains: zebra}}
    then: [{hide: {}}]
`;

async function saveYaml(source: string): Promise<void> {
  const { buttons, ...preview } = await chat.run(users.owner, "rule import", { text: source });
  await chat.click(users.owner, { ...preview, buttons }, "Put in force");
}

describe("/rule edit", () => {
  it("opens one rule in a form, shows difference and rehearsal, and keeps the rest of the file", async () => {
    await saveYaml(yaml);
    await chat.said("free money", "airdrop");
    const opened = edit(users.owner, { rule: "scam" });
    expect(await formOf(opened)).toContain("id: scam # the first\\nmode: shadow\\non: [cast.created]");
    const typed =
      "id: scam # better\nmode: shadow\non: [cast.created]\nwhen:\n  text: {contains: free}\nthen: [{hide: {}}]";
    const preview = await submit(opened, typed);
    expect(preview.text).toContain("**scam**: when");
    expect(preview.text).toContain("🆕 newly hit: **1** · ➖ no longer hit: **1**");
    expect(await chat.version()).toBe(1);
    expect((await chat.click(users.owner, preview, "Put in force")).text).toContain("Version 2 is in force");
    const { source } = (await findVersion(bot.database.query, discord.guildId, 2)) ?? {};
    const indented = typed.replaceAll("\n", "\n    ");
    expect(source).toBe(yaml.trimEnd().replace(/id: scam[^]*?then: \[\{hide: \{\}\}\]/, indented));
  });

  it("keeps what was typed wrongly, to be edited again", async () => {
    await saveYaml(yaml);
    const opened = edit(users.owner, { rule: "scam" });
    const refused = await submit(opened, "id: scam\nmdoe: shadow");
    expect(refused.text).toContain('did you mean "mode"?');
    expect(Object.keys(refused.buttons)).toEqual(["Edit again"]);
    const again = discord.people.click({
      user: users.owner,
      room: "general",
      message: refused.message.id,
      customId: refused.buttons["Edit again"] ?? "",
    });
    expect(await formOf(again)).toContain("id: scam\\nmdoe: shadow");
    const whole = JSON.stringify(rule({ mode: "off" }));
    expect((await submit(again, whole)).text).toContain("🔵 shadow → ⚪ off");
  });

  it("counts the lines of the form, not of the file that the rule stands in", async () => {
    await saveYaml(yaml);
    const opened = edit(users.owner, { rule: "other" });
    await opened.outcome;
    const typed =
      "id: other\non: [cast.created]\nwhen: {text: {contains: zebra}}\nthen: [{hide: {}}]\nmode: loud";
    const { text } = await submit(opened, typed);
    expect(text).toMatch(/line 5, column 7: rule other, mode.*: must be one of/);
  });

  it("puts the change onto what somebody else changed meanwhile in another rule", async () => {
    await chat.save(rule(), rule({ id: "other" }));
    const opened = edit(users.owner, { rule: "scam" });
    await opened.outcome;
    await chat.save(rule(), rule({ id: "other", mode: "off" }));
    const preview = await submit(opened, JSON.stringify(rule({ priority: 5 })));
    await chat.click(users.owner, preview, "Put in force");
    const { source = "" } = (await findVersion(bot.database.query, discord.guildId, 3)) ?? {};
    expect(JSON.parse(source)).toMatchObject({
      rules: [
        { id: "scam", priority: 5 },
        { id: "other", mode: "off" },
      ],
    });
  });

  it("warns where somebody else has changed the same meanwhile, and not where they changed another rule", async () => {
    await chat.save(rule(), rule({ id: "other" }));
    const typed = JSON.stringify(rule({ priority: 5 }));
    const first = edit(users.owner, { rule: "scam" });
    await first.outcome;
    await chat.save(rule(), rule({ id: "other", mode: "off" }));
    expect((await submit(first, typed)).text).not.toContain("While you were editing");
    const second = edit(users.owner, { rule: "scam" });
    await second.outcome;
    await chat.save(rule({ mode: "off" }), rule({ id: "other", mode: "off" }));
    expect((await submit(second, typed)).text).toContain(
      "While you were editing, this rule was changed: version 3 is in force. Yours replaces it.",
    );
  });

  it("has nothing to put in force where somebody else has put in just the same", async () => {
    await chat.save(rule());
    const opened = edit(users.owner);
    await opened.outcome;
    await chat.save(rule({ mode: "off" }));
    expect((await submit(opened, ruleFile([rule({ mode: "off" })]))).text).toContain("already in force");
  });

  it("puts a file in force of which no rule changes", async () => {
    await saveYaml(yaml);
    const preview = await chat.run(users.owner, "rule import", { text: yaml.replace("ours", "theirs") });
    expect(preview.text).toContain("No rule changes, only the text of the file");
    expect((await chat.click(users.owner, preview, "Put in force")).text).toContain("Version 2 is in force");
    expect((await findVersion(bot.database.query, discord.guildId, 2))?.source).toContain("# theirs");
  });

  it("begins a file where there is none, and hands out one that no form takes", async () => {
    const opened = edit(users.owner);
    expect(await formOf(opened)).toContain("id: first-rule");
    const long = Array.from({ length: 40 }, (_, index) => rule({ id: `r${index}` }));
    await chat.save(...long);
    const { text, message } = await chat.run(users.owner, "rule edit");
    expect(text).toContain("too long for a form");
    expect(message.attachments.map(({ filename }) => filename)).toEqual(["rules-1.json"]);
    expect(ruleFile(long).length).toBeGreaterThan(4000);
  });

  it("asks all channels at once, so that a slow network with many still gets a form in time", async () => {
    await chat.save(rule());
    const others = Array.from({ length: 9 }, (_, index) => `art${index}`);
    for (const channelId of others) {
      await bot.net.seed.channel(channelId, { owner: 1, moderators: [9001] });
      await linkGuild(bot, channelId, discord.guildId);
    }
    const { get } = bot.network.channels;
    const waiting: (() => void)[] = [];
    /** Answers nobody before all ten have asked. */
    const slow: typeof get = async (...asked) => {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        if (waiting.length > others.length) for (const go of waiting) go();
      });
      return get(...asked);
    };
    await chat.restart({ network: { ...bot.network, channels: { ...bot.network.channels, get: slow } } });
    expect(await formOf(edit(users.owner, { rule: "scam" }))).toContain("Edit a rule");
    await chat.restart();
  });

  it("shows no form if the network is too slow for Discord's time limit", async () => {
    await chat.save(rule());
    let answer = () => {};
    const { get } = bot.network.channels;
    const slow: typeof get = async (...asked) => {
      await new Promise<void>((resolve) => (answer = resolve));
      return get(...asked);
    };
    await chat.restart({
      formTimeoutMs: 10,
      network: { ...bot.network, channels: { ...bot.network.channels, get: slow } },
    });
    expect((await chat.run(users.owner, "rule edit", { rule: "scam" })).text).toContain(
      "too slow for a form",
    );
    answer();
    await chat.restart();
  });

  it("tells a stranger so, without a form, and asks for the right again after it", async () => {
    await chat.save(rule());
    expect((await chat.run(users.stranger, "rule edit")).text).toContain(
      "You may not view or change the rules of /memes",
    );
    const opened = edit(users.owner, { rule: "scam" });
    await opened.outcome;
    await bot.database.query.deleteFrom("castellan.links").execute();
    expect((await submit(opened, JSON.stringify(rule({ priority: 5 })))).text).toContain(
      "not linked to any channel",
    );
  });
});

describe("versions", () => {
  it("are listed with who and when, page by page", async () => {
    for (let priority = 0; priority < 17; priority++) await chat.save(rule({ priority }));
    const first = await chat.run(users.owner, "rule show", { history: true });
    expect(first.text).toContain(`**17** \`import\` by <@${users.owner}>`);
    expect(first.text).toMatch(/\*\*17\*\*.* · in force/);
    expect(first.text).not.toContain("**2**");
    const second = await chat.click(users.owner, first, "Next");
    expect(second.text).toContain("**2**");
    expect(second.text).not.toContain("**3**");
  });

  it("come back by rollback as a new one, named, and without waiting for a rehearsal", async () => {
    await chat.save(rule());
    await chat.save(rule({ when: { text: { contains: "gm" } } }));
    await chat.said("gm", "airdrop");
    const preview = await chat.run(users.owner, "rule rollback");
    expect(preview.text).toContain("**scam**: when");
    expect(preview.text).toContain("Restore version 1 of the rules? Version 2 is in force");
    expect(preview.text).toContain(`Version 1: \`import\` by <@${users.owner}>, <t:`);
    expect(preview.text).toContain("Not rehearsed");
    expect(preview.text).not.toContain("Rehearsed");
    await chat.click(users.owner, preview, "Bring it back");
    expect((await chat.run(users.owner, "rule show", { history: true })).text).toContain(
      "**3** `rollback to version 1`",
    );
    expect(await findVersion(bot.database.query, discord.guildId, 3)).toMatchObject({
      source: ruleFile([rule()]),
    });
    expect((await chat.run(users.owner, "rule rollback", { version: 9 })).text).toContain(
      "There is no version 9",
    );
  });

  it("wait for no rehearsal where a rule is held back, but for one where it may do more", async () => {
    await chat.save(rule({ mode: "review" }));
    await chat.said("airdrop");
    const less = await chat.run(users.owner, "rule mode", { rule: "scam", mode: "off" });
    expect(Object.keys(less.buttons)).toEqual(["Change it", "Cancel"]);
    expect(less.text).not.toContain("Rehearsed");
    const more = await chat.run(users.owner, "rule mode", { rule: "scam", mode: "enforce" });
    expect(more.text).toContain("Rehearsed on 1 events");
  });
});
