import { sql } from "kysely";
import type { Clock } from "../../clock.ts";
import type { Queryable } from "../../database/database.ts";
import { newEvent, type NewChannelEvent } from "../../observe/events.ts";
import { cutText } from "../../text/message-text.ts";
import type { Verdict } from "../evaluate/evaluate.ts";
import type { Ruling, Situation } from "./apply-limits.ts";

const hour = 3600_000;
/** Characters of the reason in an alert. */
const maxShown = 600;

/**
 * Announces a rule that did nothing because the network could not be asked, once an hour per channel, because it may have
 * let a raid through. /status counts how often.
 */
export function reportUnknown(
  clock: Clock,
  { occurrence: { guildId, channelId, event } }: Situation,
  { rule, missing }: Verdict,
  ruling: Ruling,
): NewChannelEvent[] {
  if (rule.mode === "shadow" || missing === undefined) return [];
  if (ruling.kind !== "withhold" || ruling.outcome !== "unknown") return [];
  const now = clock.now();
  return [
    newEvent(now, {
      sourceKey: `unknown ${guildId} ${channelId} ${rule.id} ${Math.floor(now / hour)}`,
      kind: "rule.alert",
      channelId,
      depth: event.depth + 1,
      data: {
        guildId,
        ruleId: rule.id,
        text: `The rule did nothing because it could not be known whether it applies. /status counts how often. ${cutText(ruling.why ?? "", maxShown)}`,
        eventId: event.id,
      },
    }),
  ];
}

/** How many events a server's rules could not judge within a day because of missing network facts; by rule. */
export async function countUnknown(
  db: Queryable,
  clock: Clock,
  guildId: string,
): Promise<{ ruleId: string; events: number }[]> {
  const { rows } = await sql<{ ruleId: string; events: number }>`
    select rule_id as "ruleId", count(distinct (event_id, channel_id))::int as events
    from castellan.rule_decisions
    where guild_id = ${guildId} and outcome = 'unknown' and mode <> 'shadow' and decided_at_ms > ${clock.now() - 24 * hour}
    group by rule_id order by events desc, rule_id
  `.execute(db);
  return rows;
}
