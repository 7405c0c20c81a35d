import { sql, type Selectable } from "kysely";
import type { Queryable, Tx } from "../../database/database.ts";
import type { RuleActTables } from "../../database/tables/rules-acts.ts";
import { asAppError } from "../../errors.ts";
import { newEvent, type NewChannelEvent } from "../../observe/events.ts";
import { recordSetupChange } from "../../observe/setup-changes.ts";
import type { RuleContext } from "../context.ts";
import { castellan, findRules, saveRules } from "../versions/rules-of-server.ts";

/*
 * A lockdown is a rule of the server's as any other: it is explained, counted and paused as they are, and a row says when
 * it goes. The row ends by itself; what was hidden stays hidden.
 */

export type Lockdown = Selectable<RuleActTables["castellan.lockdowns"]>;

/** Channel ids are short enough for that. */
export function lockdownRuleId(channelId: string): string {
  return `lockdown-${channelId}`;
}

/** As the rule file has it. */
export function lockdownEntry(channelId: string): Readonly<Record<string, unknown>> {
  return {
    id: lockdownRuleId(channelId),
    mode: "enforce",
    // Before any rule that stops those behind it.
    priority: 1000,
    channels: [channelId],
    on: ["cast.created"],
    when: { all: [{ "author.is_member": false }, { "author.is_moderator": false }] },
    then: [{ hide: {} }],
    on_unknown: "skip",
  };
}

export async function findLockdown(
  db: Queryable,
  guildId: string,
  channelId: string,
): Promise<Lockdown | undefined> {
  return db
    .selectFrom("castellan.lockdowns")
    .selectAll()
    .where("guild_id", "=", guildId)
    .where("channel_id", "=", channelId)
    .executeTakeFirst();
}

export function listLockdowns(db: Queryable, guildId: string): Promise<Lockdown[]> {
  return db
    .selectFrom("castellan.lockdowns")
    .selectAll()
    .where("guild_id", "=", guildId)
    .orderBy("channel_id")
    .execute();
}

/** Begins one, or gives the one that runs another end. */
export async function saveLockdown(tx: Tx, lockdown: Lockdown): Promise<void> {
  const { until_ms, reason, begun_by } = lockdown;
  await tx
    .insertInto("castellan.lockdowns")
    .values(lockdown)
    .onConflict((conflict) =>
      conflict.columns(["guild_id", "channel_id"]).doUpdateSet({ until_ms, reason, begun_by }),
    )
    .execute();
}

function dueLockdowns({ database, clock }: Pick<RuleContext, "database" | "clock">) {
  return database.query.selectFrom("castellan.lockdowns").selectAll().where("until_ms", "<=", clock.now());
}

export async function hasLockdownsToEnd(context: Pick<RuleContext, "database" | "clock">): Promise<boolean> {
  return (await dueLockdowns(context).limit(1).executeTakeFirst()) !== undefined;
}

/** Ends lockdowns whose time is over. One that cannot be ended now holds up no other, and is tried again. */
export async function endLockdowns(context: RuleContext): Promise<void> {
  for (const lockdown of await dueLockdowns(context).orderBy("until_ms").execute()) {
    try {
      await endLockdown(context, lockdown, null);
    } catch (error) {
      context.log.error({ err: error, ...lockdown }, "a lockdown could not be ended yet");
    }
  }
}

/**
 * Takes the rule out of the server's rules, as a new version, and tells the rooms. `userId` is who ends it; null where its
 * time is over. Gives how many casts it hid, or undefined where it was ended or moved meanwhile, or somebody changed the
 * rules at this moment. Throws where the rules in force cannot be read: then none of them acts.
 */
export async function endLockdown(
  context: Pick<RuleContext, "database" | "clock" | "appendEvents" | "ruleThreads">,
  lockdown: Lockdown,
  userId: string | null,
): Promise<number | undefined> {
  const { database, clock, ruleThreads } = context;
  const { guild_id: guildId, channel_id: channelId, rule_id: ruleId } = lockdown;
  const rules = await findRules(context, guildId);
  if (rules?.unreadable) throw rules.unreadable;
  const isThere = rules?.ruleSet.rules.some(({ id }) => id === ruleId) ?? false;
  const queue = `server ${guildId}`;
  const source =
    rules && isThere ? await ruleThreads.edit(queue, "removeRule", rules.source, ruleId) : undefined;
  const ruleSet = source === undefined ? undefined : await ruleThreads.read(queue, source);
  try {
    return await database.transaction(async (tx) => {
      if (!(await deleteRow(tx, lockdown))) return undefined;
      if (rules && ruleSet) {
        await saveRules(tx, {
          guildId,
          ruleSet,
          change: `end of ${ruleId}`,
          savedBy: userId ?? castellan,
          savedAt: clock.now(),
          baseVersion: rules.version,
        });
      }
      if (userId !== null) {
        const what = `ended the lockdown of /${channelId}`;
        await recordSetupChange({ clock }, tx, { guildId, channelId, kind: "automod", userId, what });
      }
      const hidden = await countHidden(tx, lockdown);
      await context.appendEvents(tx, [toEnd(clock.now(), lockdown, userId, hidden)]);
      return hidden;
    });
  } catch (error) {
    if (asAppError(error, "expired")) return undefined;
    throw error;
  }
}

/** False where it was ended, or got another end, meanwhile. */
async function deleteRow(tx: Tx, { guild_id, channel_id, until_ms }: Lockdown): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("castellan.lockdowns")
    .where("guild_id", "=", guild_id)
    .where("channel_id", "=", channel_id)
    .where("until_ms", "=", until_ms)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

async function countHidden(tx: Tx, lockdown: Lockdown): Promise<number> {
  const { count } = await tx
    .selectFrom("castellan.cases")
    .select(sql<number>`count(*)`.as("count"))
    .where("guild_id", "=", lockdown.guild_id)
    .where("channel_id", "=", lockdown.channel_id)
    .where("rule_id", "=", lockdown.rule_id)
    .where("kind", "=", "hide")
    .where("state", "=", "applied")
    .where("requested_at_ms", ">=", lockdown.begun_at_ms)
    .executeTakeFirstOrThrow();
  return count;
}

function toEnd(now: number, lockdown: Lockdown, userId: string | null, hidden: number): NewChannelEvent {
  const { guild_id: guildId, channel_id: channelId, begun_at_ms } = lockdown;
  return newEvent(now, {
    sourceKey: `lockdown end ${guildId} ${channelId} ${begun_at_ms}`,
    kind: "lockdown.changed",
    channelId,
    data: { guildId, begun: false, userId, reason: "", until: null, hidden },
  });
}
