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
import { channelListing, given } from "../store/paging.ts";
import { readStanding, saveStanding } from "../store/standings.ts";
import { countInviteCall } from "./invite-limit.ts";

export const channelMembersOperations = implement(channelMembers, {
  list: read(async ({ db }, { channelId, fid, ...page }) => {
    const { rows, next } = await listMembers(db, { channelId, fid }, page);
    return { result: { members: rows }, ...next };
  }),
});

interface ChannelFilter {
  channelId: string | undefined;
  fid: number | undefined;
}

const listMembers = channelListing({
  path: channelMembers.list.path,
  order: ["member_at", "id"],
  select: (db, { channelId, fid }: ChannelFilter) =>
    db
      .selectFrom("network.memberships")
      .select(["fid", "member_at as memberAt"])
      .where((eb) => eb.and(given({ channel_id: channelId, fid }))),
});

export const channelInvitesOperations = implement(channelInvites, {
  list: read(async ({ db }, { channelId, fid, ...page }) => {
    const { rows, next } = await listInvites(db, { channelId, fid }, page);
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

const listInvites = channelListing({
  path: channelInvites.list.path,
  order: ["invited_at", "id"],
  select: (db, { channelId, fid }: ChannelFilter) =>
    db
      .selectFrom("network.invites")
      .select([
        "channel_id as channelId",
        "fid as invitedFid",
        "invited_at as invitedAt",
        "inviter_fid as inviterFid",
        "role",
      ])
      .where((eb) => eb.and(given({ channel_id: channelId, fid }))),
});

/** The other facts that an invite is checked against, besides the two standings, in one statement. */
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
  if (!row) throw new Error("a select without from returned no row");
  return {
    isFollowing: row.following,
    isAllowlistedBot: row.allowlisted,
    moderatorCount: row.moderators,
  };
}

export const channelRestrictedUsersOperations = implement(channelRestrictedUsers, {
  list: read(async ({ db }, { channelId, fid, ...page }) => {
    const { rows, next } = await listRestrictions(db, { channelId, fid }, page);
    return { result: { restrictedUsers: rows }, ...next };
  }),
});

const listRestrictions = channelListing({
  path: channelRestrictedUsers.list.path,
  order: ["restricted_at", "id"],
  select: (db, { channelId, fid }: ChannelFilter) =>
    db
      .selectFrom("network.restrictions")
      .select(["fid", "channel_id as channelId", "restricted_at as restrictedAt"])
      .where((eb) => eb.and(given({ channel_id: channelId, fid }))),
});

export const channelBansOperations = implement(channelBans, {
  list: read(async ({ db }, { channelId, fid, ...page }) => {
    const { rows, next } = await listBans(db, { channelId, fid }, page);
    return { result: { bannedUsers: rows }, ...next };
  }),

  ban: write((scope, { channelId, banFid }) => changeStanding(scope, channelId, banFid, banUser)),

  unban: write((scope, { channelId, unbanFid, banFid }) =>
    changeStanding(scope, channelId, unbannedFid(unbanFid, banFid), unbanUser),
  ),
});

const listBans = channelListing({
  path: channelBans.list.path,
  order: ["banned_at", "id"],
  select: (db, { channelId, fid }: ChannelFilter) =>
    db
      .selectFrom("network.bans")
      .select(["fid", "channel_id as channelId", "banned_at as bannedAt"])
      .where((eb) => eb.and(given({ channel_id: channelId, fid }))),
});

/** The schema requires one of the two; `banFid` applies if `unbanFid` is absent. */
function unbannedFid(unbanFid: number | undefined, banFid: number | undefined): number {
  const fid = unbanFid ?? banFid;
  if (fid === undefined) throw new Error("an unban without a fid passed its schema");
  return fid;
}

/** Locks the channel, computes the user's new standing with `transition`, and writes it. */
export async function changeStanding(
  { context, db, caller }: WriteScope,
  channelId: string,
  fid: number,
  transition: (standing: Standing, callerRole: ChannelRole | undefined) => Standing | Promise<Standing>,
): Promise<{ success: true }> {
  await lockChannel(db, channelId);
  const { standing, callerRole } = await readStanding(db, channelId, fid, caller);
  const after = await transition(standing, callerRole);
  await saveStanding(db, {
    channelId,
    fid,
    before: standing,
    after,
    caller,
    // The time under the lock rather than the call's, so that times never go backwards.
    now: seconds(context.clock),
  });
  return { success: true };
}
