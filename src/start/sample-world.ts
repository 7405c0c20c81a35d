import type { BotContext } from "../bot-context.ts";
import type { Database } from "../database/database.ts";
import type { Network, Operator } from "../contract/index.ts";
import { asAppError } from "../errors.ts";
import { usualFeedKinds, usualReadersKinds } from "../feed/feed-kinds.ts";
import { addFeed } from "../feed/feeds.ts";
import { linkChannel } from "../moderation/link-channel.ts";
import { saveRules, type RulesContext } from "../rules/versions/rules-of-server.ts";
import type { SandboxAccount } from "../sandbox/sample/accounts.ts";
import { personas } from "../sandbox/sample/personas.ts";
import { makeSampleNetwork } from "../sandbox/sample/sample-network.ts";
import { marketRules, sandboxGuildId, sandboxRooms } from "../sandbox/sample/sample-server.ts";
import { seconds, type Clock } from "../clock.ts";

const market = "night-market";

/** Fills an empty embedded network with the sample; leaves any other unchanged. */
export async function addSampleNetwork(
  network: Network,
  operator: Operator,
  accounts: readonly SandboxAccount[],
  { botFid, clock }: { botFid: number; clock: Clock },
): Promise<void> {
  const { channels } = await network.channels.all({});
  if (channels.length > 0) return;
  await operator.importNetwork({ ...makeSampleNetwork(accounts, botFid, seconds(clock)) });
}

/**
 * The setup by ada before anybody opens the page: `night-market` is linked, its feed runs in #market-feed, another for
 * readers in #market-square, and its rules are in force. Runs only if it was never done (`isSeeded`), so that users can undo it.
 */
export async function seedSandbox(context: BotContext & RulesContext): Promise<void> {
  const [ada] = personas;
  if (!ada) return;
  // Runs in parallel, because the thread that parses them has to start.
  const reading = context.ruleThreads.read("sandbox", marketRules);
  reading.catch(() => {});
  const actor = {
    userId: ada.userId,
    guildId: sandboxGuildId,
    roomId: sandboxRooms.marketFeed,
    roleIds: [],
    managesServer: true,
  };
  await linkChannel(context, actor, market);
  for (const forReaders of [false, true]) {
    const feed = {
      guildId: sandboxGuildId,
      roomId: sandboxRooms[forReaders ? "marketSquare" : "marketFeed"],
      channelIds: [market],
      kinds: [...(forReaders ? usualReadersKinds : usualFeedKinds)],
      namePattern: null,
      peopleOnly: true,
      createdBy: ada.userId,
    };
    await addFeed(context, feed, forReaders).catch((error: unknown) => {
      // After a crash between two steps, the feed already exists.
      if (!asAppError(error, "invalid_input")) throw error;
    });
  }
  const ruleSet = await reading;
  await context.database.transaction((tx) =>
    saveRules(tx, {
      guildId: sandboxGuildId,
      ruleSet,
      change: "The sandbox's own rules",
      savedBy: ada.userId,
      savedAt: context.clock.now(),
      baseVersion: 0,
    }),
  );
}

/** Whether the setup was done. The rules come last, so they show that everything before them was done. */
export async function isSeeded({ query }: Database): Promise<boolean> {
  const rules = await query
    .selectFrom("castellan.rules_in_force")
    .select("version")
    .where("guild_id", "=", sandboxGuildId)
    .executeTakeFirst();
  return rules !== undefined;
}
