// @ts-nocheck
import type { Answer, InterfaceNetwork } from "./interface-network.ts";

export type Role = "member" | "moderator";

/** The calls that change who may do what in a channel, each first naming who calls. */
export interface MembershipCalls {
  invite: (by: number, channelId: string, inviteFid: number, role: Role) => Promise<Answer>;
  remove: (by: number, channelId: string, removeFid: number, role: Role) => Promise<Answer>;
  answer: (by: number, channelId: string, role: Role, accept: boolean) => Promise<Answer>;
  ban: (by: number, channelId: string, banFid: number) => Promise<Answer>;
  unban: (by: number, channelId: string, unbanFid: number) => Promise<Answer>;
  /** By link; the operator says so. */
  join: (fid: number, channelId: string) => Promise<Answer>;
}

export function membershipCalls(network: () => InterfaceNetwork): MembershipCalls {
  const invites = "/fc/channel-invites";
  const bans = "/fc/channel-bans";
  return {
    invite: (by, channelId, inviteFid, role) =>
      network().as(by, `POST ${invites}`, { channelId, inviteFid, role }),
    remove: (by, channelId, removeFid, role) =>
      network().as(by, `DELETE ${invites}`, { channelId, removeFid, role }),
    answer: (by, channelId, role, accept) =>
      network().as(by, `PATCH ${invites}`, { channelId, role, accept }),
    ban: (by, channelId, banFid) => network().as(by, `POST ${bans}`, { channelId, banFid }),
    unban: (by, channelId, unbanFid) => network().as(by, `DELETE ${bans}`, { channelId, unbanFid }),
    join: (fid, channelId) => network().operator("POST /operator/join", { channelId, fid }),
  };
}
