import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { ChannelId, Fid, FidText, Role, Seconds, Success, usualPaging } from "./values.ts";

export const ChannelMember = z.object({ fid: Fid, memberAt: Seconds });
export type ChannelMember = z.infer<typeof ChannelMember>;

export const ChannelInvite = z.object({
  channelId: ChannelId,
  invitedFid: Fid,
  invitedAt: Seconds,
  inviterFid: Fid,
  role: Role,
});
export type ChannelInvite = z.infer<typeof ChannelInvite>;

export const RestrictedUser = z.object({ fid: Fid, channelId: ChannelId, restrictedAt: Seconds });
export type RestrictedUser = z.infer<typeof RestrictedUser>;

export const BannedUser = z.object({ fid: Fid, channelId: ChannelId, bannedAt: Seconds });
export type BannedUser = z.infer<typeof BannedUser>;

const byChannelAndFid = z.object({ channelId: ChannelId.optional(), fid: FidText.optional() });

export const channelMembers = {
  list: endpoint({
    method: "GET",
    path: "/fc/channel-members",
    refusals: ["not_found"],
    paginated: usualPaging,
    summary: "Members of a channel with its owner and moderators, newest first",
    input: z.object({ channelId: ChannelId, fid: FidText.optional() }),
    result: z.object({ members: z.array(ChannelMember) }),
  }),
};

/** interface.md, "Limits": POST and DELETE /fc/channel-invites together, per caller, channel and hour. */
export const inviteCallLimit = 100;

export const channelInvites = {
  list: endpoint({
    method: "GET",
    path: "/fc/channel-invites",
    refusals: ["not_found"],
    paginated: usualPaging,
    summary: "Outstanding invites, newest first; fid is the invited user",
    input: byChannelAndFid,
    result: z.object({ invites: z.array(ChannelInvite) }),
  }),
  invite: endpoint({
    method: "POST",
    path: "/fc/channel-invites",
    refusals: [
      "not_found",
      "rate_limited",
      "not_permitted",
      "not_owner",
      "banned_from_channel",
      "invitee_not_following",
      "invitee_not_member",
      "too_many_moderators",
    ],
    auth: "app_key",
    channelLimit: inviteCallLimit,
    summary: "Invite a user to a role in a channel",
    input: z.object({ channelId: ChannelId, inviteFid: Fid, role: Role }),
    result: Success,
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/fc/channel-invites",
    refusals: ["not_found", "rate_limited", "not_permitted", "not_owner", "cannot_remove_owner"],
    auth: "app_key",
    channelLimit: inviteCallLimit,
    summary: "Remove a role, or revoke an outstanding invite to it",
    input: z.object({ channelId: ChannelId, removeFid: Fid, role: Role }),
    result: Success,
  }),
  answer: endpoint({
    method: "PATCH",
    path: "/fc/channel-invites",
    refusals: [
      "not_found",
      "no_active_invite",
      "banned_from_channel",
      "invitee_not_member",
      "too_many_moderators",
      "invite_already_answered",
    ],
    auth: "app_key",
    summary: "Accept or decline an invite; the answer cannot be changed",
    input: z.object({ channelId: ChannelId, role: Role, accept: z.boolean() }),
    result: Success,
  }),
};

export const channelRestrictedUsers = {
  list: endpoint({
    method: "GET",
    path: "/fc/channel-restricted-users",
    refusals: ["not_found"],
    paginated: usualPaging,
    summary: "Restricted users, newest first",
    input: byChannelAndFid,
    result: z.object({ restrictedUsers: z.array(RestrictedUser) }),
  }),
};

/** `unbanFid`, or `banFid` if that is absent; if both are given, they must be equal. */
const Unban = z
  .object({ channelId: ChannelId, unbanFid: Fid.optional(), banFid: Fid.optional() })
  .refine((input) => input.unbanFid !== undefined || input.banFid !== undefined, {
    path: ["unbanFid"],
    message: "is required",
  })
  .refine((input) => !input.unbanFid || !input.banFid || input.unbanFid === input.banFid, {
    path: ["banFid"],
    message: "differs from unbanFid",
  })
  .meta({ examples: [{ channelId: "memes", unbanFid: 3621 }] });

export const channelBans = {
  list: endpoint({
    method: "GET",
    path: "/fc/channel-bans",
    refusals: ["not_found"],
    paginated: usualPaging,
    summary: "Active bans, newest first",
    input: byChannelAndFid,
    result: z.object({ bannedUsers: z.array(BannedUser) }),
  }),
  ban: endpoint({
    method: "POST",
    path: "/fc/channel-bans",
    refusals: ["not_found", "not_permitted", "cannot_ban_owner", "cannot_ban_moderator"],
    auth: "app_key",
    summary: "Ban a user from a channel that the caller owns or moderates",
    input: z.object({ channelId: ChannelId, banFid: Fid }),
    result: Success,
  }),
  unban: endpoint({
    method: "DELETE",
    path: "/fc/channel-bans",
    refusals: ["not_found", "not_permitted"],
    auth: "app_key",
    summary: "Lift a ban; the user stays restricted",
    input: Unban,
    result: Success,
  }),
};
