import { sql } from "kysely";
import { countSource } from "../facts/count-source.ts";
import { needOf } from "../facts/fact.ts";
import { factField, numberCondition } from "./make-condition.ts";

/** Nobody asks for more; keeps one event's cost bounded. */
const most = 1000;

/**
 * Casts of the same second do not count, for nobody knows which came first; those from before the link do, as far as they
 * are known, and so do those that are hidden, removed, or kept without their text.
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

/** The how many-th cast of the author in the channel it is. */
export const castsUpTo = needOf(source);

/** How many casts the author has in the channel, this one included: 1 for the first. */
export const authorCasts = numberCondition({
  name: "author.casts",
  called: "the number of the author's casts in the channel",
  events: ["cast.created"],
  least: 1,
  field: factField(castsUpTo),
});
