// @ts-nocheck
import type { CallOptions } from "../contract/endpoint.ts";
import type { Network } from "../contract/index.ts";
import type { Case, CaseKind } from "./case.ts";

/** How a kind of case is done on the network, and how the network shows that it is so. */
export interface Effect {
  /** Whether it is so now; undefined where the network does not show it. */
  isSo(network: Network, subject: Case, options: CallOptions): Promise<boolean | undefined>;
  /** Asks for it. Every call is idempotent: asked twice, it is done once. */
  call(network: Network, subject: Case, options: CallOptions): Promise<unknown>;
}

const hide = moderation("hide");
const unhide = moderation("unhide");

export const effects: Record<CaseKind, Effect> = {
  ban: {
    isSo: isBanned,
    call: (network, { channel_id: channelId, target_fid }, options) =>
      network.channelBans.ban({ channelId, banFid: fidOf(target_fid) }, options),
  },
  unban: {
    isSo: async (...asked) => !(await isBanned(...asked)),
    call: (network, { channel_id: channelId, target_fid }, options) =>
      network.channelBans.unban({ channelId, unbanFid: fidOf(target_fid) }, options),
  },
  invite: {
    isSo: async (...asked) => (await isInvited(...asked)) || isMember(...asked),
    call: (network, { channel_id: channelId, target_fid, role }, options) =>
      network.channelInvites.invite(
        { channelId, inviteFid: fidOf(target_fid), role: role ?? "member" },
        options,
      ),
  },
  // Where no invite stands, the same call would remove a member: then nothing is sent.
  revoke_invite: {
    isSo: async (...asked) => !(await isInvited(...asked)),
    call: removeRole,
  },
  remove_member: {
    isSo: async (...asked) => !(await isMember(...asked)),
    call: removeRole,
  },
  hide,
  unhide,
  pin: {
    isSo: async (network, { channel_id: channelId, target_cast }, options) =>
      (await network.channels.get({ channelId }, options)).channel.pinnedCastHash === target_cast,
    call: (network, { target_cast, notify }, options) =>
      network.pinnedCasts.pin({ castHash: castOf(target_cast), notifyChannelFollowers: notify }, options),
  },
  // By hash, so that what somebody pinned a moment ago stays.
  unpin: {
    isSo: async (network, { channel_id: channelId, target_cast }, options) => {
      const { pinnedCastHash } = (await network.channels.get({ channelId }, options)).channel;
      return target_cast === null ? pinnedCastHash === undefined : pinnedCastHash !== target_cast;
    },
    call: (network, { channel_id: channelId, target_cast }, options) =>
      network.pinnedCasts.unpin(target_cast === null ? { channelId } : { castHash: target_cast }, options),
  },
};

/** Hiding shows only in its records: the newest page of them knows what happened lately, and no more. */
function moderation(action: "hide" | "unhide"): Effect {
  return {
    async isSo(network, { channel_id: channelId, target_cast }, options) {
      const { result } = await network.moderatedCasts.list({ channelId }, options);
      const latest = result.moderationActions.find((record) => record.castHash === target_cast);
      return latest && latest.action === action;
    },
    call: (network, { target_cast }, options) =>
      network.moderatedCasts.moderate({ castHash: castOf(target_cast), action }, options),
  };
}

function removeRole(network: Network, subject: Case, options: CallOptions) {
  const { channel_id: channelId, target_fid, role } = subject;
  return network.channelInvites.remove(
    { channelId, removeFid: fidOf(target_fid), role: role ?? "member" },
    options,
  );
}

async function isBanned(network: Network, { channel_id: channelId, target_fid }: Case, options: CallOptions) {
  const { result } = await network.channelBans.list({ channelId, fid: fidOf(target_fid) }, options);
  return result.bannedUsers.length > 0;
}

async function isInvited(
  network: Network,
  { channel_id: channelId, target_fid }: Case,
  options: CallOptions,
) {
  const { result } = await network.channelInvites.list({ channelId, fid: fidOf(target_fid) }, options);
  return result.invites.length > 0;
}

async function isMember(network: Network, { channel_id: channelId, target_fid }: Case, options: CallOptions) {
  const { result } = await network.channelMembers.list({ channelId, fid: fidOf(target_fid) }, options);
  return result.members.length > 0;
}

function fidOf(fid: number | null): number {
  if (fid === null) throw new Error("a case about a user has no fid");
  return fid;
}

function castOf(hash: string | null): string {
  if (hash === null) throw new Error("a case about a cast has no hash");
  return hash;
}
