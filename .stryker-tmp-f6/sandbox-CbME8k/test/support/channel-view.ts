// @ts-nocheck
import type { Network } from "../../src/contract/index.ts";

/** What the public listings of a channel say, in fids in ascending order; invites as `fid role`. */
export interface ChannelView {
  members: number[];
  moderators: number[];
  invites: string[];
  restricted: number[];
  banned: number[];
  memberCount: number;
}

export async function viewChannel(network: Network, channelId: string): Promise<ChannelView> {
  const [{ channel }, members, invites, restricted, banned] = await Promise.all([
    network.channels.get({ channelId }),
    network.channelMembers.list({ channelId }),
    network.channelInvites.list({ channelId }),
    network.channelRestrictedUsers.list({ channelId }),
    network.channelBans.list({ channelId }),
  ]);
  return {
    members: ascending(members.result.members),
    moderators: channel.moderatorFids.toSorted((a, b) => a - b),
    invites: invites.result.invites
      .map((invite) => `${invite.invitedFid} ${invite.role}`)
      .toSorted((a, b) => a.localeCompare(b)),
    restricted: ascending(restricted.result.restrictedUsers),
    banned: ascending(banned.result.bannedUsers),
    memberCount: channel.memberCount,
  };
}

function ascending(records: { fid: number }[]): number[] {
  return records.map((record) => record.fid).toSorted((a, b) => a - b);
}
