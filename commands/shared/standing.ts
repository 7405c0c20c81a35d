import type { CommandContext } from "../../src/discord/command-context.ts";
import type { Channel } from "../../src/contract/channels.ts";

/** Where a user stands in a channel, as the network shows it now. */
export interface Standing {
  role: "owner" | "moderator" | "member" | undefined;
  invitedAs: "member" | "moderator" | undefined;
  banned: boolean;
  restricted: boolean;
}

export async function readStanding(
  { network }: CommandContext,
  channel: Channel,
  fid: number,
): Promise<Standing> {
  const asked = { channelId: channel.id, fid };
  const [members, invites, bans, restricted] = await Promise.all([
    network.channelMembers.list(asked),
    network.channelInvites.list(asked),
    network.channelBans.list(asked),
    network.channelRestrictedUsers.list(asked),
  ]);
  return {
    role: roleOf(channel, fid, members.result.members.length > 0),
    invitedAs: invites.result.invites[0]?.role,
    banned: bans.result.bannedUsers.length > 0,
    restricted: restricted.result.restrictedUsers.length > 0,
  };
}

function roleOf(channel: Channel, fid: number, isMember: boolean): Standing["role"] {
  if (channel.leadFid === fid) return "owner";
  if (channel.moderatorFids.includes(fid)) return "moderator";
  return isMember ? "member" : undefined;
}

export function describeStanding({ role, invitedAs, banned, restricted }: Standing): string {
  const parts = [
    ...(banned ? ["banned"] : []),
    ...(restricted ? ["restricted"] : []),
    ...(role === undefined ? [] : [role]),
    ...(invitedAs === undefined ? [] : [`invited as ${invitedAs}`]),
  ];
  return parts.length === 0 ? "no role, no invite" : parts.join(", ");
}
