import { describe, expect, it } from "vitest";
import { createRuleContext } from "../../src/rules/context.ts";
import { evaluatePending, applyOpenCases } from "../support/jobs.ts";
import { newEvent, type ChannelEvent, type EventKind } from "../../src/observe/events.ts";
import { proposeCase } from "../../src/moderation/cases/propose.ts";
import { readCase } from "../../src/moderation/cases/case.ts";
import { showNumber } from "../../src/text/numbered.ts";
import { rule } from "../support/rules.ts";
import { readTables } from "../support/database.ts";
import { linkGuild, people } from "../support/world.ts";
import { useRulesInDiscord } from "../support/scenes.ts";

const chat = await useRulesInDiscord();
const { users, bot } = chat;
const { database, clock } = bot;

/** Lets the rules in force decide about what was said. */
async function decide(): Promise<void> {
  await evaluatePending(createRuleContext(bot, bot));
}

const castOf = (event: ChannelEvent | undefined) =>
  event?.kind === "cast.created" ? event.data.castHash : "no cast";

const tree = {
  all: [
    { any: [{ text: { contains: "airdrop" } }, { text: { contains: "claim" } }] },
    { not: { "author.is_member": true } },
  ],
};

describe("/rule explain", () => {
  it("shows, leaf by leaf, what a rule found when it decided", async () => {
    await chat.save(
      rule({ when: tree }),
      rule({ id: "other", mode: "shadow", when: { text: { contains: "zebra" } } }),
    );
    const [event] = await chat.said("Free *airdrop*");
    await decide();
    const before = await readTables(database.query);
    const { text } = await chat.run(users.owner, "rule explain", { cast: castOf(event) });
    const lines = text.split("\n").map((line) => line.replaceAll("\\", ""));
    expect(lines).toEqual(
      expect.arrayContaining([
        "Event E-1 in /memes",
        expect.stringMatching(/^cast\.created <t:\d+:R> · fid 7$/),
        expect.stringMatching(/^\*\*scam\*\* \(version 1, enforce\) fits/),
        "→ hide the cast: **acted**",
        "- ✅ all of these",
        "  - ✅ at least one of these",
        '    - ✅ the text contains "airdrop" → `Free *airdrop*`',
        '    - ❌ the text contains "claim" → `Free *airdrop*`',
        "  - ✅ not this",
        expect.stringMatching(/^ {4}- ❌ the author is a member → no \(channel members, <t:\d+:R>\)$/),
        "**The other rules, evaluated now (version 1):**",
        "❌ **other** 🔵 shadow",
      ]),
    );
    expect(await readTables(database.query)).toEqual(before);
    const byCase = await chat.run(users.owner, "rule explain", { case: 1 });
    const byEvent = await chat.run(users.owner, "rule explain", { event: event?.id ?? 0 });
    expect([byCase.text, byEvent.text]).toEqual([text, text]);
  });

  it("shows which condition kept a rule from firing", async () => {
    await chat.save(rule({ when: tree }));
    const events = await chat.said("gm");
    await decide();
    const { text } = await chat.run(users.owner, "rule explain", { cast: castOf(events[0]) });
    expect(text).toContain(
      "**The rules, evaluated now (version 1):**\n❌ **scam** 🔴 enforce\n- ❌ all of these",
    );
    expect(text).toContain('- ❌ the text contains "claim" → `gm`');
  });

  it("says of an event that it waits, or that evaluating it failed too often; so does /status", async () => {
    await chat.save(rule());
    const [event] = await chat.said("Free airdrop");
    const cast = castOf(event);
    expect((await chat.run(users.owner, "status")).text).toContain(
      "1 event not evaluated yet, the oldest from",
    );
    expect((await chat.run(users.owner, "rule explain", { cast })).text).toContain(
      "It is still waiting to be evaluated",
    );
    const propose = () => Promise.reject(new Error("no room left"));
    for (let time = 0; time < 5; time += 1) {
      expect(await evaluatePending(createRuleContext(bot, { ...bot, propose }))).toBe(1);
      clock.advance(61);
    }
    expect(await evaluatePending(createRuleContext(bot, { ...bot, propose }))).toBe(0);
    const status = await chat.run(users.owner, "status");
    expect(status.text).toContain("All events are evaluated.\n**1 event could not be evaluated**");
    expect((await chat.run(users.owner, "rule explain", { cast })).text).toContain("failed too often");
    // Where rules may not touch the author, all is well.
    const over = { settled_at_ms: 1, note: "The author owns the channel: exempt." };
    await database.query.updateTable("castellan.rule_evaluations").set(over).execute();
    expect((await chat.run(users.owner, "status")).text).not.toContain("could not be evaluated");
    expect((await chat.run(users.owner, "rule explain", { cast })).text).toContain("owns the channel");
  });

  it("names the author, where they have a name", async () => {
    await chat.save(rule());
    const [event] = await chat.said("gm");
    const name = { name: "pia", fid: 7, owner: "0x", since: 1 };
    await database.query.insertInto("castellan.names").values(name).execute();
    const { text } = await chat.run(users.owner, "rule explain", { cast: castOf(event) });
    await database.query.deleteFrom("castellan.names").execute();
    expect(text).toMatch(/cast\.created <t:\d+:R> · \*\*@pia\*\* \(fid 7\)/);
  });

  it("says that an author was exempt, then and now", async () => {
    await chat.save(rule());
    const events = await chat.said("airdrop");
    const [event] = events;
    await database.query.updateTable("castellan.events").set({ subject_fid: 2 }).execute();
    await decide();
    const seen = await chat.run(users.owner, "rule explain", { event: event?.id ?? 0 });
    const text = seen.text.replaceAll("\\", "");
    expect(text).toContain("ℹ️ The author moderates the channel: exempt");
    expect(text).toContain("Now no rule would be evaluated: The author moderates the channel");
  });

  it("puts what is too long for a message into a file", async () => {
    const any = Array.from({ length: 60 }, (_, index) => ({
      text: { contains: `${"word ".repeat(20)}${index}` },
    }));
    await chat.save(rule({ when: { not: { any } } }));
    const events = await chat.said("gm");
    await decide();
    const { text, message } = await chat.run(users.owner, "rule explain", { event: events[0]?.id ?? 0 });
    expect(text).toContain("… the file has all of it.");
    expect(message.attachments.map(({ filename }) => filename)).toEqual(["event-1.txt"]);
  });

  it("explains what a rule was asked about, by the number of whatever tells of its doing", async () => {
    const then = [{ hide: {} }, { strike: { points: 1 } }, { alert: { text: "Look" } }];
    await chat.save(rule({ then }), rule({ id: "look", mode: "review", then: [{ hide: {} }] }));
    const [event] = await chat.said("Free airdrop");
    await decide();
    await applyOpenCases(bot);
    const made = await database.query.selectFrom("castellan.events").select(["id", "kind"]).execute();
    const telling = ["rule.hit", "strike.added", "rule.alert", "review.held", "case.settled"];
    expect(new Set(made.map(({ kind }) => kind))).toEqual(new Set(["cast.created", ...telling]));
    const asked = await chat.run(users.owner, "rule explain", { event: showNumber("event", event?.id ?? 0) });
    expect(asked.text).toContain("**acted**");
    for (const { id } of made) {
      const { text } = await chat.run(users.owner, "rule explain", { event: `e-${id}` });
      expect(text).toBe(asked.text);
    }
    const subject = await readCase(bot, 1);
    const hidden = { sourceKey: "record 1", kind: "record.hidden", channelId: "memes", caseId: 1 } as const;
    const [done] = await chat.bot.happen(
      newEvent(clock.now(), { ...hidden, data: { castHash: subject.targetCast ?? "" } }),
    );
    const { text } = await chat.run(users.owner, "rule explain", {
      event: showNumber("event", done?.id ?? 0),
    });
    expect(text).toContain(asked.text);
    expect(text).toContain(`Event E-${done?.id} in /memes`);
    const wrong = await chat.run(users.owner, "rule explain", { event: "R-1" });
    expect(wrong.text).toContain("R-1 is the number of a review, but this needs an event");
  });

  it("says of what people did who did it, by which case and why, and what rules say of it where they listen", async () => {
    await chat.save(rule());
    const guildId = chat.discord.guildId;
    const ban = { kind: "ban", targetFid: 7, publicReason: "spam", actor: { userId: users.owner } } as const;
    await database.transaction((tx) => proposeCase(tx, clock, { ...ban, guildId, channelId: "memes" }));
    await applyOpenCases(bot);
    const find = (kind: EventKind) =>
      database.query
        .selectFrom("castellan.events")
        .select("id")
        .where("kind", "=", kind)
        .executeTakeFirstOrThrow();
    const [banned, settled] = [await find("user.banned"), await find("case.settled")];
    const asked = [{ case: "C-1" }, { event: `E-${banned.id}` }, { event: `E-${settled.id}` }];
    for (const wanted of asked) {
      const { text } = await chat.run(users.owner, "rule explain", wanted);
      expect(text).toContain(`No rule did this in /memes\nIt was <@${users.owner}>.\n**C-1** Ban`);
      expect(text).toMatch(/ · done · .*spam/);
      expect(text).not.toContain("no rule would be");
    }
    await chat.save(
      rule({ on: ["user.banned"], when: { "author.fid": { gte: 1 } }, then: [{ alert: { text: "A ban" } }] }),
    );
    const listened = await chat.run(users.owner, "rule explain", { event: `E-${banned.id}` });
    expect(listened.text).toContain("**C-1** Ban");
    expect(listened.text).toContain("**The rules, evaluated now (version 2):**");
  });

  it("explains an old case number in each channel that has it, where the room follows none", async () => {
    await bot.net.seed.channel("art", { owner: people.owner, moderators: [people.moderator, bot.botFid] });
    const { guildId } = chat.discord;
    await linkGuild(bot, "art", guildId);
    for (const channelId of ["memes", "art"]) {
      const ban = { guildId, channelId, kind: "ban" as const, targetFid: 7, actor: { userId: "1" } };
      await database.transaction((tx) => proposeCase(tx, clock, ban));
    }
    await database.query.updateTable("castellan.cases").set({ number: 1 }).execute();
    const { text } = await chat.run(users.owner, "rule explain", { case: "C-1" });
    expect(text).toContain("No rule did this in /memes");
    expect(text).toContain("No rule did this in /art");
  });

  it("knows what belongs to no channel: names, and who changed the rules", async () => {
    await chat.save(rule());
    const named = { name: "pia", owner: "0x", change: "registered" } as const;
    const [event] = await chat.bot.happen(
      newEvent(clock.now(), {
        sourceKey: "name",
        kind: "username_proof.merged",
        channelId: null,
        subjectFid: 7,
        data: named,
      }),
    );
    const { text } = await chat.run(users.owner, "rule explain", { event: `E-${event?.id}` });
    expect(text).toContain(`Event E-${event?.id} in /memes`);
    const changed = { version: 1, change: "import", added: [], removed: [], changed: [] };
    const [change] = await chat.bot.happen(
      newEvent(clock.now(), {
        sourceKey: "rules",
        kind: "rules.changed",
        channelId: null,
        data: { ...changed, guildId: chat.discord.guildId, userId: users.owner },
      }),
    );
    const byWhom = await chat.run(users.owner, "rule explain", { event: `E-${change?.id}` });
    expect(byWhom.text).toContain(`<@${users.owner}> did.`);
  });

  it("refuses what nobody decided about, and who may not see cases", async () => {
    await chat.save(rule());
    expect((await chat.run(users.owner, "rule explain", { case: 9 })).text).toContain("no case C-9");
    expect((await chat.run(users.owner, "rule explain")).text).toContain("a cast, a case, or an event");
    expect((await chat.run(users.stranger, "rule explain", { case: 1 })).text).toContain("You may not view");
  });
});
