import { addFeed } from "../../src/feed/feeds.ts";
import { capabilities, giveCapabilities } from "../../src/moderation/capabilities.ts";
import { proposeCase } from "../../src/moderation/cases/propose.ts";
import { saveRules } from "../../src/rules/versions/rules-of-server.ts";
import { linkGuild, people, seedChannel, type TestBot, verifyDiscord } from "./bot.ts";
import { cast } from "./rights-table.ts";
import { rule, ruleSetOf } from "./rules.ts";

export const working = "900";
export const suspended = "901";
export const unlinked = "902";

/** By server: the number of its feed, and what is held for review. */
export interface SeededRights {
  feeds: Map<string, number>;
  items: Map<string, { id: number; tag: string }>;
}

/** A channel that works in one server, is suspended in another and linked to no third; each has a rule, a feed, a case and a review. */
export async function seedRights(bot: TestBot): Promise<SeededRights> {
  const { database, clock } = bot;
  const feeds = new Map<string, number>();
  const items = new Map<string, { id: number; tag: string }>();
  await database.truncate();
  // What suggestions remember of rights is older than this.
  clock.advance(10);
  await seedChannel(bot, "memes", working);
  await linkGuild(bot, "memes", suspended, "1004");
  await verifyDiscord(bot, people.owner, "1001");
  await verifyDiscord(bot, people.moderator, "1002");
  const { query } = database;
  await query.updateTable("castellan.links").set({ linked_by: "1004" }).execute();
  await query
    .updateTable("castellan.links")
    .set({ suspended_at_ms: 1, suspended_reason: "No proof." })
    .where("guild_id", "=", suspended)
    .execute();
  for (const guildId of [working, suspended]) {
    for (const one of capabilities) {
      const given = { guildId, channelId: "memes", roleId: one, capabilities: [one] };
      await database.transaction((tx) => giveCapabilities(tx, given));
    }
  }
  for (const hidden of [false, true]) {
    const hash = await bot.net.seed.cast({ fid: people.troll, channelId: "memes" });
    const place = {
      channel_id: "memes",
      parent_hash: null,
      root_hash: hidden ? hash : cast,
      thread_depth: 0,
    };
    const known = { hash: hidden ? hash : cast, fid: people.troll, text: "gm", cast_at: 1, embeds: "[]" };
    await query
      .insertInto("castellan.casts")
      .values({ ...place, ...known, hidden, removed_at: null, erased_at_ms: null })
      .execute();
  }
  await query
    .insertInto("castellan.names")
    .values({ name: "troll", fid: people.troll, owner: "0x", since: 1 })
    .execute();
  for (const guildId of [working, suspended, unlinked]) {
    const feed = { guildId, roomId: guildId, channelIds: null, kinds: ["bans" as const], namePattern: null };
    feeds.set(guildId, await addFeed(bot, { ...feed, peopleOnly: false, createdBy: "1" }));
    const rules = { guildId, ruleSet: ruleSetOf(rule()), change: "import", savedBy: "1", savedAt: 1 };
    await database.transaction((tx) => saveRules(tx, { ...rules, baseVersion: 0 }));
    const item = await query
      .insertInto("castellan.review_items")
      .values({
        guild_id: guildId,
        channel_id: "memes",
        queue: "q",
        event_id: 1,
        rule_id: "scam",
        rule_version: 1,
        depth: 1,
        fid: people.troll,
        cast_hash: cast,
        evidence: null,
        why: null,
        held_at_ms: 1,
        deeds: JSON.stringify([
          {
            actionIndex: 0,
            sentence: "hide",
            deed: {
              kind: "hide",
              castHash: cast,
            },
          },
        ]),
        claimed_by: null,
        claimed_at_ms: null,
        reminded_at_ms: null,
        decided_by: null,
        decided_at_ms: null,
      })
      .returning(["id", "tag"])
      .executeTakeFirstOrThrow();
    items.set(guildId, item);
    const about = { channelId: "memes", kind: "ban" as const, targetFid: people.troll };
    await database.transaction((tx) => proposeCase(tx, clock, { guildId, ...about, actor: { userId: "1" } }));
  }
  await query.updateTable("castellan.cases").set({ state: "failed" }).execute();
  await query
    .insertInto("castellan.events")
    .values({
      id: 1000,
      source_key: "x",
      kind: "user.banned",
      channel_id: "memes",
      subject_fid: people.troll,
      cast_hash: null,
      occurred_at: 1,
      observed_at_ms: 1,
      depth: 0,
      case_id: null,
      data: JSON.stringify({ at: 1 }),
    })
    .execute();
  return { feeds, items };
}
