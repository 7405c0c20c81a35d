import { sql, type Selectable } from "kysely";
import type { BotContext } from "../bot-context.ts";
import type { Queryable } from "../database/database.ts";
import { camelCased, type CamelCased } from "../database/camel-case.ts";
import type { BotTables } from "../database/tables/bot.ts";
import { AppError } from "../errors.ts";
import { botModerates } from "./channel-staff.ts";

export type KnownCast = CamelCased<Selectable<BotTables["castellan.casts"]>>;

export interface FoundCast {
  hash: string;
  /** undefined for a cast that Castellan never saw: from before it was linked, or from elsewhere. */
  known: KnownCast | undefined;
}

/** Finds a cast by hash or link; a link may carry only the hash's first digits. Throws `invalid_input`. */
export async function findCast(context: BotContext, text: string): Promise<FoundCast> {
  const hash = /(?:^|\/)(0x[0-9a-f]{6,40})\/?(?:[?#].*)?$/i.exec(text.trim())?.[1]?.toLowerCase();
  if (!hash) {
    throw new AppError(
      "invalid_input",
      `Unknown cast. Give its hash (0x and 40 digits) or its link (${context.settings.linkBase}/name/0x…).`,
    );
  }
  const casts = await context.database.query
    .selectFrom("castellan.casts")
    .selectAll()
    .where("hash", ">=", hash)
    .where("hash", "<=", hash.padEnd(42, "f"))
    .limit(2)
    .execute();
  const [known, another] = casts.map(camelCased);
  if (another) throw new AppError("invalid_input", `Several casts begin with ${hash}. Give the whole hash.`);
  if (!known && hash.length < 42) {
    throw new AppError(
      "invalid_input",
      `Castellan has seen no cast that begins with ${hash}. Give the whole hash.`,
    );
  }
  return { hash: known?.hash ?? hash, known };
}

/**
 * Makes sure that a cast is in the channel that the actor has rights in, for the network lets the bot act in every
 * channel that it moderates. Throws `not_allowed`.
 */
export async function requireCastIn(context: BotContext, cast: FoundCast, channelId: string): Promise<void> {
  if (cast.known) {
    if (cast.known.channelId === channelId) return;
    throw new AppError("not_allowed", `That cast is in ${cast.known.channelId}, not in ${channelId}.`);
  }
  const { channels } = await context.network.channels.all({});
  const moderated = channels.filter((channel) => botModerates(context.botFid, channel));
  if (moderated.every((channel) => channel.id === channelId)) return;
  throw new AppError(
    "not_allowed",
    `Castellan never saw that cast, so it cannot tell whether it is in ${channelId}. Use the network's own client for it.`,
  );
}

/** Channels of which somebody may be shown the casts, and those that are hidden there. */
export interface ShownCasts {
  visibleIn: readonly string[];
  hiddenIn: readonly string[];
}

/** Casts for autocomplete, newest first: those whose text or hash contains what was typed. */
export async function suggestCasts(
  { database }: BotContext,
  { visibleIn, hiddenIn }: ShownCasts,
  typed: string,
): Promise<KnownCast[]> {
  if (visibleIn.length + hiddenIn.length === 0) return [];
  const words = `%${typed.trim().replace(/[\\%_]/g, "\\$&")}%`;
  const rows = await database.query
    .selectFrom((query) =>
      query
        .selectFrom("castellan.casts")
        .selectAll()
        .where("channel_id", "in", [...visibleIn, ...hiddenIn])
        .where((is) =>
          is.or([
            is.and([is("hidden", "=", false), is("channel_id", "=", sql<string>`any(${visibleIn}::text[])`)]),
            is.and([is("hidden", "=", true), is("channel_id", "=", sql<string>`any(${hiddenIn}::text[])`)]),
          ]),
        )
        .where("removed_at", "is", null)
        .orderBy("cast_at", "desc")
        .limit(500)
        .as("newest"),
    )
    .selectAll()
    .where((is) => is.or([is("text", "ilike", words), is("hash", "like", words.toLowerCase())]))
    .orderBy("cast_at", "desc")
    .limit(25)
    .execute();
  return rows.map(camelCased);
}

/** A user's own casts in a channel that everybody still sees, newest first; replies are left out. */
export function listRootCasts(
  query: Queryable,
  channelId: string,
  fid: number,
  limit: number,
): Promise<Pick<KnownCast, "hash" | "text">[]> {
  return query
    .selectFrom("castellan.casts")
    .select(["hash", "text"])
    .where("fid", "=", fid)
    .where("channel_id", "=", channelId)
    .where("parent_hash", "is", null)
    .where("hidden", "=", false)
    .where("removed_at", "is", null)
    .orderBy("cast_at", "desc")
    .limit(limit)
    .execute();
}

/** How many casts of a user Castellan has seen in a channel, and how many of them are hidden. */
export function countCasts(
  query: Queryable,
  channelId: string,
  fid: number,
): Promise<{ seen: number; hidden: number }> {
  return query
    .selectFrom("castellan.casts")
    .select((casts) => [
      casts.fn.countAll<number>().as("seen"),
      casts.fn.countAll<number>().filterWhere("hidden", "=", true).as("hidden"),
    ])
    .where("fid", "=", fid)
    .where("channel_id", "=", channelId)
    .executeTakeFirstOrThrow();
}
