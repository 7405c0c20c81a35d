import { beforeEach, describe, expect, test } from "vitest";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { expireBans } from "../../src/moderation/cases/expire.ts";
import { newEvent } from "../../src/observe/events.ts";
import { countStrikes, listNotes } from "../../src/rules/actions/strikes-and-notes.ts";
import { saveRules } from "../../src/rules/versions/rules-of-server.ts";
import { addCasts } from "../support/casts.ts";
import { preview } from "../support/confirmed.ts";
import { rule, ruleSetOf } from "../support/rules.ts";
import { commandContext, people, verifyDiscord } from "../support/world.ts";
import { applyOpenCases, proposeByRule } from "../support/jobs.ts";
import { useWorld } from "../support/test-cases.ts";

let context: CommandContext;

const bot = await useWorld();
beforeEach(async () => {
  await verifyDiscord(bot, people.moderator, "1002");
  context = commandContext(bot, {
    userId: "1002",
    guildId: "g1",
    roomId: "1",
    roleIds: [],
    managesServer: false,
  });
});

const { troll } = people;

async function hidden(hashes: readonly string[]): Promise<boolean[]> {
  const casts = await Promise.all(hashes.map((hash) => bot.net.api.operator.readCast({ hash })));
  return casts.map(({ hiddenByModeration }) => hiddenByModeration);
}

/** A rule did this by itself. */
async function actByRule(
  eventId: number,
  ruleId: string,
  action: { kind: "hide"; castHash: string } | { kind: "ban"; fid: number },
) {
  const full = action.kind === "ban" ? { ...action, reason: null, forSeconds: null } : action;
  await proposeByRule(bot, full, { eventId, ruleId });
  await applyOpenCases(bot);
}

describe("/undo of a rule", () => {
  test("takes back everything that a rule did since a time, and nothing else", async () => {
    const [early = "", late = "", others = ""] = await addCasts(bot, 3, { fid: troll });
    await actByRule(1, "links", { kind: "hide", castHash: early });
    bot.clock.advance(7200);
    await actByRule(2, "links", { kind: "hide", castHash: late });
    await actByRule(3, "links", { kind: "ban", fid: troll });
    await actByRule(4, "another", { kind: "hide", castHash: others });
    const { text, act } = await preview(context, "undo", {
      what: "rule:links",
      since: "1h",
      reason: "too eager",
    });
    expect(text).toContain("2 cases by rule `links` in /memes since");
    expect(text).toContain("1 cast shows again.");
    expect(text).toContain("1 ban is lifted");
    expect(await act()).toContain("1 ban lifted, 1 cast shown again");
    expect(await hidden([early, late, others])).toEqual([true, false, true]);
    const again = await preview(context, "undo", { what: "rule:links", since: "1h" });
    expect(again.text).toContain("can be undone: it was undone since.");
  });
});

describe("/undo of a rule's strikes and notes", () => {
  /** What the rule gave by itself at an event, or what a person approved. */
  async function mark(eventId: number, outcome: "acted" | "held", ruleId = "links") {
    const origin = { guild_id: "g1", channel_id: "memes", event_id: eventId, rule_id: ruleId };
    const now = bot.clock.now();
    const { query } = bot.database;
    const ownAction = { action_source: "rule" as const, review_round: 0 };
    const strike = { fid: troll, points: 2, given_at_ms: now, expires_at_ms: null, rule_version: 1 };
    await query
      .insertInto("castellan.strikes")
      .values({ ...origin, ...strike, ...ownAction, action_index: 0 })
      .execute();
    await query
      .insertInto("castellan.user_notes")
      .values({
        ...origin,
        fid: troll,
        text: "Sells lamps",
        written_at_ms: now,
        ...ownAction,
        action_index: 1,
      })
      .execute();
    const decision = { rule_version: 1, mode: "enforce" as const, outcome, action: "x", tree: "{}" };
    await query
      .insertInto("castellan.rule_decisions")
      .values([0, 1].map((action_index) => ({ ...origin, ...decision, action_index, decided_at_ms: now })))
      .execute();
  }
  const points = () =>
    countStrikes(bot.database.query, bot.clock, { guildId: "g1", channelId: "memes", fid: troll });
  const notes = () =>
    listNotes(bot.database.query, { guildId: "g1", channelIds: ["memes"], fid: troll }, { limit: 10 });

  test("takes those of the rule's run with it, not what a person approved, another rule gave, or came since", async () => {
    await mark(1, "acted");
    bot.clock.advance(7200);
    const [cast = ""] = await addCasts(bot, 1, { fid: troll });
    await actByRule(2, "links", { kind: "hide", castHash: cast });
    await mark(2, "acted");
    await mark(3, "held");
    await mark(4, "acted", "another");
    const { text, act } = await preview(context, "undo", { what: "rule:links", since: "1h" });
    expect(text).toContain("↩️ 1 strike and 1 note are removed.");
    bot.clock.advance(1);
    await mark(5, "acted");
    expect(await points()).toBe(10);
    const told = await act();
    expect(told).toContain("1 cast shown again");
    expect(told).toContain("1 strike and 1 note are removed.");
    expect([await points(), (await notes()).all]).toEqual([8, 4]);
    const { strikes } = await bot.database.query
      .selectFrom("castellan.strikes")
      .select((query) => query.fn.countAll<number>().as("strikes"))
      .executeTakeFirstOrThrow();
    expect(strikes).toBe(5);
  });

  test("takes them alone where the rule has no cases, once", async () => {
    await mark(1, "acted");
    const first = await preview(context, "undo", { what: "rule:links" });
    const second = await preview(context, "undo", { what: "rule:links" });
    expect(first.text).toContain("0 cases");
    expect(await first.act()).toContain("1 strike and 1 note are removed.");
    expect(await second.act()).toContain("It had no active strikes or notes.");
    expect(await points()).toBe(0);
    const third = await preview(context, "undo", { what: "rule:links" });
    expect(third.text).toContain("can be undone: it did nothing.");
  });
});

