import type { ChannelEvent, NewChannelEvent } from "../../src/observe/event.ts";
import { parseRules } from "../../src/rules/language/parse-rules.ts";
import { findRules, saveRules } from "../../src/rules/versions/rules-of-server.ts";
import { type BotInDiscord, resetBot, startBotInDiscord } from "./bot-in-discord.ts";
import { ruleFile } from "./rules.ts";

/** The bot in the local Discord, with casts that it has seen and rules of the server. */
export interface RulesInDiscord extends BotInDiscord {
  reset(): Promise<void>;
  /** Puts rules in force. */
  save(...rules: unknown[]): Promise<number>;
  /** A file of rules as people attach one. */
  file(...rules: unknown[]): { filename: string; contentType: string; content: Buffer };
  /** Casts of fid 7 in /memes, one a second up to now; they are in the index too. */
  said(...texts: string[]): Promise<ChannelEvent[]>;
  version(): Promise<number | undefined>;
}

export async function startRulesInDiscord(): Promise<RulesInDiscord> {
  const chat = await startBotInDiscord();
  const { database, clock, appendEvents } = chat.bot;
  const { guildId } = chat.discord;
  // As on a real clock, it is hardly ever a whole second.
  clock.advance(0.25);
  const version = async () => (await findRules(chat.bot, guildId))?.version;
  return {
    ...chat,
    version,
    async reset() {
      // Real clocks hardly ever stand at a whole second.
      clock.advance(0.25);
      await resetBot(chat);
    },
    file: (...rules) => ({
      filename: "rules.json",
      contentType: "application/json",
      content: Buffer.from(ruleFile(rules)),
    }),

    async save(...rules) {
      const ruleSet = parseRules(ruleFile(rules));
      const base = { guildId, ruleSet, change: "import", savedBy: chat.users.owner, savedAt: clock.now() };
      const baseVersion = (await version()) ?? 0;
      return database.transaction((tx) => saveRules(tx, { ...base, baseVersion }));
    },

    async said(...texts) {
      const now = Math.floor(clock.now() / 1000);
      const events = texts.map((text, index): NewChannelEvent => {
        const castHash = `0x${(now * 1000 + index).toString(16).padStart(40, "0")}`;
        return {
          sourceKey: `cast:${castHash}`,
          kind: "cast.created",
          channelId: "memes",
          subjectFid: 7,
          occurredAt: now - texts.length + index + 1,
          observedAt: clock.now(),
          depth: 0,
          caseId: null,
          data: { castHash, text, rootHash: castHash, threadDepth: 0, mentions: [], embeds: [] },
        };
      });
      for (const { data, occurredAt } of events) {
        if (!("castHash" in data) || !("text" in data)) continue;
        const place = { channel_id: "memes", parent_hash: null, root_hash: data.castHash, thread_depth: 0 };
        const cast = { hash: data.castHash, fid: 7, text: data.text, cast_at: occurredAt, embeds: "[]" };
        await database.query
          .insertInto("castellan.casts")
          .values({ ...place, ...cast, removed_at: null, erased_at_ms: null })
          .execute();
      }
      return database.transaction((tx) => appendEvents(tx, events));
    },
  };
}
