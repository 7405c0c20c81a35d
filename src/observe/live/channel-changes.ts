import type { Standing } from "../../contract/channel-events.ts";
import type { ModerationAction } from "../../contract/casts.ts";
import {
  endsReplaced,
  findListing,
  isSameEntry,
  type Listing,
  type ListingEntry,
  type ListingName,
} from "../listings/listings.ts";

/** One change in a channel, from an event or from a new entry in a listing of all channels. */
export type ChannelChange = {
  /** Unique; the keys of its events begin with it. */
  id: string;
  channelId: string;
  /** UNIX seconds. */
  at: number;
  /** From an event. A listing's time may differ slightly, and an entry that already exists counts as the same. */
  byEvent: boolean;
} & (
  | { what: "standing"; fid: number; standing: Standing }
  | { what: "invited"; fid: number; role: "member" | "moderator"; inviterFid: number | null }
  | { what: "invite ended"; fid: number; role: "member" | "moderator" }
  /** `castFid`: the cast's author, if known. */
  | { what: "moderated"; castHash: string; castFid?: number | undefined; action: ModerationAction["action"] }
  | { what: "pinned"; castHash: string }
  | { what: "unpinned"; castHash: string }
  | { what: "followed"; fid: number }
  /** Only the channel's own record shows the change. */
  | { what: "other" }
);

/** The entries of a channel's listings; `applyChange` changes them. */
export type Entries = Map<ListingName, Map<number, ListingEntry>>;

/** An entry that was added or removed. */
export interface ListingStep {
  listing: Listing;
  entry: ListingEntry;
  entered: boolean;
}

/** The listing that a role adds a user to, and those it removes them from. */
const listingsOf: Record<Standing, { enters?: ListingName; leaves: readonly ListingName[] }> = {
  member: { enters: "members", leaves: ["restrictions", "bans"] },
  moderator: { enters: "members", leaves: ["restrictions", "bans"] },
  none: { leaves: ["members", "restrictions", "bans"] },
  restricted: { enters: "restrictions", leaves: ["bans", "members"] },
  banned: { enters: "bans", leaves: ["restrictions", "members", "invites"] },
};

/** A user is in at most one of these. */
const standings: readonly ListingName[] = ["bans", "restrictions", "members"];

/**
 * Applies a change to the known listings. It does nothing if they already show it, or show something later for the same
 * user.
 */
export function applyChange(entries: Entries, change: ChannelChange): ListingStep[] {
  const { at, byEvent } = change;
  const plain = { at, role: null, inviterFid: null, fromEvent: byEvent };
  if (change.what === "standing") {
    const { fid, standing } = change;
    if (knowsLater(entries, fid, at)) return [];
    const { enters, leaves } = listingsOf[standing];
    const left = leaves.flatMap((name) => leave(entries, name, fid));
    return [...left, ...(enters ? enter(entries, enters, { ...plain, fid }) : [])];
  }
  if (change.what === "invited") {
    const { fid, role, inviterFid } = change;
    if ((entries.get("invites")?.get(fid)?.at ?? 0) > at) return [];
    const entered = enter(entries, "invites", { ...plain, fid, role, inviterFid });
    return entered.length === 0 ? [] : [...leave(entries, "restrictions", fid), ...entered];
  }
  if (change.what !== "invite ended") return [];
  const known = entries.get("invites")?.get(change.fid);
  return known && known.role === change.role && known.at <= at ? leave(entries, "invites", change.fid) : [];
}

/** How much the times of a listing and an event may differ. */
const toleranceSeconds = 5;

/**
 * Changes from before one that the listings already show, of the same user, invite or pin. Several may have the same
 * second, so their own order counts. An event of that second which comes alone was earlier, because a listing is hardly
 * ever read between two changes within one second.
 */
export function findOvertaken(
  entries: Entries,
  pinned: string | null,
  changes: readonly ChannelChange[],
): Set<ChannelChange> {
  const overtaken = new Set<ChannelChange>();
  const shownPin = changes.findLast((one) => isPin(one) && pinOf(one) === pinned);
  const shown = changes.filter((one) => one === shownPin || isShown(entries, one));
  for (const change of shown) {
    const before = changes.slice(0, changes.indexOf(change));
    for (const one of before) if (isAlike(one, change)) overtaken.add(one);
  }
  const settled = new Set(shown.filter(({ what }) => what !== "invited").map(subjectOfChange));
  for (const one of changes)
    if (!settled.has(subjectOfChange(one)) && isOfThatSecond(entries, one)) overtaken.add(one);
  return overtaken;
}

/** Whether two changes concern the same thing: a user's role, a user's invite, or the pin. */
function isAlike(one: ChannelChange, other: ChannelChange): boolean {
  return aspectOf(one) === aspectOf(other) && subjectOfChange(one) === subjectOfChange(other);
}

function aspectOf(change: ChannelChange): string {
  if (isPin(change)) return "pin";
  return change.what === "invite ended" ? "invited" : change.what;
}

/** Whether a listing shows that the user got another role in the same second. */
function isOfThatSecond(entries: Entries, change: ChannelChange): boolean {
  if (change.what !== "standing" || !change.byEvent) return false;
  const { enters } = listingsOf[change.standing];
  return standings.some((name) => {
    const known = entries.get(name)?.get(change.fid);
    return name !== enters && known !== undefined && !known.fromEvent && known.at === change.at;
  });
}

/** The subject of a change: a user, or the pin. */
export function subjectOfChange(change: ChannelChange): number | string {
  if ("fid" in change) return change.fid;
  return isPin(change) ? "pin" : change.id;
}

type PinChange = Extract<ChannelChange, { what: "pinned" | "unpinned" }>;

export function isPin(change: ChannelChange): change is PinChange {
  return change.what === "pinned" || change.what === "unpinned";
}

/** The pinned cast after the change. */
export function pinOf({ what, castHash }: PinChange): string | null {
  return what === "pinned" ? castHash : null;
}

function isShown(entries: Entries, change: ChannelChange): boolean {
  if (change.what === "invited") {
    const known = entries.get("invites")?.get(change.fid);
    return (
      known?.role === change.role && !known.fromEvent && Math.abs(known.at - change.at) <= toleranceSeconds
    );
  }
  if (change.what !== "standing") return false;
  const { enters } = listingsOf[change.standing];
  const known = enters && entries.get(enters)?.get(change.fid);
  return known !== undefined && !known.fromEvent && Math.abs(known.at - change.at) <= toleranceSeconds;
}

function knowsLater(entries: Entries, fid: number, at: number): boolean {
  return standings.some((name) => (entries.get(name)?.get(fid)?.at ?? 0) > at);
}

function enter(entries: Entries, name: ListingName, entry: ListingEntry): ListingStep[] {
  const own = entries.get(name) ?? new Map<number, ListingEntry>();
  entries.set(name, own);
  const known = own.get(entry.fid);
  if (known && (isSameEntry(known, entry) || (entry.fromEvent && known.role === entry.role))) return [];
  own.set(entry.fid, entry);
  const listing = findListing(name);
  const replaced = known && endsReplaced(name) ? [{ listing, entry: known, entered: false }] : [];
  return [...replaced, { listing, entry, entered: true }];
}

function leave(entries: Entries, name: ListingName, fid: number): ListingStep[] {
  const entry = entries.get(name)?.get(fid);
  if (!entry) return [];
  entries.get(name)?.delete(fid);
  return [{ listing: findListing(name), entry, entered: false }];
}
