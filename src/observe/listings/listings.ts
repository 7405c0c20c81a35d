import type { CallOptions } from "../../contract/endpoint.ts";
import type { Network } from "../../contract/index.ts";
import type { EventContent } from "../events.ts";

export type ListingName = "bans" | "restrictions" | "invites" | "members";

/** A user in a listing; `at` in UNIX seconds. Role and inviter are set only for invites. */
export interface ListingEntry {
  fid: number;
  at: number;
  role: "member" | "moderator" | null;
  inviterFid: number | null;
  /** The channel named by the listing. */
  channelId?: string;
  /** `at` is an event's time: the listing may have a slightly different one. */
  fromEvent?: boolean;
}

/** For one channel, or for all if the listing supports that. */
interface ListingInput {
  channelId?: string | undefined;
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
    options?: CallOptions,
  ): Promise<{ entries: ListingEntry[]; cursor: string | undefined }>;
  entered(entry: ListingEntry): EventContent;
  vanished(entry: ListingEntry): EventContent;
}

const plain = { role: null, inviterFid: null };

export const listings: readonly Listing[] = [
  {
    name: "bans",
    async read(network, input, options) {
      const { result, next } = await network.channelBans.list(input, options);
      const entries = result.bannedUsers.map(({ fid, channelId, bannedAt }) => {
        return { ...plain, fid, channelId, at: bannedAt };
      });
      return { entries, cursor: next?.cursor };
    },
    entered: ({ at }) => ({ kind: "user.banned", data: { at } }),
    vanished: () => ({ kind: "user.unbanned", data: {} }),
  },
  {
    name: "restrictions",
    async read(network, input, options) {
      const { result, next } = await network.channelRestrictedUsers.list(input, options);
      const entries = result.restrictedUsers.map(({ fid, channelId, restrictedAt }) => {
        return { ...plain, fid, channelId, at: restrictedAt };
      });
      return { entries, cursor: next?.cursor };
    },
    entered: ({ at }) => ({ kind: "user.restricted", data: { at } }),
    vanished: () => ({ kind: "user.unrestricted", data: {} }),
  },
  {
    name: "invites",
    async read(network, input, options) {
      const { result, next } = await network.channelInvites.list(input, options);
      const entries = result.invites.map(({ channelId, invitedFid, invitedAt, role, inviterFid }) => {
        return { channelId, fid: invitedFid, at: invitedAt, role, inviterFid };
      });
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
    async read(network, input, options) {
      const { channelId } = input;
      if (channelId === undefined) throw new Error("members are listed of one channel");
      const { result, next } = await network.channelMembers.list({ ...input, channelId }, options);
      const entries = result.members.map(({ fid, memberAt }) => ({ ...plain, fid, at: memberAt }));
      return { entries, cursor: next?.cursor };
    },
    entered: ({ at }) => ({ kind: "member.joined", data: { at } }),
    vanished: () => ({ kind: "member.left", data: {} }),
  },
];

export function findListing(name: ListingName): Listing {
  const found = listings.find((listing) => listing.name === name);
  if (!found) throw new Error(`there is no listing ${name}`);
  return found;
}

/** Seconds by which a listing's time may differ from the event's time for the same entry. */
const eventTolerance = 60;

/** Whether two entries of a user are the same; the earlier known one may come from an event. */
export function isSameEntry(known: ListingEntry, entry: ListingEntry): boolean {
  const difference = Math.abs(known.at - entry.at);
  return known.role === entry.role && difference <= (known.fromEvent ? eventTolerance : 0);
}

/** Whether a user's new entry shows that the previous one has ended: an invite never becomes another. */
export function endsReplaced(name: ListingName): boolean {
  return name === "invites";
}
