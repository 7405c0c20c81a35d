import { sql } from "kysely";
import type { Queryable } from "../database/database.ts";

/** How often people found a rule's result wrong. */
export interface RuleRecord {
  /** Its decided reviews, and how many of them were dismissed. */
  decided: number;
  dismissed: number;
  /** Its actions, with or without approval, that somebody undid. */
  undone: number;
}

/** The records of a server's rules since a time (UNIX milliseconds); none for a rule without any. */
export async function readRuleRecords(
  db: Queryable,
  guildId: string,
  ruleIds: readonly string[],
  since: number,
): Promise<Map<string, RuleRecord>> {
  const ids = [...ruleIds];
  const { rows } = await sql<RuleRecord & { ruleId: string }>`
    select asked.id as "ruleId", coalesce(reviews.decided, 0)::int as decided,
      coalesce(reviews.dismissed, 0)::int as dismissed, coalesce(cases.undone, 0)::int as undone
    from unnest(${ids}::text[]) as asked(id)
    left join (
      select rule_id, count(*) as decided, count(*) filter (where state = 'dismissed') as dismissed
      from castellan.review_items
      where guild_id = ${guildId} and rule_id = any(${ids}::text[]) and head_id is null and state <> 'open'
        and decided_at_ms >= ${since}
      group by rule_id
    ) as reviews on reviews.rule_id = asked.id
    left join (
      select rule_id, count(*) as undone from castellan.cases as subject
      where guild_id = ${guildId} and rule_id = any(${ids}::text[]) and state = 'reverted'
        and requested_at_ms >= ${since}
        and not has_expired
      group by rule_id
    ) as cases on cases.rule_id = asked.id
    where reviews.decided > 0 or cases.undone > 0
  `.execute(db);
  return new Map(rows.map(({ ruleId, ...record }) => [ruleId, record]));
}
