import { sql } from "kysely";
import { createRooms } from "../../src/discord/rooms.ts";
import { deliverAll } from "../../src/feed/deliver/deliver.ts";
import { queueFeedRows } from "../../src/feed/queue-rows.ts";
import { claimEvents, recordClaims } from "../../src/moderation/cases/claim.ts";
import { createProposeRuleAction } from "../../src/moderation/cases/propose.ts";
import { createAppendEvents } from "../../src/observe/append-events.ts";
import { createRuleContext } from "../../src/rules/context.ts";
import { evaluatePending } from "../../src/rules/pending/evaluate-pending.ts";
import { queueEvaluations } from "../../src/rules/pending/queue-evaluations.ts";
import { saveRules } from "../../src/rules/versions/rules-of-server.ts";
import { people } from "./bot.ts";
import { type BotInDiscord, resetBot, startBotInDiscord } from "./bot-in-discord.ts";
import { see, type Seen } from "./chat.ts";
import { testToken } from "./discord.ts";
import { ruleThreads } from "./rule-threads.ts";
import { rule, ruleSetOf } from "./rules.ts";

/** The bot in the local Discord, with rules, and two rooms that follow what they hold. */
export interface ReviewsInDiscord extends BotInDiscord {
  /** A cast of the troll's. */
  castHash(): string;
  reset(): Promise<void>;
  /** A rule sees the troll's cast; one in review where `change` says nothing else. */
  judge(change?: Record<string, unknown>): Promise<void>;
  /** The same, held; gives what stands in both rooms. */
  hold(change?: Record<string, unknown>): Promise<{ feed: Seen; log: Seen }>;
  deliver(): Promise<void>;
  /** The last thing that everybody sees in a room. */
  shownIn(room: "feed" | "mod-log"): Seen;
  /** What was done to casts, as the network tells. */
  hidden(): Promise<[string, string][]>;
  banned(): Promise<number[]>;
  /** Begins anew on the same data. */
  restartBot(): Promise<void>;
}

export async function startReviewsInDiscord(): Promise<ReviewsInDiscord> {
  const scene = await startBotInDiscord();
  const { bot, discord } = scene;
  const appendEvents = createAppendEvents(bot, {
    claim: claimEvents,
    fanOut: [recordClaims, queueEvaluations, queueFeedRows],
  });
  const propose = createProposeRuleAction(bot.clock);
  await scene.restart({ appendEvents });
  let context = createRuleContext(bot, { ruleThreads, appendEvents, propose });
  let hash = "";
  let messages = 0;

  const deliver = () =>
    deliverAll(bot, createRooms({ token: testToken, api: discord.api, onRefused: () => {} }));

  function shownIn(room: "feed" | "mod-log"): Seen {
    const shown = discord.context.world.messages.get(discord.rooms[room]) ?? [];
    const last = shown.findLast(({ visibleTo }) => visibleTo === null);
    if (!last) throw new Error(`nothing was posted in ${room}`);
    return see(last);
  }

  async function judge(change: Record<string, unknown> = {}): Promise<void> {
    const { database, clock } = bot;
    const ruleSet = ruleSetOf(
      rule({ mode: "review", then: [{ hide: {} }, { strike: { points: 2 } }], ...change }),
    );
    const rules = { guildId: discord.guildId, ruleSet, change: "import", savedBy: "1" };
    await database.transaction((tx) => saveRules(tx, { ...rules, savedAt: 0, baseVersion: 0 }));
    const place = { rootHash: hash, threadDepth: 0, mentions: [], embeds: [] };
    const now = clock.now();
    await database.transaction((tx) =>
      appendEvents(tx, [
        {
          sourceKey: `cast:${hash}`,
          kind: "cast.created",
          channelId: "memes",
          subjectFid: people.troll,
          occurredAt: Math.floor(now / 1000),
          observedAt: now,
          depth: 0,
          caseId: null,
          data: { castHash: hash, text: "Free airdrop", ...place },
        },
      ]),
    );
    await evaluatePending(context);
    await deliver();
  }

  return {
    ...scene,
    deliver,
    shownIn,
    castHash: () => hash,
    restartBot: () => scene.restart({ appendEvents }),
    async reset() {
      await resetBot(scene);
      context = createRuleContext(bot, { ruleThreads, appendEvents, propose });
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
    async hold(change) {
      await judge(change);
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
