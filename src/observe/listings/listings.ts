import type { Network } from "../../contract/index.ts";
import type { EventContent } from "../event.ts";

export type ListingName = "bans" | "restrictions" | "invites" | "members";

/** A user in a listing; `at` in UNIX seconds. Role and inviter are those of an invite. */
export interface ListingEntry {
  fid: number;
  at: number;
  role: "member" | "moderator" | null;
  inviterFid: number | null;
}

interface ListingInput {
  channelId: string;
  limit: number;
  cursor?: string | undefined;
  fid?: number | undefined;
}

/** A listing of active entries, newest first. */
export interface Listing {
  name: ListingName;
  read(
    network: Network,
    input: ListingInput,
  ): Promise<{ entries: ListingEntry[]; cursor: string | undefined }>;
  entered(entry: ListingEntry): EventContent;
  vanished(entry: ListingEntry): EventContent;
}

const plain = { role: null, inviterFid: null };

export const listings: readonly Listing[] = [
  {
    name: "bans",
    async read(network, input) {
      const { result, next } = await network.channelBans.list(input);
      const entries = result.bannedUsers.map(({ fid, bannedAt }) => ({ ...plain, fid, at: bannedAt }));
      return { entries, cursor: next?.cursor };
    },
    entered: ({ at }) => ({ kind: "user.banned", data: { at } }),
    vanished: () => ({ kind: "user.unbanned", data: {} }),
  },
  {
    name: "restrictions",
    async read(network, input) {
      const { result, next } = await network.channelRestrictedUsers.list(input);
      const entries = result.restrictedUsers.map(({ fid, restrictedAt }) => ({
        ...plain,
        fid,
        at: restrictedAt,
      }));
      return { entries, cursor: next?.cursor };
    },
    entered: ({ at }) => ({ kind: "user.restricted", data: { at } }),
    vanished: () => ({ kind: "user.unrestricted", data: {} }),
  },
  {
    name: "invites",
    async read(network, input) {
      const { result, next } = await network.channelInvites.list(input);
      const entries = result.invites.map(({ invitedFid, invitedAt, role, inviterFid }) => ({
        fid: invitedFid,
        at: invitedAt,
        role,
        inviterFid,
      }));
      return { entries, cursor: next?.cursor };
    },
    entered: ({ role, inviterFid }) => ({
      kind: "invite.created",
      data: { role: role ?? "member", inviterFid: inviterFid ?? 0 },
    }),
    vanished: ({ role }) => ({ kind: "invite.ended", data: { role: role ?? "member" } }),
  },
  {
    name: "members",
    async read(network, input) {
      const { result, next } = await network.channelMembers.list(input);
      const entries = result.members.map(({ fid, memberAt }) => ({ ...plain, fid, at: memberAt }));
      return { entries, cursor: next?.cursor };
    },
    entered: ({ at }) => ({ kind: "member.joined", data: { at } }),
    vanished: () => ({ kind: "member.left", data: {} }),
  },
];
