import { sql } from "kysely";
import type { BotContext } from "../../bot-context.ts";
import type { Queryable } from "../../database/database.ts";
import { inForce, targetKey, toCase, type Case } from "./case.ts";

/** The channel as one server sees it: cases are numbered, and belong, by both. */
interface Scope {
  guildId: string;
  channelId: string;
}

export async function findCase(
  query: Queryable,
  { guildId, channelId, number }: Scope & { number: number },
): Promise<Case | undefined> {
  const row = await query
    .selectFrom("castellan.cases")
    .selectAll()
    .where("guild_id", "=", guildId)
    .where("channel_id", "=", channelId)
    .where("number", "=", number)
    .executeTakeFirst();
  return row && toCase(row);
}

interface CaseFilter extends Scope {
  /** Only cases about this user. */
  targetFid?: number | undefined;
  /** Only cases with a smaller number. */
  before?: number | undefined;
  limit: number;
}

/** A channel's cases, newest first. */
export async function listCases(
  query: Queryable,
  { guildId, channelId, targetFid, before, limit }: CaseFilter,
): Promise<Case[]> {
  const rows = await query
    .selectFrom("castellan.cases")
    .selectAll()
    .where("guild_id", "=", guildId)
    .where("channel_id", "=", channelId)
    .$if(targetFid !== undefined, (cases) => cases.where("target_fid", "=", targetFid ?? 0))
    .$if(before !== undefined, (cases) => cases.where("number", "<", before ?? 0))
    .orderBy("number", "desc")
    .limit(limit)
    .execute();
  return rows.map(toCase);
}

/** A user's latest cases in a channel, newest first. */
export async function listLatestCases(
  query: Queryable,
  { guildId, channelId }: Scope,
  fid: number,
  limit: number,
): Promise<Case[]> {
  const rows = await query
    .selectFrom("castellan.cases")
    .selectAll()
    .where("guild_id", "=", guildId)
    .where("lane", "=", targetKey({ channelId, kind: "ban", targetFid: fid }))
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return rows.map(toCase);
}

/** The bans of these users that stand by this server's cases, by fid: the one that ends last counts. */
export async function findStandingBans(
  query: Queryable,
  { guildId, channelId }: Scope,
  fids: readonly number[],
): Promise<Map<number, Case>> {
  if (fids.length === 0) return new Map();
  const rows = await query
    .selectFrom("castellan.cases")
    .selectAll()
    .where("guild_id", "=", guildId)
    .where("channel_id", "=", channelId)
    .where("target_fid", "in", fids)
    .where("kind", "=", "ban")
    .where("state", "in", inForce)
    .orderBy("due_at_ms", (order) => order.asc().nullsLast())
    .execute();
  const bans = rows.map(toCase);
  return new Map(bans.flatMap((ban) => (ban.targetFid === null ? [] : [[ban.targetFid, ban]])));
}

/** How many of a server's cases the network has not settled, and when the oldest was asked for, in UNIX milliseconds. */
export function countOpenCases(
  query: Queryable,
  guildId: string,
): Promise<{ open: number; oldestMs: number | null }> {
  return query
    .selectFrom("castellan.cases")
    .select((cases) => [
      cases.fn.countAll<number>().as("open"),
      cases.fn.min<number | null>("requested_at_ms").as("oldestMs"),
    ])
    .where("guild_id", "=", guildId)
    .where("state", "=", "requested")
    .executeTakeFirstOrThrow();
}

/** Calls on invites that one account may make in a channel in an hour (interface.md, "Limits"). */
export const invitesAnHour = 100;

/** How many of them the bot has used in the last hour: all servers of the channel share them. */
export async function countInviteCalls({ database, clock }: BotContext, channelId: string): Promise<number> {
  const { calls } = await database.query
    .selectFrom("castellan.cases")
    .select(sql<number>`coalesce(sum(attempts), 0)`.as("calls"))
    .where("channel_id", "=", channelId)
    .where("kind", "in", ["invite", "revoke_invite", "remove_member"])
    .where("sent_at_ms", ">", clock.now() - 3600_000)
    .executeTakeFirstOrThrow();
  return calls;
}
