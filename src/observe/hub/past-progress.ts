import { sql } from "kysely";
import type { BotContext } from "../../bot-context.ts";
import { seconds } from "../../clock.ts";

/** How much of a channel's casts from before its link is read: first its own casts, then the replies to each. */
export interface PastProgress {
  channelId: string;
  /** Its own casts are not all listed yet. */
  isListing: boolean;
  /** Older casts whose replies are known, and casts whose replies are still to be requested. */
  known: number;
  left: number;
  /** All replies to casts from this second on are known, because the newest come first. */
  knownFrom: number;
}

/** Channels with something left to read, including those that back off after a failure. */
export async function readPastProgress({
  database,
  clock,
  settings,
}: Pick<BotContext, "database" | "clock"> & { settings: Pick<BotContext["settings"], "history"> }): Promise<
  PastProgress[]
> {
  const oldest = seconds(clock) - settings.history.seconds;
  const { rows } = await sql<PastProgress>`
    select watched.channel_id as "channelId", past_page is not null as "isListing",
      coalesce(unknown.casts, 0)::int as "left",
      coalesce(unknown.newest + 1, ${oldest})::float8 as "knownFrom",
      (select count(*)::int from castellan.casts
        where casts.channel_id = watched.channel_id and from_past and replies_known and cast_at >= ${oldest}) as known
    from castellan.watched_channels watched left join (
      select channel_id, count(*) as casts, max(cast_at) as newest from castellan.casts
      where not replies_known and cast_at >= ${oldest} group by channel_id
    ) unknown using (channel_id)
    where past_page is not null or unknown.casts > 0
    order by watched.channel_id
  `.execute(database.query);
  return rows;
}
