import { sql, type RawBuilder } from "kysely";
import { discordLimits } from "../limits/discord-limits.ts";

/*
 * The newest rows of several channels are read channel by channel, each along its index: for a list of channels PostgreSQL
 * would sort the history of all of them.
 */

/** These channels as a table, whose column is `channel.id`. */
export function eachChannel(channelIds: readonly string[]): RawBuilder<unknown> {
  return sql`unnest(${[...channelIds]}::text[]) as channel (id)`;
}

/** How many of the newest casts or cases are searched for suggestions. */
export const newestSearched = 500;
/** How many are read for that, from all channels together. */
const maxRead = 5_000;

/** How many of the newest casts or cases of each channel are read for suggestions. */
export function newestOfEach(channelIds: readonly string[]): number {
  const share = Math.floor(maxRead / Math.max(channelIds.length, 1));
  return Math.min(newestSearched, Math.max(discordLimits.choices, share));
}