describe("/rule sweep", () => {
  test("does to the past what a rehearsal found: hides each cast that the rule fits and that is still visible", async () => {
    const name = { name: "troll", fid: troll, owner: "0x", since: 1 };
    await bot.database.query.insertInto("castellan.names").values(name).execute();
    const spam = await addCasts(bot, 3, { fid: troll, text: "airdrop" });
    const fine = await addCasts(bot, 2, { fid: troll, text: "gm" });
    const texts = [
      ...spam.map((hash, index) => ({ hash, text: `airdrop ${index}` })),
      ...fine.map((hash) => ({ hash, text: "gm" })),
    ];
    for (const { hash, text } of texts) {
      const data = { castHash: hash, text, rootHash: hash, threadDepth: 0, mentions: [], embeds: [] };
      await bot.happen(
        newEvent(bot.clock.now(), {
          sourceKey: hash,
          kind: "cast.created",
          channelId: "memes",
          subjectFid: troll,
          data,
        }),
      );
    }
    await bot.database.query
      .updateTable("castellan.casts")
      .set({ removed_at: 1 })
      .where("hash", "=", spam[0] ?? "")
      .execute();
    const ruleSet = ruleSetOf(rule({ id: "drops", mode: "shadow" }));
    await bot.database.transaction((tx) =>
      saveRules(tx, { guildId: "g1", ruleSet, change: "import", savedBy: "1", savedAt: 1, baseVersion: 0 }),
    );
    const { text, act } = await preview(context, "rule sweep", { rule: "drops" });
    expect(text).toContain(`> **@troll** (fid ${troll}) `);
    expect(text).toContain("Hide these 2 casts in /memes?");
    expect(text).toContain(
      "matches 3 casts of the last 7 days in /memes; 2 of them are still visible, by 1 author.",
    );
    const banning = await preview(context, "rule sweep", { rule: "drops", action: "ban" });
    expect(banning.text).toContain("Ban these 1 author from /memes?");
    expect(banning.text).toContain("A ban hides all their replies, old and new.");
    expect(banning.text).toContain(`> **@troll** (fid ${troll}) `);
    expect(banning.label).toBe("1 day");
    expect(await act()).toContain("**2 casts hidden**");
    expect(await hidden([...spam, ...fine])).toEqual([false, true, true, false, false]);
    expect((await preview(context, "rule sweep", { rule: "drops" })).text).toContain("Nothing to do.");
    const [again = ""] = await addCasts(bot, 1, { fid: troll, text: "airdrop" });
    await bot.happen(
      newEvent(bot.clock.now(), {
        sourceKey: again,
        kind: "cast.created",
        channelId: "memes",
        subjectFid: troll,
        data: { castHash: again, text: "airdrop", rootHash: again, threadDepth: 0, mentions: [], embeds: [] },
      }),
    );
    await (await preview(context, "ban", { user: String(troll), duration: "1d" })).act();
    const nobody = (await preview(context, "rule sweep", { rule: "drops", action: "ban" })).text;
    expect(nobody).toContain("Nobody to ban");
    expect(nobody).toContain("1 user is banned already");
  });
});

describe("/ban restrict:true and /hide thread:true", () => {
  test("a soft ban leaves restricted, and nothing to lift", async () => {
    const { text, act } = await preview(context, "ban", { user: "3", reason: "cool down", restrict: true });
    expect(text).toContain("now: member");
    expect(await act()).toContain("Unban · done");
    const { result } = await bot.network.channelRestrictedUsers.list({ channelId: "memes" });
    expect(result.restrictedUsers.map(({ fid }) => fid)).toEqual([3]);
    expect(await expireBans(bot)).toBe(0);
    await bot.network.channelBans.ban({ channelId: "memes", banFid: troll });
    const banned = { user: String(troll), restrict: true };
    expect((await preview(context, "ban", banned)).text).toContain("</undo> lifts the ban");
    await expect(preview(context, "ban", { user: "1", restrict: true })).rejects.toThrow(
      "owner of the channel",
    );
    await expect(preview(context, "ban", { ...banned, duration: "1d" })).rejects.toThrow("With `restrict`");
  });

  test("a thread is hidden with every reply below it, and no cast beside it", async () => {
    const [root = "", beside = "", reply = "", deep = ""] = await addCasts(bot, 4, { fid: troll });
    const under = (hash: string, parent_hash: string) =>
      bot.database.query
        .updateTable("castellan.casts")
        .set({ parent_hash, root_hash: root })
        .where("hash", "=", hash)
        .execute();
    await under(beside, root);
    await under(reply, root);
    await under(deep, reply);
    const { text, act } = await preview(context, "hide", { cast: reply, thread: true });
    expect(text).toContain("2 casts, with all visible replies below it");
    expect(await act()).toContain("**2 casts hidden**");
    expect(await hidden([root, beside, reply, deep])).toEqual([false, false, true, true]);
  });
});
