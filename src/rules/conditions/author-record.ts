import { sql } from "kysely";
import { userEvents } from "../evaluate/occurrence.ts";
import { countSource } from "../facts/count-source.ts";
import { needOf } from "../facts/fact.ts";
import { factField, numberCondition } from "./make-condition.ts";
import { inForce, literals } from "../../database/tables/case-states.ts";

/**
 * The author's points in this server that still count. Only points whose own event was stored before the one in question:
 * by the order of events, every worker and every rehearsal counts the same. (Events of very old points are gone.)
 */
export const strikePoints = needOf(
  countSource(
    "strikes of this server",
    sql`select asked.index, sum(points) as count from asked join castellan.strikes
      on guild_id = asked.guild and strikes.channel_id = asked.channel and strikes.fid = asked.fid
        and coalesce(event_id < asked.event, given_at_ms <= asked.seen_at)
        and (expires_at_ms is null or expires_at_ms > asked.seen_at)
        and (removed_at_ms is null or removed_at_ms > asked.seen_at)
      left join castellan.events as added on added.source_key = case when strikes.event_id is null
        then concat('strike by hand ', strikes.id) else concat_ws(' ', 'strike', strikes.event_id,
          strikes.guild_id, strikes.channel_id, strikes.rule_id, strikes.action_index,
          case when strikes.review_round > 0 then concat('round ', strikes.review_round) end) end
      where added.id is null or added.id <= asked.event
      group by asked.index`,
  ),
);

/** The author's strike points. */
export const authorStrikes = numberCondition({
  name: "author.strikes",
  called: "the author's strikes",
  events: userEvents,
  field: factField(strikePoints),
});

/** The author's earlier bans, hidden casts and removals in the channel. */
export const caseCount = needOf(
  countSource(
    "cases of this server",
    sql`select asked.index, count(*) as count from asked join castellan.cases
      on cases.channel_id = asked.channel and cases.subject_fid = asked.fid and guild_id = asked.guild
        and cases.kind in ('ban', 'hide', 'remove_member') and state in (${literals(inForce)})
        and requested_at_ms < asked.seen_at
      group by asked.index`,
  ),
);

/** How often the author was banned, hidden or removed here before. */
export const authorCases = numberCondition({
  name: "author.cases",
  called: "the number of the author's cases",
  events: userEvents,
  field: factField(caseCount),
});
