import type { Queryable } from "../../database/database.ts";
import { toCase, type Case } from "../cases/case.ts";

/** What a rule did by itself in a server's channel, from a time on. */
export interface RuleRun {
  guildId: string;
  channelId: string;
  ruleId: string;
  /** UNIX milliseconds. */
  sinceMs: number;
}

/** The cases that a rule made by itself, oldest first; what a person approved is that person's. */
export async function listCasesOfRule(query: Queryable, run: RuleRun, limit: number): Promise<Case[]> {
  const rows = await query
    .selectFrom("castellan.cases")
    .selectAll()
    .where("guild_id", "=", run.guildId)
    .where("channel_id", "=", run.channelId)
    .where("rule_id", "=", run.ruleId)
    .where("actor_kind", "=", "rule")
    // The end of a ban is no deed of the rule.
    .where("ends_case_id", "is", null)
    .where("requested_at_ms", ">=", run.sinceMs)
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(toCase);
}

/** What else it did, which is not on the network. */
export interface OwnDeeds {
  strikes: number;
  notes: number;
  reviews: number;
}

export async function countOwnDeeds(query: Queryable, run: RuleRun): Promise<OwnDeeds> {
  const { strikes, notes, reviews } = await query
    .selectNoFrom((is) => [
      is
        .selectFrom("castellan.strikes")
        .select(is.fn.countAll<number>().as("count"))
        .where("guild_id", "=", run.guildId)
        .where("channel_id", "=", run.channelId)
        .where("rule_id", "=", run.ruleId)
        .where("given_at_ms", ">=", run.sinceMs)
        .as("strikes"),
      is
        .selectFrom("castellan.user_notes")
        .select(is.fn.countAll<number>().as("count"))
        .where("guild_id", "=", run.guildId)
        .where("channel_id", "=", run.channelId)
        .where("rule_id", "=", run.ruleId)
        .where("written_at_ms", ">=", run.sinceMs)
        .as("notes"),
      is
        .selectFrom("castellan.review_items")
        .select(is.fn.countAll<number>().as("count"))
        .where("guild_id", "=", run.guildId)
        .where("channel_id", "=", run.channelId)
        .where("rule_id", "=", run.ruleId)
        .where("held_at_ms", ">=", run.sinceMs)
        .where("state", "=", "open")
        .as("reviews"),
    ])
    .executeTakeFirstOrThrow();
  return { strikes: strikes ?? 0, notes: notes ?? 0, reviews: reviews ?? 0 };
}
