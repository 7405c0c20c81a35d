import { sql, type Selectable } from "kysely";
import type { Queryable, Tx } from "../../database/database.ts";
import type { RuleActTables } from "../../database/tables/rules-acts.ts";
import { newEvent, type NewChannelEvent } from "../../observe/events.ts";
import { recordSetupChange } from "../../observe/setup-changes.ts";
import type { RuleContext } from "../context.ts";
import type { RuleSet } from "../evaluate/rule-set.ts";
import { lockdownFile } from "../language/lockdown-rule.ts";
import type { HiddenByLockdown } from "../../text/hidden-by-lockdown.ts";
import type { RulesContext } from "../versions/rules-of-server.ts";

/*
 * A lockdown is a row: while it exists, its rule acts along with those of the server's file, and is explained, counted and
 * paused like them. Changes of the file do not affect it. The row expires; hidden casts stay hidden.
 */

type Lockdown = Selectable<RuleActTables["castellan.lockdowns"]>;

/**
 * The rules of a server's running lockdowns; undefined if there are none. They hide even if the network does not report
 * who is a member.
 */
export async function findLockdownRules(
  { database, ruleThreads }: RulesContext,
  guildId: string,
): Promise<RuleSet | undefined> {
  const running = await listLockdowns(database.query, guildId);
  if (running.length === 0) return undefined;
  const source = lockdownFile(running.map(({ channel_id }) => channel_id));
  const ruleSet = await ruleThreads.read(`server ${guildId}`, source);
  return { ...ruleSet, rules: ruleSet.rules.map((rule) => ({ ...rule, onUnknown: "act" })) };
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

/** Starts a lockdown, or changes the expiry of a running one. */
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

/** Ends expired lockdowns. One that cannot be ended now is retried and delays no other. */
export async function endLockdowns(context: RuleContext): Promise<void> {
  for (const lockdown of await dueLockdowns(context).orderBy("until_ms").execute()) {
    try {
      await endLockdown(context, lockdown, null);
    } catch (error) {
      context.log.error({ err: error, ...lockdown }, "could not end a lockdown, retrying");
    }
  }
}

/**
 * Ends a lockdown and announces it. `userId` ended it; null if it expired. Returns what it hid, or undefined if it was
 * ended or changed meanwhile.
 */
export async function endLockdown(
  { database, clock, appendEvents }: Pick<RuleContext, "database" | "clock" | "appendEvents">,
  lockdown: Lockdown,
  userId: string | null,
): Promise<HiddenByLockdown | undefined> {
  const { guild_id: guildId, channel_id: channelId } = lockdown;
  return database.transaction(async (tx) => {
    if (!(await deleteRow(tx, lockdown))) return undefined;
    if (userId !== null) {
      const what = `ended the lockdown of /${channelId}`;
      await recordSetupChange({ clock }, tx, { guildId, channelId, kind: "automod", userId, what });
    }
    const hidden = (await countHidden(tx, [lockdown])).get(lockdown.channel_id) ?? hidNothing;
    await appendEvents(tx, [toEnd(clock.now(), lockdown, userId, hidden)]);
    return hidden;
  });
}

/** False if it was ended, or got another expiry, meanwhile. */
async function deleteRow(tx: Tx, { guild_id, channel_id, until_ms }: Lockdown): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("castellan.lockdowns")
    .where("guild_id", "=", guild_id)
    .where("channel_id", "=", channel_id)
    .where("until_ms", "=", until_ms)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Casts hidden by a server's lockdowns and not shown again, by channel. */
export async function countHidden(
  db: Queryable,
  lockdowns: readonly Lockdown[],
): Promise<ReadonlyMap<string, HiddenByLockdown>> {
  const guildId = lockdowns[0]?.guild_id ?? "";
  const channelIds = lockdowns.map(({ channel_id }) => channel_id);
  const ruleIds = lockdowns.map(({ rule_id }) => rule_id);
  const begunAt = lockdowns.map(({ begun_at_ms }) => begun_at_ms);
  const { rows } = await sql<HiddenByLockdown & { channelId: string }>`
    select hidden.channel_id as "channelId", count(*)::int as casts,
      count(*) filter (where decision.why is not null)::int as "inDoubt"
    from unnest(${channelIds}::text[], ${ruleIds}::text[], ${begunAt}::bigint[]) as lockdown (channel_id, rule_id, begun_at_ms)
    join castellan.cases as hidden
      on hidden.guild_id = ${guildId} and hidden.channel_id = lockdown.channel_id and hidden.rule_id = lockdown.rule_id
        and hidden.kind = 'hide' and hidden.state = 'applied' and hidden.requested_at_ms >= lockdown.begun_at_ms
    left join castellan.rule_decisions as decision
      on decision.case_id = hidden.id and decision.guild_id = hidden.guild_id and decision.rule_id = hidden.rule_id
        and decision.decided_at_ms >= lockdown.begun_at_ms
    group by hidden.channel_id
  `.execute(db);
  return new Map(rows.map(({ channelId, ...hidden }) => [channelId, hidden]));
}

export const hidNothing: HiddenByLockdown = { casts: 0, inDoubt: 0 };

function toEnd(
  now: number,
  lockdown: Lockdown,
  userId: string | null,
  hidden: HiddenByLockdown,
): NewChannelEvent {
  const { guild_id: guildId, channel_id: channelId, begun_at_ms } = lockdown;
  return newEvent(now, {
    sourceKey: `lockdown end ${guildId} ${channelId} ${begun_at_ms}`,
    kind: "lockdown.changed",
    channelId,
    data: {
      guildId,
      begun: false,
      userId,
      reason: "",
      until: null,
      hidden: hidden.casts,
      inDoubt: hidden.inDoubt,
    },
  });
}
