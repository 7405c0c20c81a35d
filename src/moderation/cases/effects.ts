import type { CallOptions } from "../../contract/endpoint.ts";
import type { Network } from "../../contract/index.ts";
import type { Case, CaseKind } from "./case.ts";

/** How a kind of case acts on the network, and how the network shows its effect. */
interface Effect {
  read(network: Network, subject: Case, options: CallOptions): Promise<Reading>;
  /** Requests it. Every call is idempotent: a repeated call has no further effect. */
  call(network: Network, subject: Case, options: CallOptions): Promise<unknown>;
  /** A side effect of the call that turned up. */
  aftermath?(network: Network, subject: Case, options: CallOptions): Promise<"removed_member" | undefined>;
}

/** The network's state of a case's target. */
export interface Reading {
  /** Whether the requested state holds; undefined if the network does not show it. */
  holds: boolean | undefined;
  /** Differs from an earlier reading if somebody changed it in between, as far as the network shows that. */
  version: string;
}

/** As many records as the network returns at once: in a busy channel a hundred cover a few minutes. */
const longestPage = 1000;

export const effects: Record<CaseKind, Effect> = {
  ban: {
    read: async (...given) => present(await findBan(...given)),
    call: (network, { channelId, targetFid }, options) =>
      network.channelBans.ban({ channelId, banFid: fidOf(targetFid) }, options),
  },
  unban: {
    read: async (...given) => absent(await findBan(...given)),
    call: (network, { channelId, targetFid }, options) =>
      network.channelBans.unban({ channelId, unbanFid: fidOf(targetFid) }, options),
  },
  // The network's bans do not expire: it only shows whether the user is banned.
  change_expiry: {
    read: async (...given) => ({ ...present(await findBan(...given)), holds: undefined }),
    call: async () => undefined,
  },
  invite: {
    read: async (...given) => present((await findInvite(...given)) ?? (await findMember(...given))),
    call: (network, { channelId, targetFid, role }, options) =>
      network.channelInvites.invite(
        { channelId, inviteFid: fidOf(targetFid), role: role ?? "member" },
        options,
      ),
  },
  // Without an invite, the same call would remove a member, so nothing is sent.
  revoke_invite: {
    read: async (...given) => absent(await findInvite(...given)),
    call: removeRole,
    aftermath: findRemoval,
  },
  remove_member: {
    read: async (...given) => absent(await findMember(...given)),
    call: removeRole,
  },
  hide: moderation("hide"),
  unhide: moderation("unhide"),
  pin: {
    async read(network, subject, options) {
      const pinned = await findPin(network, subject, options);
      return { holds: pinned === subject.targetCast, version: pinned ?? "" };
    },
    call: (network, { targetCast, notify }, options) =>
      network.pinnedCasts.pin({ castHash: castOf(targetCast), notifyChannelFollowers: notify }, options),
  },
  // By hash, so that a pin from a moment ago stays.
  unpin: {
    async read(network, subject, options) {
      const pinned = await findPin(network, subject, options);
      const { targetCast } = subject;
      const holds = targetCast === null ? pinned === undefined : pinned !== targetCast;
      return { holds, version: pinned ?? "" };
    },
    call: (network, { channelId, targetCast }, options) =>
      network.pinnedCasts.unpin(targetCast === null ? { channelId } : { castHash: targetCast }, options),
  },
};

/** Hiding shows only in its records: the newest ones cover only the recent past. */
function moderation(action: "hide" | "unhide"): Pick<Effect, "read" | "call"> {
  return {
    async read(network, { channelId, targetCast }, options) {
      const { result } = await network.moderatedCasts.list({ channelId, limit: longestPage }, options);
      const latest = result.moderationActions.find((record) => record.castHash === targetCast);
      const version = latest ? `${latest.action} ${latest.moderatedAt}` : "";
      return { holds: latest && latest.action === action, version };
    },
    call: (network, { targetCast }, options) =>
      network.moderatedCasts.moderate({ castHash: castOf(targetCast), action }, options),
  };
}

/** For an entry that should be in a listing, by its time; undefined if there is none. */
function present(at: number | undefined): Reading {
  return { holds: at !== undefined, version: String(at ?? "") };
}

function absent(at: number | undefined): Reading {
  return { holds: at === undefined, version: String(at ?? "") };
}

function removeRole(network: Network, subject: Case, options: CallOptions) {
  const { channelId, targetFid, role } = subject;
  return network.channelInvites.remove(
    { channelId, removeFid: fidOf(targetFid), role: role ?? "member" },
    options,
  );
}

/** A user who accepted just before the call was already a member, and the same call removes them. */
async function findRemoval(
  network: Network,
  { channelId, targetFid, role }: Case,
  options: CallOptions,
): Promise<"removed_member" | undefined> {
  if (role === "moderator") return undefined;
  const { result } = await network.channelRestrictedUsers.list({ channelId, fid: fidOf(targetFid) }, options);
  return result.restrictedUsers.length === 0 ? undefined : "removed_member";
}

async function findBan(network: Network, { channelId, targetFid }: Case, options: CallOptions) {
  const { result } = await network.channelBans.list({ channelId, fid: fidOf(targetFid) }, options);
  return result.bannedUsers[0]?.bannedAt;
}

async function findInvite(network: Network, { channelId, targetFid }: Case, options: CallOptions) {
  const { result } = await network.channelInvites.list({ channelId, fid: fidOf(targetFid) }, options);
  return result.invites[0]?.invitedAt;
}

async function findMember(network: Network, { channelId, targetFid }: Case, options: CallOptions) {
  const { result } = await network.channelMembers.list({ channelId, fid: fidOf(targetFid) }, options);
  return result.members[0]?.memberAt;
}

async function findPin(network: Network, { channelId }: Case, options: CallOptions) {
  return (await network.channels.get({ channelId }, options)).channel.pinnedCastHash;
}

function fidOf(fid: number | null): number {
  if (fid === null) throw new Error("the case of a user has no fid");
  return fid;
}

function castOf(hash: string | null): string {
  if (hash === null) throw new Error("the case of a cast has no hash");
  return hash;
}
