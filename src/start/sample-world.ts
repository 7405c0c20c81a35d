import type { BotContext } from "../bot-context.ts";
import type { Database } from "../database/database.ts";
import type { Network, Operator } from "../contract/index.ts";
import { asAppError } from "../errors.ts";
import { usualFeedKinds } from "../feed/feed-kinds.ts";
import { addFeed } from "../feed/feeds.ts";
import { linkChannel } from "../moderation/link-channel.ts";
import { saveRules, type RulesContext } from "../rules/versions/rules-of-server.ts";
import type { SandboxAccount } from "../sandbox/sample/accounts.ts";
import { personas } from "../sandbox/sample/personas.ts";
import { makeSampleNetwork } from "../sandbox/sample/sample-network.ts";
import { marketRules, sandboxGuildId, sandboxRooms } from "../sandbox/sample/sample-server.ts";
import { seconds, type Clock } from "../clock.ts";

const market = "night-market";

/** Fills an empty embedded network with the sample one; leaves any other as it is. */
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
 * What ada has done before anybody opens the page: `night-market` is linked, its feed runs in #market-feed, its rules
 * are in force. To be done where it was not (`isSeeded`): whoever undoes it later has undone it.
 */
export async function seedSandbox(context: BotContext & RulesContext): Promise<void> {
  const [ada] = personas;
  if (!ada) return;
  // Meanwhile, for the thread that reads them has to be started.
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
  await addFeed(context, {
    guildId: sandboxGuildId,
    roomId: sandboxRooms.marketFeed,
    channelIds: [market],
    kinds: [...usualFeedKinds],
    namePattern: null,
    peopleOnly: true,
    createdBy: ada.userId,
  }).catch((error: unknown) => {
    // A crash between the two steps: the feed is there already.
    if (!asAppError(error, "invalid_input")) throw error;
  });
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

/** Whether that was done: the rules come last, so they say it of everything before them. */
export async function isSeeded({ query }: Database): Promise<boolean> {
  const rules = await query
    .selectFrom("castellan.rules_in_force")
    .select("version")
    .where("guild_id", "=", sandboxGuildId)
    .executeTakeFirst();
  return rules !== undefined;
}
