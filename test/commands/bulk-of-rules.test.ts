import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { applyOpenCases } from "../../src/moderation/cases/apply.ts";
import { createProposeRuleAction } from "../../src/moderation/cases/propose.ts";
import { expireBans } from "../../src/moderation/cases/expire.ts";
import { newEvent } from "../../src/observe/events.ts";
import { saveRules } from "../../src/rules/versions/rules-of-server.ts";
import { addCasts } from "../support/casts.ts";
import { preview } from "../support/confirmed.ts";
import { rule, ruleSetOf } from "../support/rules.ts";
import {
  commandContext,
  createWorld,
  people,
  seedChannel,
  verifyDiscord,
  type World,
} from "../support/world.ts";

let bot: World;
let context: CommandContext;

beforeAll(async () => {
  bot = await createWorld();
});
afterAll(() => bot.database.close());
beforeEach(async () => {
  await bot.database.truncate();
  await seedChannel(bot, "memes", "g1");
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
  const origin = {
    guildId: "g1",
    channelId: "memes",
    eventId,
    ruleId,
    ruleVersion: 1,
    actionIndex: 0,
    depth: 1,
    evidence: null,
  };
  const full = action.kind === "ban" ? { ...action, reason: null, forSeconds: null } : action;
  await bot.database.transaction((tx) => createProposeRuleAction(bot.clock)(tx, { ...origin, action: full }));
  await applyOpenCases(bot);
}

describe("/rule undo", () => {
  test("takes back everything that a rule did since a time, and nothing else", async () => {
    const [early = "", late = "", others = ""] = await addCasts(bot, 3, { fid: troll });
    await actByRule(1, "links", { kind: "hide", castHash: early });
    bot.clock.advance(7200);
    await actByRule(2, "links", { kind: "hide", castHash: late });
    await actByRule(3, "links", { kind: "ban", fid: troll });
    await actByRule(4, "another", { kind: "hide", castHash: others });
    const { text, act } = await preview(context, "rule undo", {
      rule: "links",
      since: "1h",
      reason: "too eager",
    });
    expect(text).toContain("2 cases: what rule `links` did in /memes since");
    expect(text).toContain("1 cast shows again.");
    expect(text).toContain("1 ban is lifted");
    expect(await act()).toContain("1 ban lifted, 1 cast shown again");
    expect(await hidden([early, late, others])).toEqual([true, false, true]);
    const again = await preview(context, "rule undo", { rule: "links", since: "1h" });
    expect(again.text).toContain("can be undone: it was undone since.");
  });
});

describe("/rule sweep", () => {
  test("does to the past what a rehearsal found: hides each cast that the rule fits and that is still visible", async () => {
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
    expect(text).toContain("Hide these 2 casts in /memes?");
    expect(text).toContain(
      "fits 3 casts of the last 7 days in /memes; 2 of them are still visible, by 1 author.",
    );
    expect(await act()).toContain("**2 casts hidden**");
    expect(await hidden([...spam, ...fine])).toEqual([false, true, true, false, false]);
    expect((await preview(context, "rule sweep", { rule: "drops", action: "ban" })).text).toContain(
      "Ban these 1 author",
    );
  });
});

describe("/ban soft and /hide thread:true", () => {
  test("a soft ban leaves restricted, and nothing to lift", async () => {
    const { text, act } = await preview(context, "ban soft", { user: "3", reason: "cool down" });
    expect(text).toContain("now: member");
    expect(await act()).toContain("Unban · done");
    const { result } = await bot.network.channelRestrictedUsers.list({ channelId: "memes" });
    expect(result.restrictedUsers.map(({ fid }) => fid)).toEqual([3]);
    expect(await expireBans(bot)).toBe(0);
    await bot.network.channelBans.ban({ channelId: "memes", banFid: troll });
    expect((await preview(context, "ban soft", { user: String(troll) })).text).toContain(
      "/ban remove lifts that",
    );
    await expect(preview(context, "ban soft", { user: "1" })).rejects.toThrow("owner of the channel");
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
    expect(text).toContain("2 casts, with all replies below it");
    expect(await act()).toContain("**2 casts hidden**");
    expect(await hidden([root, beside, reply, deep])).toEqual([false, false, true, true]);
  });
});
