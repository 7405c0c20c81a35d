import type { RawValues } from "../../src/discord/command.ts";
import { addFeed } from "../../src/feed/feeds.ts";
import { capabilities, giveCapabilities } from "../../src/moderation/capabilities.ts";
import { proposeCase } from "../../src/moderation/cases/propose.ts";
import { giveStrike } from "../../src/rules/actions/strikes-and-notes.ts";
import { beginBulk } from "../../src/moderation/bulks/begin.ts";
import { parseRules } from "../../src/rules/language/parse-rules.ts";
import { saveRules } from "../../src/rules/versions/rules-of-server.ts";
import { castRow, rule } from "./rules.ts";
import { linkGuild, people, seedChannel, verifyDiscord, type World } from "./world.ts";
import { cast, rows, parts } from "./rights.ts";

/* What everything in the table of rights is tried on. */

export const working = "900";
export const suspended = "901";
export const unlinked = "902";

/** The server in which the channel works, and its people by their Discord ids. */
const usualRights = { guildId: working, owner: "1001", moderator: "1002" };

/** Options by which a command finds what was seeded in a server. */
export function seededOptions(
  { feeds, items, strikes }: SeededRights,
  path: string,
  guildId: string,
): RawValues {
  if (path === "undo strike") return { what: `S-${strikes.get(guildId)}` };
  const number = {
    "feed remove": feeds.get(guildId),
    "feed edit": feeds.get(guildId),
    "review show one": String(items.get(guildId)?.id),
  }[path];
  return { ...(rows[path] ?? parts[path])?.options, ...(number !== undefined && { number }) };
}

/** By server: the number of its feed, and what is held for review. */
export interface SeededRights {
  feeds: Map<string, number>;
  items: Map<string, { id: number; tag: string }>;
  strikes: Map<string, number>;
}

/** A channel that works in one server, is suspended in another and linked to no third; each has a rule, a feed, a case and a review. */
export async function seedRights(
  bot: World,
  { guildId: working, owner, moderator } = usualRights,
): Promise<SeededRights> {
  const { database, clock } = bot;
  const feeds = new Map<string, number>();
  const items = new Map<string, { id: number; tag: string }>();
  const strikes = new Map<string, number>();
  await database.truncate();
  // What suggestions remember of rights is older than this.
  clock.advance(10);
  await seedChannel(bot, "memes", working);
  await linkGuild(bot, "memes", suspended, "1004");
  await verifyDiscord(bot, people.owner, owner);
  await verifyDiscord(bot, people.moderator, moderator);
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
  let hiddenCast = "";
  for (const hidden of [false, true]) {
    const hash = await bot.net.seed.cast({ fid: people.troll, channelId: "memes" });
    hiddenCast = hash;
    const row = castRow(hidden ? hash : cast, { fid: people.troll, hidden });
    await query.insertInto("castellan.casts").values(row).execute();
  }
  await query
    .insertInto("castellan.names")
    .values({ name: "troll", fid: people.troll, owner: "0x", since: 1 })
    .execute();
  const listed = { channel_id: "memes", at: 1, role: null, inviter_fid: null };
  const entries = [
    { ...listed, listing: "bans" as const, fid: 8 },
    { ...listed, listing: "members" as const, fid: 3 },
  ];
  await query.insertInto("castellan.listing_entries").values(entries).execute();
  for (const guildId of [working, suspended, unlinked]) {
    await query
      .insertInto("castellan.saved_reasons")
      .values({ guild_id: guildId, reason: "spam", for_seconds: null })
      .execute();
    const feed = { guildId, roomId: guildId, channelIds: null, kinds: ["bans" as const], namePattern: null };
    feeds.set(guildId, await addFeed(bot, { ...feed, peopleOnly: false, createdBy: "1" }));
    const lists = { raiders: { type: "fid", values: [9] } };
    const ruleSet = parseRules(JSON.stringify({ version: 1, lists, rules: [rule()] }));
    const rules = { guildId, ruleSet, change: "import", savedBy: "1", savedAt: 1 };
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
        queued_at_ms: 1,
        actions: JSON.stringify([
          { actionIndex: 0, sentence: "hide", action: { kind: "hide", castHash: cast } },
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
    const person = { guildId, channelId: "memes", fid: people.troll };
    const strike = { points: 1, reason: undefined, forSeconds: undefined, userId: "1" };
    const given = await database.transaction((tx) => giveStrike(tx, clock, person, strike));
    strikes.set(guildId, given.id);
    const about = { channelId: "memes", kind: "ban" as const, targetFid: people.troll };
    const by = { userId: "1" };
    const asked = { guildId, channelId: "memes", kind: "hide" as const, selection: "casts", by };
    await database.transaction(async (tx) => {
      await proposeCase(tx, clock, { guildId, ...about, actor: by });
      await beginBulk(bot, tx, asked, [{ kind: "hide", targetCast: hiddenCast }]);
    });
  }
  await query.updateTable("castellan.cases").set({ state: "failed" }).execute();
  await query
    .updateTable("castellan.cases")
    .set({ state: "applied" })
    .where("kind", "=", "hide")
    .where("guild_id", "=", working)
    .execute();
  await query.updateTable("castellan.bulks").set({ ended_at_ms: 1 }).execute();
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
  return { feeds, items, strikes };
}
