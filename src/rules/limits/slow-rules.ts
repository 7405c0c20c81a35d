import type { BotContext } from "../../bot-context.ts";
import { asAppError } from "../../errors.ts";
import { newEvent } from "../../observe/events.ts";
import type { RuleContext } from "../context.ts";
import type { RulesInForce } from "../evaluate/rule-set.ts";
import { castellan, saveRules } from "../versions/rules-of-server.ts";

/** The beginning of the description of a version that turned off slow rules; their ids follow. */
const change = "too slow, turned off: ";
/** At most this many of these versions are searched. */
const maxVersions = 20;

/**
 * Turns off rules that take too long, because all others wait for them: in a new version of the rules, which is announced.
 * Does nothing if somebody has just changed the rules.
 */
export async function turnOffSlow(
  context: RuleContext,
  guildId: string,
  rules: RulesInForce,
  tooSlow: ReadonlySet<string>,
): Promise<void> {
  const { ruleThreads, clock, database } = context;
  const queue = `server ${guildId}`;
  const ids = rules.ruleSet.rules.flatMap(({ id }) => (tooSlow.has(id) ? [id] : []));
  const source = await ruleThreads.edit(queue, "changeMode", rules.source, ids, "off");
  const ruleSet = await ruleThreads.read(queue, source);
  const channels = await listChannels(context, guildId);
  const events = channels.map((channelId) =>
    newEvent(clock.now(), {
      sourceKey: `slow ${guildId} ${channelId} ${rules.version}`,
      kind: "rules.slow",
      channelId,
      data: { guildId, version: rules.version + 1, ruleIds: ids },
    }),
  );
  try {
    await database.transaction(async (tx) => {
      await saveRules(tx, {
        guildId,
        ruleSet,
        change: `${change}${ids.join(", ")}`,
        savedBy: castellan,
        savedAt: clock.now(),
        baseVersion: rules.version,
      });
      await context.appendEvents(tx, events);
    });
  } catch (error) {
    if (!asAppError(error, "expired")) throw error;
  }
}

async function listChannels({ database }: Pick<BotContext, "database">, guildId: string): Promise<string[]> {
  const rows = await database.query
    .selectFrom("castellan.links")
    .select("channel_id")
    .where("guild_id", "=", guildId)
    .where("suspended_at_ms", "is", null)
    .orderBy("channel_id")
    .execute();
  return rows.map((row) => row.channel_id);
}

/** A server's rules that are off because they were too slow, with when they were turned off, in UNIX milliseconds. */
export async function findSlowRules(
  { database }: Pick<BotContext, "database">,
  guildId: string,
  { ruleSet }: RulesInForce,
): Promise<Map<string, number>> {
  const off = new Set(ruleSet.rules.flatMap(({ id, mode }) => (mode === "off" ? [id] : [])));
  if (off.size === 0) return new Map();
  const versions = await database.query
    .selectFrom("castellan.rule_sets")
    .select(["change", "saved_at_ms"])
    .where("guild_id", "=", guildId)
    .where("saved_by", "=", castellan)
    .where("change", "like", `${change}%`)
    .orderBy("version", "desc")
    .limit(maxVersions)
    .execute();
  const turnedOff = versions.toReversed().flatMap(({ change: what, saved_at_ms }) => {
    const ids = what.slice(change.length).split(", ");
    return ids.filter((id) => off.has(id)).map((id) => [id, saved_at_ms] as const);
  });
  return new Map(turnedOff);
}
