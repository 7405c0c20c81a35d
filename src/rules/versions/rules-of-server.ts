import { sql } from "kysely";
import type { BotContext } from "../../bot-context.ts";
import type { Database, Queryable, Tx } from "../../database/database.ts";
import { AppError, asAppError } from "../../errors.ts";
import type { RuleEvent } from "../evaluate/occurrence.ts";
import type { RuleSet, RulesInForce } from "../evaluate/rule-set.ts";
import type { RuleThreads } from "../threads/rule-threads.ts";

/** Replaces the Discord user for versions that Castellan creates itself. */
export const castellan = "castellan";

export interface NewRules {
  guildId: string;
  ruleSet: RuleSet;
  /** A description of the change, for people. */
  change: string;
  /** Discord user id, `castellan`, or `operator`. */
  savedBy: string;
  /** UNIX milliseconds. */
  savedAt: number;
  /** The version that was changed; 0 for none. */
  baseVersion: number;
}

/** Needed to find a server's rules. */
export interface RulesContext extends Pick<BotContext, "database"> {
  ruleThreads: RuleThreads;
}

/** A server's active rules; undefined if it never had rules. */
export async function findRules(
  { database, ruleThreads }: RulesContext,
  guildId: string,
): Promise<RulesInForce | undefined> {
  const cached = ruleThreads.inForce.get(guildId);
  const row = await database.query
    .selectFrom("castellan.rules_in_force as force")
    .innerJoin("castellan.rule_sets as sets", (join) =>
      join.onRef("sets.guild_id", "=", "force.guild_id").onRef("sets.version", "=", "force.version"),
    )
    .select([
      "force.version",
      sql<string>`md5(sets.source)`.as("hash"),
      sql<string>`case when md5(sets.source) = ${cached?.hash ?? ""} then '' else sets.source end`.as(
        "source",
      ),
    ])
    .where("force.guild_id", "=", guildId)
    .executeTakeFirst();
  if (!row) return undefined;
  const { version, hash } = row;
  if (cached?.hash === hash && cached.version === version) return cached;
  const source = cached?.hash === hash ? cached.source : row.source;
  const found = { version, source, hash, ...(await readInForce(ruleThreads, guildId, version, source)) };
  ruleThreads.inForce.set(guildId, found);
  return found;
}

async function readInForce(
  ruleThreads: RuleThreads,
  guildId: string,
  version: number,
  source: string,
): Promise<Pick<RulesInForce, "ruleSet" | "unreadable">> {
  try {
    return { ruleSet: await ruleThreads.read(`server ${guildId}`, source) };
  } catch (error) {
    const refused = asAppError(error, "invalid_file");
    if (!refused) throw error;
    const message = `Version ${version} of the rules is in force, but Castellan can no longer read it, so no rule acts. /rule show attaches the file: fix it and import it again with /rule import.`;
    const unreadable = new AppError("invalid_file", message, {
      mistakes:
        refused.mistakes.length > 0 ? [...refused.mistakes] : [{ path: "file", message: refused.message }],
      cause: refused,
    });
    return { ruleSet: { source, exempt: [], lists: new Map(), remarks: [], rules: [] }, unreadable };
  }
}

/** Servers with active rules, all or those for one kind of event, and the channels these cover. */
export async function findServers(
  { query }: Database,
  kind: RuleEvent | null = null,
): Promise<{ guildId: string; channels: string[] }[]> {
  const { rows } = await sql<{ guildId: string; channels: string[] }>`
    select guild_id as "guildId", array_agg(links.channel_id order by links.channel_id) as channels
    from castellan.rules_in_force join castellan.links using (guild_id)
    where links.suspended_at_ms is null and (${kind}::text is null or ${kind} = any(event_kinds))
    group by guild_id
  `.execute(query);
  return rows;
}

/** Activates a new version and returns its number. Throws `expired` if the rules have changed since `baseVersion`. */
export async function saveRules(tx: Tx, rules: NewRules): Promise<number> {
  const { guildId, baseVersion, ruleSet } = rules;
  const listening = ruleSet.rules.filter((rule) => rule.mode !== "off").flatMap((rule) => rule.on);
  const head = { version: baseVersion + 1, event_kinds: [...new Set(listening)] };
  const inserted = await tx
    .insertInto("castellan.rule_sets")
    .values({
      guild_id: guildId,
      version: head.version,
      source: ruleSet.source,
      change: rules.change,
      saved_by: rules.savedBy,
      saved_at_ms: rules.savedAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (inserted.numInsertedOrUpdatedRows === 0n) {
    throw new AppError("expired", "The rules were changed in the meantime. Check them and try again.");
  }
  await tx
    .insertInto("castellan.rules_in_force")
    .values({ guild_id: guildId, ...head })
    .onConflict((conflict) => conflict.column("guild_id").doUpdateSet(head))
    .execute();
  return head.version;
}

/** Latest versions first, from before a given version. */
export function listVersions(db: Queryable, guildId: string, limit: number, before = Infinity) {
  return db
    .selectFrom("castellan.rule_sets")
    .select(["version", "change", "saved_by", "saved_at_ms"])
    .where("guild_id", "=", guildId)
    .where("version", "<", Math.min(before, 2_147_483_647))
    .orderBy("version", "desc")
    .limit(limit)
    .execute();
}

/** A version as it was saved. */
export function findVersion(db: Queryable, guildId: string, version: number) {
  return db
    .selectFrom("castellan.rule_sets")
    .select(["version", "source", "change", "saved_by", "saved_at_ms"])
    .where("guild_id", "=", guildId)
    .where("version", "=", version)
    .executeTakeFirst();
}
