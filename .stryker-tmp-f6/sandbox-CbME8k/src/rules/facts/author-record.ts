// @ts-nocheck
import { sql, type RawBuilder } from "kysely";
import type { Ask, Fact, FactSource } from "../evaluate/fact.ts";
import { authorNotKnown } from "./author-source.ts";

/**
 * A number that the store has of the author, in the server's own eyes. `count` is a query over `asked`: index, guild,
 * channel, fid, event (id), at (UNIX milliseconds); it gives index and count.
 */
function askOfStore(
  key: string,
  name: string,
  count: RawBuilder<{ index: number; count: number }>,
): Ask<number> {
  const source: FactSource = {
    name,
    async load(context, wanted) {
      const questions = wanted.map(({ occurrence: { guildId, channelId, authorFid, event } }, index) => {
        return {
          index,
          guild: guildId,
          channel: channelId,
          fid: authorFid,
          event: event.id,
          at: event.observedAt,
        };
      });
      const { rows } = await sql<{ index: number; count: number }>`
        with asked as (
          select * from json_to_recordset(${JSON.stringify(questions)}::text::json)
            as asked(index int, guild text, channel text, fid bigint, event bigint, at bigint)
        ) ${count}
      `.execute(context.database.query);
      const counts = new Map(rows.map(({ index, count }) => [index, count]));
      return wanted.map(({ occurrence }, index): Fact<number> => {
        if (occurrence.authorFid === null) return authorNotKnown(name, context);
        return { known: true, value: counts.get(index) ?? 0, source: name, at: context.clock.now() };
      });
    },
  };
  return { key, source };
}

/**
 * The points against the author that were told of up to the event and still count; what it brings them itself comes
 * after it. By the order of events, every worker counts the same, and a rehearsal too. What tells of very old ones is
 * deleted in time.
 */
export const askStrikes = askOfStore(
  "strikes",
  "strikes of this server",
  sql`select asked.index, sum(points) as count from asked join castellan.strikes
    on guild_id = asked.guild and strikes.channel_id = asked.channel and strikes.fid = asked.fid
      and event_id < asked.event and (expires_at_ms is null or expires_at_ms > asked.at)
    left join castellan.events as told on told.source_key = concat_ws(' ', 'strike', strikes.event_id,
      strikes.guild_id, strikes.channel_id, strikes.rule_id, strikes.action_index)
    where told.id is null or told.id <= asked.event
    group by asked.index`,
);

/** The author's earlier bans, hidden casts and removals in the channel. */
export const askCases = askOfStore(
  "cases",
  "cases of this server",
  sql`select asked.index, count(*) as count from asked join castellan.cases
    on cases.channel_id = asked.channel and target_fid = asked.fid and guild_id = asked.guild
      and kind in ('ban', 'hide', 'remove_member') and state in ('applied', 'already', 'outside')
      and requested_at_ms < asked.at
    group by asked.index`,
);
