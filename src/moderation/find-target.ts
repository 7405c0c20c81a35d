import type { Selectable } from "kysely";
import type { BotContext } from "../bot-context.ts";
import type { Channel } from "../contract/channels.ts";
import { FidDigits } from "../contract/values.ts";
import type { Requester, CallOptions } from "../contract/endpoint.ts";
import { camelCased, type CamelCased } from "../database/camel-case.ts";
import type { BotTables } from "../database/tables/bot.ts";
import { AppError, asAppError } from "../errors.ts";
import { TranslatedError } from "../languages/translated-error.ts";
import { recall } from "./known-rights.ts";
import { readNames, type User } from "../observe/people.ts";
import { inlineCode } from "../text/message-text.ts";

/** The meaning of digits alone: usually a fid, but a name where names are expected. */
export type Digits = "fid" | "name";

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
  throw new TranslatedError("invalid_input", (texts) => texts.typed.unusedName(typed.name));
}

/** Digits with separators next to them: 12,345 and 13.000, in any script, can be one number or several. */
const unclearNumber = /^(?!@)(?=.*\p{N})[\p{N}\p{Z}\p{Po}\p{Pc}\p{Pf}\p{Pi}\p{Sk}\s]+$/u;

/**
 * Parses a fid or a name as people write them. A link that ends in a name means the name, even if that is 12, because fids
 * have their own links. No fid begins with 0, so 012 is a name. Throws `invalid_input`.
 */
export function readUser(
  { settings }: BotContext,
  text: string,
  digits: Digits = "fid",
): { fid: number } | { name: string } {
  const typed = text.trim();
  const path = pathOfLink(settings.linkBase, typed);
  const isLink = path !== undefined;
  const word = path ?? typed;
  const written = isLink ? /^~\/profiles\/([0-9]+)$/.exec(word) : /^fid[\s:]+([0-9]+)$/i.exec(word);
  const alone = isLink || digits === "name" ? null : /^[1-9][0-9]*$/.exec(word);
  const fid = FidDigits.safeParse(written?.[1] ?? alone?.[0]).data;
  if (fid !== undefined) return { fid };
  const name = alone ? undefined : /^@?([a-z0-9][a-z0-9.-]{0,39})$/i.exec(word)?.[1];
  const isUnclear = isUnclearNumber(word);
  if (name !== undefined && !isUnclear) return { name: name.toLowerCase() };
  const link = `${settings.linkBase.replace(/\/$/, "")}/alice`;
  throw new TranslatedError("invalid_input", (texts) =>
    isUnclear ? texts.typed.unclearUser(inlineCode(typed, 40), link) : texts.typed.unknownUser(link),
  );
}

/** The app's former domain: links to it lead to the same people. */
const earlier = new Map([["farcaster.xyz", "warpcast.com"]]);

/** The path of a link to the app, which people copy with www, without a scheme or in angle brackets. */
function pathOfLink(linkBase: string, typed: string): string | undefined {
  const [base, link] = [linkBase, typed.replace(/^<(.*)>$/, "$1")].map((one) =>
    one.replace(/^https?:\/\/(?:www\.)?|^www\./i, ""),
  );
  const place = base?.replace(/\/$/, "") ?? "";
  for (const one of [place, earlier.get(place)]) {
    if (one === undefined || !link?.toLowerCase().startsWith(`${one.toLowerCase()}/`)) continue;
    return link
      .slice(one.length + 1)
      .replace(/[?#].*$/, "")
      .replace(/\/$/, "");
  }
  return undefined;
}

/** Whether a text is digits and separators, so that it can be one number or several. */
export function isUnclearNumber(text: string): boolean {
  return unclearNumber.test(text.trim()) && !/^[0-9]+$/.test(text.trim());
}

/** The name that a user goes by, if any: from the names that were seen, otherwise from the registry. */
export async function findName(context: BotContext, fid: number): Promise<string | undefined> {
  const name = (await readNames(context.database.query, [fid])).get(fid);
  if (name !== undefined) return name;
  try {
    return (await askRegistry(context, { fid }))?.name;
  } catch (error) {
    // A name is only for display: without the registry, the fid is enough.
    context.log.warn({ err: error, fid }, "could not read a name from the registry");
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
  /** Undefined for a cast that Castellan never saw: from before the link, or from elsewhere. */
  known: KnownCast | undefined;
}

/** The hash, possibly shortened, in a hash or link, which people also write in angle brackets. */
export function readHash(written: string): string | undefined {
  const [, hash] = /(?:^|\/)(0x[0-9a-f]{6,40})\/?(?:[?#].*)?$/i.exec(written.replace(/^<(.*)>$/, "$1")) ?? [];
  return hash?.toLowerCase();
}

/** Finds a cast by hash or link; a link may contain only the hash's first digits. Throws `invalid_input`. */
export async function findCast(context: BotContext, text: string): Promise<FoundCast> {
  const hash = readHash(text.trim());
  if (!hash) {
    const link = `${context.settings.linkBase.replace(/\/$/, "")}/name/0x…`;
    throw new TranslatedError("invalid_input", (texts) => texts.typed.unknownCast(link));
  }
  const casts = await context.database.query
    .selectFrom("castellan.casts")
    .selectAll()
    .where("hash", ">=", hash)
    .where("hash", "<=", hash.padEnd(42, "f"))
    .limit(2)
    .execute();
  const [known, another] = casts.map(camelCased);
  if (another) throw new TranslatedError("invalid_input", (texts) => texts.typed.severalCasts(hash));
  if (!known && hash.length < 42)
    throw new TranslatedError("invalid_input", (texts) => texts.typed.unseenCast(hash));
  return { hash: known?.hash ?? hash, known };
}

/** The network's record of a channel; undefined if there is no such channel. */
export async function findChannel(
  { network }: BotContext,
  channelId: string,
  options?: CallOptions<{ channel: Channel }>,
): Promise<Channel | undefined> {
  try {
    return (await network.channels.get({ channelId }, options)).channel;
  } catch (error) {
    if (asAppError(error, "not_found", "invalid_request")) return undefined;
    throw error;
  }
}

/** The same, at most a minute old on the live network, where each call counts. */
export function findChannelLately(
  context: BotContext,
  channelId: string,
  by?: Requester,
): Promise<Channel | undefined> {
  return recall(context, `channel ${channelId}`, () => findChannel(context, channelId, by && { by }));
}

/** The same for a channel that must exist. Throws `not_found` with advice on what to check. */
export async function readChannel(context: BotContext, channelId: string): Promise<Channel> {
  const channel = await findChannel(context, channelId);
  if (channel) return channel;
  throw noSuchChannel(channelId);
}

export function noSuchChannel(channelId: string): AppError {
  return new AppError("not_found", `There is no channel called ${channelId}.`);
}
