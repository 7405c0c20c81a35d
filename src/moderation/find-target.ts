import type { Selectable } from "kysely";
import type { BotContext } from "../bot-context.ts";
import type { Channel } from "../contract/channels.ts";
import { camelCased, type CamelCased } from "../database/camel-case.ts";
import type { Queryable } from "../database/database.ts";
import type { BotTables } from "../database/tables/bot.ts";
import { AppError, asAppError } from "../errors.ts";
import { selectBody } from "../observe/cast-body.ts";
import { readNames, type User } from "../observe/people.ts";
import type { CastBody } from "../text/show-cast.ts";

/** Finds a user by fid, @name or profile link: among the names seen so far, then in the registry. */
export async function findUser(context: BotContext, text: string): Promise<User> {
  const typed = readUser(context, text);
  if ("fid" in typed) return { fid: typed.fid, name: await findName(context, typed.fid) };
  const known = await context.database.query
    .selectFrom("castellan.names")
    .select("fid")
    .where("name", "=", typed.name)
    .executeTakeFirst();
  const fid = known?.fid ?? (await askRegistry(context, { name: typed.name }))?.fid;
  if (fid) return { fid, name: (await readNames(context.database.query, [fid])).get(fid) ?? typed.name };
  throw new AppError("invalid_input", `Nobody holds the name ${typed.name} now. A fid works too.`);
}

/** A fid or a name, as people write them. Throws `invalid_input`. */
export function readUser({ settings }: BotContext, text: string): { fid: number } | { name: string } {
  const link = `${settings.linkBase.replace(/\/$/, "")}/`;
  const typed = text.trim().replace(/[?#].*$/, "");
  const word = typed.startsWith(link) ? typed.slice(link.length) : typed;
  const profile = /^~\/profiles\/([0-9]+)\/?$/.exec(word);
  const fid = profile?.[1] ?? (/^(?:fid\s*)?([0-9]+)$/i.exec(word)?.[1] || "");
  if (fid !== "" && Number.isSafeInteger(Number(fid)) && Number(fid) > 0) return { fid: Number(fid) };
  const name = /^@?([a-z0-9][a-z0-9.-]{0,39})\/?$/i.exec(word)?.[1];
  if (name && fid === "") return { name: name.toLowerCase() };
  throw new AppError(
    "invalid_input",
    `Unknown user. Give a fid (7), a name (@alice) or a profile link (${link}alice).`,
  );
}

/** The name that a user goes by, if any: of those that were seen, else the registry's. */
export async function findName(context: BotContext, fid: number): Promise<string | undefined> {
  const name = (await readNames(context.database.query, [fid])).get(fid);
  if (name !== undefined) return name;
  try {
    return (await askRegistry(context, { fid }))?.name;
  } catch (error) {
    // A name is only for people: without the registry the fid alone has to do.
    context.log.warn({ err: error, fid }, "the registry cannot be asked for a name");
    return undefined;
  }
}

async function askRegistry(
  { network }: BotContext,
  asked: { name: string } | { fid: number },
): Promise<{ fid: number; name: string } | undefined> {
  try {
    const { transfer } = await network.transfers.current(asked);
    return transfer.to === 0 ? undefined : { fid: transfer.to, name: transfer.username };
  } catch (error) {
    if (asAppError(error, "not_found", "invalid_request", "USERNAME_NOT_FOUND")) return undefined;
    throw error;
  }
}

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
      `Unknown cast. Give its hash (0x and 40 digits) or its link (\`${context.settings.linkBase.replace(/\/$/, "")}/name/0x…\`).`,
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

/** A user's own casts in a channel that everybody still sees, newest first, and how many there are; replies are left out. */
export async function listRootCasts(
  query: Queryable,
  channelId: string,
  fid: number,
  limit: number,
): Promise<{ casts: { hash: string; body: CastBody }[]; total: number }> {
  const own = query
    .selectFrom("castellan.casts")
    .where("fid", "=", fid)
    .where("channel_id", "=", channelId)
    .where("parent_hash", "is", null)
    .where("hidden", "=", false)
    .where("removed_at", "is", null);
  const casts = await own
    .select(["hash", selectBody("castellan.casts").as("body")])
    .orderBy("cast_at", "desc")
    .limit(limit)
    .execute();
  if (casts.length < limit) return { casts, total: casts.length };
  const { total } = await own
    .select((one) => one.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return { casts, total };
}

/** The network's record of a channel; undefined where it knows none of that id. */
export async function findChannel({ network }: BotContext, channelId: string): Promise<Channel | undefined> {
  try {
    return (await network.channels.get({ channelId })).channel;
  } catch (error) {
    if (asAppError(error, "not_found", "invalid_request")) return undefined;
    throw error;
  }
}

/** The same, where it has to be there. Throws `not_found` in words that say what to check. */
export async function readChannel(context: BotContext, channelId: string): Promise<Channel> {
  const channel = await findChannel(context, channelId);
  if (channel) return channel;
  throw new AppError("not_found", `There is no channel called ${channelId}.`);
}
