import { sql } from "kysely";
import { seconds } from "../../clock.ts";
import {
  channelBans,
  channelInvites,
  channelMembers,
  channelRestrictedUsers,
} from "../../contract/membership.ts";
import type { Tx } from "../../database/database.ts";
import {
  answerInvite,
  banUser,
  inviteUser,
  removeUser,
  unbanUser,
  type ChannelRole,
  type InviteFacts,
  type Standing,
} from "../domain/membership.ts";
import { implement, read, write, type WriteScope } from "../operation.ts";
import { lockChannel } from "../store/channels.ts";
import { given, readChannelPage } from "../store/paging.ts";
import { readStanding, saveStanding } from "../store/standings.ts";
import { countInviteCall } from "./invite-limit.ts";

export const channelMembersOperations = implement(channelMembers, {
  list: read(async ({ db }, { channelId, fid, ...page }) => {
    const memberships = db
      .selectFrom("network.memberships")
      .select(["fid", "member_at as memberAt"])
      .where("channel_id", "=", channelId)
      .where((eb) => eb.and(given({ fid })));
    const { rows, next } = await readChannelPage(db, channelId, memberships, {
      listing: [channelMembers.list.path, channelId, fid],
      order: ["member_at", "id"],
      ...page,
    });
    return { result: { members: rows }, ...next };
  }),
});

export const channelInvitesOperations = implement(channelInvites, {
  list: read(async ({ db }, { channelId, fid, ...page }) => {
    const invites = db
      .selectFrom("network.invites")
      .select([
        "channel_id as channelId",
        "fid as invitedFid",
        "invited_at as invitedAt",
        "inviter_fid as inviterFid",
        "role",
      ])
      .where((eb) => eb.and(given({ channel_id: channelId, fid })));
    const { rows, next } = await readChannelPage(db, channelId, invites, {
      listing: [channelInvites.list.path, channelId, fid],
      order: ["invited_at", "id"],
      ...page,
    });
    return { result: { invites: rows }, ...next };
  }),

  invite: write(
    (scope, { channelId, inviteFid, role }) =>
      changeStanding(scope, channelId, inviteFid, async (invitee, callerRole) =>
        inviteUser(invitee, {
          callerRole,
          role,
          ...(await readInviteFacts(scope.db, channelId, inviteFid, scope.caller)),
        }),
      ),
    countInviteCall,
  ),

  remove: write(
    (scope, { channelId, removeFid, role }) =>
      changeStanding(scope, channelId, removeFid, (target, callerRole) =>
        removeUser(target, role, callerRole),
      ),
    countInviteCall,
  ),

  answer: write((scope, { channelId, role, accept }) =>
    changeStanding(scope, channelId, scope.caller, (invitee) => answerInvite(invitee, role, accept)),
  ),
});

/** What an invite depends on besides the two standings, in one statement. */
async function readInviteFacts(
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

export const channelRestrictedUsersOperations = implement(channelRestrictedUsers, {
  list: read(async ({ db }, { channelId, fid, ...page }) => {
    const restrictions = db
      .selectFrom("network.restrictions")
      .select(["fid", "channel_id as channelId", "restricted_at as restrictedAt"])
      .where((eb) => eb.and(given({ channel_id: channelId, fid })));
    const { rows, next } = await readChannelPage(db, channelId, restrictions, {
      listing: [channelRestrictedUsers.list.path, channelId, fid],
      order: ["restricted_at", "id"],
      ...page,
    });
    return { result: { restrictedUsers: rows }, ...next };
  }),
});

export const channelBansOperations = implement(channelBans, {
  list: read(async ({ db }, { channelId, fid, ...page }) => {
    const bans = db
      .selectFrom("network.bans")
      .select(["fid", "channel_id as channelId", "banned_at as bannedAt"])
      .where((eb) => eb.and(given({ channel_id: channelId, fid })));
    const { rows, next } = await readChannelPage(db, channelId, bans, {
      listing: [channelBans.list.path, channelId, fid],
      order: ["banned_at", "id"],
      ...page,
    });
    return { result: { bannedUsers: rows }, ...next };
  }),

  ban: write((scope, { channelId, banFid }) => changeStanding(scope, channelId, banFid, banUser)),

  unban: write((scope, { channelId, unbanFid, banFid }) =>
    changeStanding(scope, channelId, unbannedFid(unbanFid, banFid), unbanUser),
  ),
});

/** The schema lets no call through without either; `banFid` counts where `unbanFid` is absent. */
function unbannedFid(unbanFid: number | undefined, banFid: number | undefined): number {
  const fid = unbanFid ?? banFid;
  if (fid === undefined) throw new Error("an unban without a fid passed its schema");
  return fid;
}

/** Locks the channel, lets `decide` say what becomes of the user, and writes it. */
export async function changeStanding(
  { context, db, caller }: WriteScope,
  channelId: string,
  fid: number,
  decide: (standing: Standing, callerRole: ChannelRole | undefined) => Standing | Promise<Standing>,
): Promise<{ success: true }> {
  await lockChannel(db, channelId);
  const { standing, callerRole } = await readStanding(db, channelId, fid, caller);
  const after = await decide(standing, callerRole);
  await saveStanding(db, {
    channelId,
    fid,
    before: standing,
    after,
    caller,
    // Not the time of the call: under the lock times never go back.
    now: seconds(context.clock),
  });
  return { success: true };
}
