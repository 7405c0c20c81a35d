import { sql } from "kysely";
import { countSource } from "../facts/count-source.ts";
import { needOf } from "../facts/fact.ts";
import { factField, numberCondition } from "./make-condition.ts";

/** The highest useful number; keeps one event's cost bounded. */
const most = 1000;

/**
 * Casts of the same second do not count, because their order is unknown. Known casts from before the link do count, and so
 * do casts that are hidden, removed, or stored without their text.
 */
const source = countSource(
  "casts of the channel",
  sql`
    select asked.index, 1 + earlier.casts as count from asked cross join lateral (
      select count(*) as casts from (
        select from castellan.casts
        where casts.fid = asked.fid and casts.channel_id = asked.channel and cast_at < asked.until
        limit ${sql.lit(most)}
      ) as found
    ) as earlier
  `,
);

/** The ordinal of this cast among the author's casts in the channel. */
export const castsUpTo = needOf(source);

/** How many casts the author has in the channel, including this one: 1 for the first. */
export const authorCasts = numberCondition({
  name: "author.casts",
  called: "the number of the author's casts in the channel",
  events: ["cast.created"],
  least: 1,
  field: factField(castsUpTo),
});
