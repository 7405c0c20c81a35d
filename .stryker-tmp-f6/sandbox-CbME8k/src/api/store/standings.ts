// @ts-nocheck
import { sql } from "kysely";
import type { Role } from "../../contract/values.ts";
import type { Queryable, Tx } from "../../database/database.ts";
import type { Answer, ChannelRole, Standing, State } from "../domain/standing.ts";

/** What a user is in a channel. Where something is decided by it, lock the channel first. */
export async function readRole(
  db: Queryable,
  channelId: string,
  fid: number,
): Promise<ChannelRole | undefined> {
  const row = await db
    .selectFrom("network.memberships")
    .select("role")
    .where("channel_id", "=", channelId)
    .where("fid", "=", fid)
    .executeTakeFirst();
  return row?.role;
}

interface StandingRow {
  caller_role: ChannelRole | null;
  role: ChannelRole | null;
  was_member: boolean | null;
  invite: Role | null;
  restricted: boolean;
  banned: boolean;
  answers: Partial<Record<Role, Answer>> | null;
}

/** A user's standing and the caller's role, in one statement. */
export async function readStanding(
  tx: Tx,
  channelId: string,
  fid: number,
  caller: number,
): Promise<{ standing: Standing; callerRole: ChannelRole | undefined }> {
  const user = sql`channel_id = ${channelId} and fid = ${fid}`;
  const { rows } = await sql<StandingRow>`
    select
      (select role from network.memberships where channel_id = ${channelId} and fid = ${caller}) as caller_role,
      (select role from network.memberships where ${user}) as role,
      (select was_member from network.memberships where ${user}) as was_member,
      (select role from network.invites where ${user}) as invite,
      exists (select from network.restrictions where ${user}) as restricted,
      exists (select from network.bans where ${user}) as banned,
      (select json_object_agg(role, case when accepted then 'accepted' else 'declined' end)
         from network.invite_answers where ${user}) as answers
  `.execute(tx);
  const [row] = rows;
  if (!row) throw new Error("a select without from answered no row");
  return {
    callerRole: row.caller_role ?? undefined,
    standing: {
      state: toState(row),
      answers: { member: row.answers?.member, moderator: row.answers?.moderator },
    },
  };
}

function toState(row: StandingRow): State {
  if (row.banned) return "banned";
  if (row.role === "moderator") return row.was_member ? "moderator" : "appointed";
  if (row.role === "member") return row.invite === "moderator" ? "nominated" : "member";
  if (row.role === "owner") return "owner";
  if (row.restricted) return "restricted";
  return row.invite ? "invited" : "stranger";
}
