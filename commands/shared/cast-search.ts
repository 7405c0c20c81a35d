import { text, yesOrNo, type ArgumentsOf, type Option, type RawValue } from "../../src/discord/command.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { AppError } from "../../src/errors.ts";
import { authorize } from "../../src/moderation/authorize.ts";
import { authorizeIn } from "../../src/moderation/authorize-server.ts";
import { listCasts, type CastFilter, type CastPlace } from "../../src/moderation/bulks/find-casts.ts";
import type { KnownCast } from "../../src/moderation/find-target.ts";
import { describeUser, type User } from "../../src/observe/people.ts";
import { describeTime, inlineCode } from "../../src/text/message-text.ts";
import { writeSince } from "../../src/text/since.ts";
import { channelOption, optionalUser, readChannelId, sinceOption } from "./options.ts";

/** A host or an address. */
export const linkOption: Option<string | undefined> = text({
  description: "Only casts with this link: a host such as spam.example, or an address",
  maxLength: 200,
});

/** The options of a search that only shows what it finds. */
export const searchOptions = {
  text: text({ description: "Only casts that contain this", maxLength: 200 }),
  user: optionalUser("Only of this user: fid, @name or profile link", "any"),
  link: linkOption,
  since: sinceOption("Only casts after this time: 2h ago, 20:00 or 2026-11-23 20:00"),
  hidden: yesOrNo("Only hidden casts, or only visible ones; both if left out"),
  channel: { ...channelOption, description: "Only this channel" },
};

export interface Search {
  filter: CastFilter;
  /** Only hidden casts, or only visible ones; both if undefined. */
  hidden: boolean | undefined;
  /** The channels searched: at least one, and only those that the actor may view. */
  channelIds: readonly string[];
  user: User | undefined;
}

/** Checks where the actor may search. Throws like `authorize`. */
export async function readSearch(
  context: CommandContext,
  { text: words, user, link, since, hidden, channel }: ArgumentsOf<typeof searchOptions>,
): Promise<Search> {
  const given = channel === undefined ? undefined : readChannelId(channel);
  if (given !== undefined) await authorize(context, context.actor, given, "view");
  const channelIds = given === undefined ? await authorizeIn(context, context.actor, "view") : [given];
  return { filter: { fid: user?.fid, text: words, link, since }, hidden, channelIds, user };
}

/** A page of what a search finds, newest first. */
export async function findPage(
  { database }: CommandContext,
  { filter, hidden, channelIds }: Search,
  before: CastPlace | undefined,
  pageSize: number,
): Promise<{ casts: KnownCast[]; hasMore: boolean }> {
  const found = await listCasts(database.query, channelIds, { ...filter, hidden }, before, pageSize + 1);
  return { casts: found.slice(0, pageSize), hasMore: found.length > pageSize };
}

/** The options with which a command in bulk finds the same casts; undefined for a search without a filter. */
export function optionsFor({ filter, channelIds }: Search): Record<string, RawValue> | undefined {
  const { fid, text: words, link, since } = filter;
  if ([fid, words, link, since].every((one) => one === undefined)) return undefined;
  const [only, another] = channelIds;
  return {
    ...(fid !== undefined && { user: String(fid) }),
    ...(words !== undefined && { text: words }),
    ...(link !== undefined && { link }),
    ...(since !== undefined && { since: writeSince(since) }),
    ...(another === undefined && only !== undefined && { channel: only }),
  };
}

/** Where the page after this cast begins. */
export function writePlace({ castAt, hash }: CastPlace): string {
  return `${castAt} ${hash}`;
}

/** Throws `invalid_input` for a value that no page has. */
export function readPlace(cursor: string | undefined): CastPlace | undefined {
  if (!cursor) return undefined;
  const [, castAt, hash = ""] = /^(\d{1,12}) (0x[0-9a-f]{40})$/.exec(cursor) ?? [];
  if (castAt === undefined) throw new AppError("invalid_input", "There is no such page.");
  return { castAt: Number(castAt), hash };
}

export function describeSearch({ text: words, link, since }: CastFilter, user: User | undefined): string {
  return [
    "Casts that Castellan has seen",
    ...(user === undefined ? [] : [`of ${describeUser(user)}`]),
    ...(words === undefined ? [] : [`with ${inlineCode(words)}`]),
    ...(link === undefined ? [] : [`with the link ${inlineCode(link)}`]),
    ...(since === undefined ? [] : [`since ${describeTime(since, "f")}`]),
  ].join(" ");
}
