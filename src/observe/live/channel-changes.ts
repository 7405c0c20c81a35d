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

/** One thing that happened in a channel, told by an event or by a new entry of a listing of all channels. */
export type ChannelChange = {
  /** Unique, for the events that are made of it. */
  id: string;
  channelId: string;
  /** UNIX seconds. */
  at: number;
  /** Told by an event: a listing may name a time that is a little off, and an entry that is there already is the same. */
  byEvent: boolean;
} & (
  | { what: "standing"; fid: number; standing: Standing }
  | { what: "invited"; fid: number; role: "member" | "moderator"; inviterFid: number | null }
  | { what: "invite ended"; fid: number; role: "member" | "moderator" }
  /** `castFid`: the cast's author, where that was told. */
  | { what: "moderated"; castHash: string; castFid?: number | undefined; action: ModerationAction["action"] }
  | { what: "pinned"; castHash: string }
  | { what: "unpinned"; castHash: string }
  | { what: "followed"; fid: number }
  /** The channel itself says what. */
  | { what: "other" }
);

/** Who stands in which listing of a channel; `applyChange` moves them. */
export type Entries = Map<ListingName, Map<number, ListingEntry>>;

/** An entry that came or went. */
export interface ListingStep {
  listing: Listing;
  entry: ListingEntry;
  entered: boolean;
}

/** Which listing a user is in who stands so, and from which it takes them out. */
const listingsOf: Record<Standing, { enters?: ListingName; leaves: readonly ListingName[] }> = {
  member: { enters: "members", leaves: ["restrictions", "bans"] },
  moderator: { enters: "members", leaves: ["restrictions", "bans"] },
  none: { leaves: ["members", "restrictions", "bans"] },
  restricted: { enters: "restrictions", leaves: ["bans", "members"] },
  banned: { enters: "bans", leaves: ["restrictions", "members", "invites"] },
};

/** Where a user stands; nobody is in two of them. */
const standings: readonly ListingName[] = ["bans", "restrictions", "members"];

/**
 * What a change does to the listings as they are known; nothing where they show it already, or something later about the same
 * user.
 */
export function applyChange(entries: Entries, change: ChannelChange): ListingStep[] {
  const { at, byEvent } = change;
  const plain = { at, role: null, inviterFid: null, toldByEvent: byEvent };
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

/** Seconds by which a listing and an event may differ about when something was. */
const apart = 5;

/**
 * Changes of users of whom a listing shows already what they became by one of these, maybe in the same second: of several in
 * one second their own order alone tells. The same of invites, and of what is pinned, whatever is pinned after it. An event of that second
 * which comes by itself was before it, for a listing is hardly ever read between two changes of one second.
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
  const settled = new Set(shown.filter(({ what }) => what !== "invited").map(subjectOf));
  for (const one of changes)
    if (!settled.has(subjectOf(one)) && isOfThatSecond(entries, one)) overtaken.add(one);
  return overtaken;
}

/** Whether two changes are of the same: of where a user stands, of a user's invite, of what is pinned. */
function isAlike(one: ChannelChange, other: ChannelChange): boolean {
  return aspectOf(one) === aspectOf(other) && subjectOf(one) === subjectOf(other);
}

function aspectOf(change: ChannelChange): string {
  if (isPin(change)) return "pin";
  return change.what === "invite ended" ? "invited" : change.what;
}

/** Whether a listing shows what the user became in the same second, and it is something else. */
function isOfThatSecond(entries: Entries, change: ChannelChange): boolean {
  if (change.what !== "standing" || !change.byEvent) return false;
  const { enters } = listingsOf[change.standing];
  return standings.some((name) => {
    const known = entries.get(name)?.get(change.fid);
    return name !== enters && known !== undefined && !known.toldByEvent && known.at === change.at;
  });
}

/** Whom or what it is about: a user, or what is pinned. */
export function subjectOf(change: ChannelChange): number | string {
  if ("fid" in change) return change.fid;
  return isPin(change) ? "pin" : change.id;
}

type PinChange = Extract<ChannelChange, { what: "pinned" | "unpinned" }>;

export function isPin(change: ChannelChange): change is PinChange {
  return change.what === "pinned" || change.what === "unpinned";
}

/** What is pinned after it. */
export function pinOf({ what, castHash }: PinChange): string | null {
  return what === "pinned" ? castHash : null;
}

function isShown(entries: Entries, change: ChannelChange): boolean {
  if (change.what === "invited") {
    const known = entries.get("invites")?.get(change.fid);
    return known?.role === change.role && !known.toldByEvent && Math.abs(known.at - change.at) <= apart;
  }
  if (change.what !== "standing") return false;
  const { enters } = listingsOf[change.standing];
  const known = enters && entries.get(enters)?.get(change.fid);
  return known !== undefined && !known.toldByEvent && Math.abs(known.at - change.at) <= apart;
}

function knowsLater(entries: Entries, fid: number, at: number): boolean {
  return standings.some((name) => (entries.get(name)?.get(fid)?.at ?? 0) > at);
}

function enter(entries: Entries, name: ListingName, entry: ListingEntry): ListingStep[] {
  const own = entries.get(name) ?? new Map<number, ListingEntry>();
  entries.set(name, own);
  const known = own.get(entry.fid);
  if (known && (isSameEntry(known, entry) || (entry.toldByEvent && known.role === entry.role))) return [];
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
