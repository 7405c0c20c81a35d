// @ts-nocheck
import { sql } from "kysely";
import type { Tx } from "../../database/database.ts";
import type { InviteFacts } from "../domain/invite.ts";

/** What an invite depends on besides the two standings, in one statement. */
export async function readInviteFacts(
  tx: Tx,
  channelId: string,
  inviteFid: number,
  caller: number,
): Promise<Pick<InviteFacts, "isFollowing" | "isAllowlistedBot" | "moderatorCount">> {
  const { rows } = await sql<{ following: boolean; allowlisted: boolean; moderators: number }>`
    select
      exists (select from network.channel_follows where channel_id = ${channelId} and fid = ${inviteFid})
        or exists (select from network.user_follows where fid = ${inviteFid} and target_fid = ${caller})
        as following,
      exists (select from network.bot_allowlist where fid = ${inviteFid}) as allowlisted,
      (select count(*) from network.memberships where channel_id = ${channelId} and role = 'moderator')
        + (select count(*) from network.invites where channel_id = ${channelId} and role = 'moderator')
        as moderators
  `.execute(tx);
  const [row] = rows;
  if (!row) throw new Error("a select without from answered no row");
  return {
    isFollowing: row.following,
    isAllowlistedBot: row.allowlisted,
    moderatorCount: row.moderators,
  };
}
