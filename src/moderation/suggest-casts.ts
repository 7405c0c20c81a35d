import { sql, type Selectable } from "kysely";
import type { BotContext } from "../bot-context.ts";
import { camelCased } from "../database/camel-case.ts";
import type { Queryable } from "../database/database.ts";
import type { BotTables } from "../database/tables/bot.ts";
import { discordLimits } from "../limits/discord-limits.ts";
import type { KnownCast } from "./find-target.ts";
import { inRange } from "./suggest-users.ts";
import { toLikePattern } from "./bulks/find-casts.ts";
import { eachChannel, newestOfEach, newestSearched } from "./each-channel.ts";

/** Channels whose casts may be shown to somebody, and those whose hidden casts may be. */
export interface ShownCasts {
  visibleIn: readonly string[];
  hiddenIn: readonly string[];
}

/** How many authors are found by the beginning of a name. */
const maxAuthors = 50;

/**
 * Casts for autocomplete, newest first, with the typed text in their text or hash, or at the start of the author's name.
 */
export async function suggestCasts(
  { database }: BotContext,
  { visibleIn, hiddenIn }: ShownCasts,
  typed: string,
): Promise<KnownCast[]> {
  const channelIds = [...new Set([...visibleIn, ...hiddenIn])];
  if (channelIds.length === 0) return [];
  const words = toLikePattern(typed.trim());
  const begins = typed.trim().replace(/^@/, "").toLowerCase();
  const inEach = database.query
    .selectFrom("castellan.casts")
    .selectAll()
    .where(sql<boolean>`channel_id = channel.id`)
    // Of the channel and not of the cast, because PostgreSQL would expect that few casts of a channel are in one of these.
    .where(
      sql<boolean>`case when hidden then channel.id = any(${[...hiddenIn]}::text[]) else channel.id = any(${[...visibleIn]}::text[]) end`,
    )
    .where("removed_at", "is", null)
    .orderBy("cast_at", "desc")
    .limit(newestOfEach(channelIds));
  const latest = await database.query
    .selectFrom(
      sql<Selectable<BotTables["castellan.casts"]>>`(
        select listed.* from ${eachChannel(channelIds)} cross join lateral ${inEach} as listed
        order by listed.cast_at desc limit ${newestSearched}
      )`.as("latest"),
    )
    .selectAll()
    .where((is) =>
      is.or([
        is("text", "ilike", words),
        is("hash", "like", words.toLowerCase()),
        is.exists(
          is
            .selectFrom("castellan.names as held")
            .select("held.fid")
            .whereRef("held.fid", "=", "latest.fid")
            .where(inRange("held.name", begins)),
        ),
      ]),
    )
    .orderBy("cast_at", "desc")
    .limit(discordLimits.choices)
    .execute();
  const older = begins === "" ? [] : await listByAuthors(database.query, begins);
  const offered = older.filter(({ channel_id, hidden }) =>
    (hidden ? hiddenIn : visibleIn).includes(channel_id),
  );
  const found = new Map([...latest, ...offered].map((cast) => [cast.hash, cast]));
  return [...found.values()]
    .toSorted((one, other) => other.cast_at - one.cast_at)
    .slice(0, discordLimits.choices)
    .map(camelCased);
}

/** The latest casts of authors whose name begins with the typed text, in any channel. */
async function listByAuthors(
  query: Queryable,
  begins: string,
): Promise<Selectable<BotTables["castellan.casts"]>[]> {
  const { rows } = await sql<Selectable<BotTables["castellan.casts"]>>`
    select cast_of.* from (
      select distinct held.fid from (
        select fid from castellan.names as held where ${inRange("held.name", begins)}
        order by held.name using ~<~ limit ${maxAuthors}
      ) as held
    ) as author
    cross join lateral (
      select * from castellan.casts where fid = author.fid and removed_at is null order by cast_at desc limit ${discordLimits.choices}
    ) as cast_of
  `.execute(query);
  return rows;
}
