import { sql } from "kysely";
import { mapLimited } from "../../async.ts";
import type { BotContext } from "../../bot-context.ts";
import type { Channel } from "../../contract/channels.ts";
import type { Queryable } from "../../database/database.ts";
import { asAppError } from "../../errors.ts";
import type { User } from "../../observe/people.ts";
import { inlineCode } from "../../text/message-text.ts";
import { findUser, isUnclearNumber, readUser } from "../find-target.ts";
import { unclearLine, type FileLine, type ReadLine, type TargetColumns } from "./file-lines.ts";
import { castsThatFit, type CastFilter } from "./find-casts.ts";
import { inForce, literals } from "../../database/tables/case-states.ts";

/** In these columns, digits are a name. */
const nameColumns = ["username", "user_name", "fname", "handle", "name"];

export const userColumns: TargetColumns = {
  anywhere: ["fid", "subject_fid", "user_fid", "target_fid", ...nameColumns, "written"],
  first: ["user", "account", "profile", "link", "url"],
};

/** How many unknown names of one file are looked up in the registry, and how many in parallel. */
const [maxAsked, askedAtOnce] = [100, 4];

/** The users that a file's lines name by fid, name or link, and the result of each line. */
export async function readUserLines(
  context: BotContext,
  lines: readonly FileLine[],
): Promise<ReadLine<User>[]> {
  const read = lines.map((line) => ({
    line,
    typed: tryRead(context, line),
    others: line.others.map((other) => ({ ...other, typed: tryRead(context, other) })),
  }));
  const known = await findHolders(
    context.database.query,
    read
      .flatMap(({ typed, others }) => [typed, ...others.map((other) => other.typed)])
      .flatMap((typed) => (typed && "name" in typed ? [typed.name] : [])),
  );
  let asked = 0;
  return mapLimited(read, askedAtOnce, async ({ line, typed, others }): Promise<ReadLine<User>> => {
    const { number, written } = line;
    const refused = (mistake: string) => ({ number, written, mistake });
    const found = (user: User): ReadLine<User> => {
      const other = others.find((one) => namesAnother(one, user.fid, known));
      return other
        ? refused(describeAnother(other, user))
        : { number, written, target: user, key: String(user.fid) };
    };
    if (!typed) return refused(isUnclearNumber(written) ? unclearLine : "not a fid, name or profile link");
    if ("fid" in typed) return found({ fid: typed.fid, name: undefined });
    const fid = known.get(typed.name);
    if (fid !== undefined) return found({ fid, name: typed.name });
    asked += 1;
    if (asked > maxAsked) return refused("Castellan has never seen this name: give the fid");
    return findUser(context, `@${typed.name}`).then(found, (error: unknown) => {
      const refusal = asAppError(error);
      if (!refusal) throw error;
      const isNobody = refusal.code === "invalid_input";
      return refused(isNobody ? "nobody holds this name now" : "the registry cannot be reached right now");
    });
  });
}

/** 12,345 spammer: a reason, or the rest of the number and a reason. */
const restOfNumber = /^[0-9]{3}(?![\p{L}\p{N}])/u;

type OtherField = FileLine["others"][number] & { typed: ReturnType<typeof tryRead> };

/**
 * Whether another field of a line names a different user. A word counts as a name only if somebody is known to hold it,
 * because most words next to a user are reasons.
 */
function namesAnother(
  { written, column, typed }: OtherField,
  fid: number,
  known: ReadonlyMap<string, number>,
): boolean {
  if (!typed) return column === undefined && (isUnclearNumber(written) || restOfNumber.test(written));
  if ("fid" in typed) return typed.fid !== fid;
  const holder = known.get(typed.name);
  return holder === undefined ? column === undefined && /^@|:\/\//.test(written) : holder !== fid;
}

function describeAnother({ written, column }: OtherField, { fid }: User): string {
  const field = inlineCode(written, 40);
  return column === undefined
    ? `${field} may also name a user: write one user per line, or a first line with headings, such as fid,reason`
    : `${field} in the column ${column} is another user than fid ${fid}`;
}

function tryRead(
  context: BotContext,
  { written, column }: Pick<FileLine, "written" | "column">,
): ReturnType<typeof readUser> | undefined {
  try {
    return readUser(context, written, nameColumns.includes(column ?? "") ? "name" : "fid");
  } catch (error) {
    if (asAppError(error, "invalid_input")) return undefined;
    throw error;
  }
}

async function findHolders(query: Queryable, names: readonly string[]): Promise<Map<string, number>> {
  if (names.length === 0) return new Map();
  const { rows } = await sql<{ name: string; fid: number }>`
    select name, fid from castellan.names where name = any(${[...new Set(names)]}::text[])
  `.execute(query);
  return new Map(rows.map(({ name, fid }) => [name, fid]));
}

/** Why Castellan cannot ban somebody from a channel, whatever the network shows; undefined if it can. */
export function whyNotBanned(channel: Channel, botFid: number, fid: number): string | undefined {
  if (fid === channel.leadFid) return "the owner of the channel cannot be banned";
  if (fid === botFid) return "that is Castellan itself";
  return channel.moderatorFids.includes(fid) && channel.leadFid !== botFid
    ? "only the owner can ban a moderator"
    : undefined;
}

/** The users among these that are banned from a channel, as far as Castellan knows. */
export async function findAlreadyBanned(
  query: Queryable,
  channelId: string,
  fids: readonly number[],
): Promise<Set<number>> {
  const { rows } = await sql<{ fid: number }>`
    select fid from castellan.banned_users where channel_id = ${channelId} and fid = any(${[...fids]}::bigint[])
  `.execute(query);
  return new Set(rows.map(({ fid }) => fid));
}

/** Authors of matching casts, those with the most first. */
export async function searchAuthors(
  query: Queryable,
  channelId: string,
  filter: CastFilter,
  limit: number,
): Promise<{ fid: number; casts: number }[]> {
  return castsThatFit(query, [channelId], filter)
    .select((casts) => ["fid", casts.fn.countAll<number>().as("casts")])
    .groupBy("fid")
    .orderBy("casts", "desc")
    .orderBy("fid")
    .limit(limit)
    .execute();
}

interface BanSearch {
  guildId: string;
  channelId: string;
  /** Only users banned by this rule. */
  ruleId?: string | undefined;
  /** Only users banned since then, in UNIX seconds. */
  since?: number | undefined;
}

/** Banned users by the last reading of the listing, newest first. */
export async function searchBanned(
  query: Queryable,
  { guildId, channelId, ruleId, since }: BanSearch,
  limit: number,
): Promise<number[]> {
  const { rows } = await sql<{ fid: number }>`
    select fid from castellan.listing_entries as entry
    where channel_id = ${channelId} and listing = 'bans'
      and (${since ?? null}::bigint is null or at >= ${since ?? null}::bigint)
      and (${ruleId ?? null}::text is null or exists (
        select from castellan.cases where cases.guild_id = ${guildId} and cases.channel_id = entry.channel_id
          and cases.target_fid = entry.fid and kind = 'ban' and rule_id = ${ruleId ?? null}
          and state in (${literals(inForce)})))
    order by at desc, fid limit ${limit}
  `.execute(query);
  return rows.map(({ fid }) => fid);
}
