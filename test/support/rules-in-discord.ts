import { sql } from "kysely";
import { createRooms } from "../../src/discord/rooms.ts";
import { deliverAll, evaluatePending } from "./jobs.ts";
import { bodyOf } from "../../src/observe/cast-body.ts";
import { newEvent, type ChannelEvent, type NewChannelEvent } from "../../src/observe/events.ts";
import { createRuleContext } from "../../src/rules/context.ts";
import { parseRules } from "../../src/rules/language/parse-rules.ts";
import type { DiscordOptions } from "../../src/sandbox/discord/start-discord.ts";
import { findRules, saveRules } from "../../src/rules/versions/rules-of-server.ts";
import type { CastBody } from "../../src/text/show-cast.ts";
import { resetBot, see, startBotInDiscord, type BotInDiscord, type Seen } from "./bot-in-discord.ts";
import { testToken } from "./discord.ts";
import { sendNow } from "./outbox.ts";
import { castRow, rule, ruleFile, ruleSetOf } from "./rules.ts";
import { people } from "./world.ts";

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
  const { database, clock, happen } = chat.bot;
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
        const row = castRow(data.castHash, { text: data.text, cast_at: occurredAt });
        await database.query.insertInto("castellan.casts").values(row).execute();
      }
      return happen(...events);
    },
  };
}

/** The bot in the local Discord, with rules, and two rooms that follow what they hold. */
export interface ReviewsInDiscord extends BotInDiscord {
  /** A cast of the troll's. */
  castHash(): string;
  reset(): Promise<void>;
  /** A rule sees the troll's cast; one in review where `change` says nothing else. */
  judge(change?: Record<string, unknown>, shown?: Partial<CastBody>): Promise<void>;
  /** The same, held; gives what stands in both rooms. */
  hold(change?: Record<string, unknown>, shown?: Partial<CastBody>): Promise<{ feed: Seen; log: Seen }>;
  /** Sends everything that is due. */
  deliver(): Promise<void>;
  /** The last thing that everybody sees in a room. */
  shownIn(room: "feed" | "mod-log"): Seen;
  /** What was done to casts, as the network tells. */
  hidden(): Promise<[string, string][]>;
  banned(): Promise<number[]>;
  /** Begins anew on the same data. */
  restartBot(): Promise<void>;
}

export async function startReviewsInDiscord(
  options: Partial<DiscordOptions> = {},
): Promise<ReviewsInDiscord> {
  const scene = await startBotInDiscord(options);
  const { bot, discord } = scene;
  let context = createRuleContext(bot, bot);
  let hash = "";
  let messages = 0;

  const rooms = createRooms({ token: testToken, api: discord.api, onRefused: () => {} });
  async function deliver(): Promise<void> {
    await deliverAll(bot, rooms);
    await sendNow(bot, rooms);
  }

  function shownIn(room: "feed" | "mod-log"): Seen {
    const shown = discord.context.world.messages.get(discord.rooms[room]) ?? [];
    const last = shown.findLast(({ visibleTo }) => visibleTo === null);
    if (!last) throw new Error(`nothing was posted in ${room}`);
    return see(last);
  }

  async function judge(change: Record<string, unknown> = {}, shown: Partial<CastBody> = {}): Promise<void> {
    const { database, clock } = bot;
    const ruleSet = ruleSetOf(
      rule({ mode: "review", then: [{ hide: {} }, { strike: { points: 2 } }], ...change }),
    );
    const rules = { guildId: discord.guildId, ruleSet, change: "import", savedBy: "1" };
    await database.transaction((tx) => saveRules(tx, { ...rules, savedAt: 0, baseVersion: 0 }));
    const place = { rootHash: hash, threadDepth: 0 };
    const body = bodyOf({ text: "Free airdrop", ...shown });
    const now = clock.now();
    await bot.happen(
      newEvent(now, {
        sourceKey: `cast:${hash}`,
        kind: "cast.created",
        channelId: "memes",
        subjectFid: people.troll,
        data: { castHash: hash, ...place, ...copyOf(body) },
      }),
    );
    await evaluatePending(context);
    await deliver();
  }

  return {
    ...scene,
    deliver,
    shownIn,
    castHash: () => hash,
    restartBot: () => scene.restart(),
    async reset() {
      await resetBot(scene);
      context = createRuleContext(bot, bot);
      // Discord remembers a message's nonce, so no two tests may send the same.
      messages += 100;
      await sql`alter table castellan.feed_messages alter column id restart with ${sql.lit(messages)}`.execute(
        bot.database.query,
      );
      hash = await bot.net.seed.cast({ fid: people.troll, channelId: "memes", text: "Free airdrop" });
      await scene.run("owner", "feed add", { kinds: "reviews, health" }, "feed");
      await scene.run("owner", "feed add", { kinds: "reviews", room: "mod-log" });
    },
    judge,
    async hold(change, shown) {
      await judge(change, shown);
      return { feed: shownIn("feed"), log: shownIn("mod-log") };
    },
    async hidden() {
      const { result } = await bot.network.moderatedCasts.list({ channelId: "memes" });
      return result.moderationActions.map(({ castHash, action }) => [castHash, action]);
    },
    async banned() {
      const { result } = await bot.network.channelBans.list({ channelId: "memes" });
      return result.bannedUsers.map(({ fid }) => fid);
    },
  };
}

/** As an event has it, whose lists are its own. */
function copyOf({ text, embeds, mentions, mentionsPositions, quotes }: CastBody) {
  return {
    text,
    embeds: [...embeds],
    mentions: [...mentions],
    mentionsPositions: [...mentionsPositions],
    quotes: [...quotes],
  };
}
