// @ts-nocheck
import type { CastMessage } from "./hub-event.ts";
import type { State } from "./standing.ts";
import { roleIn } from "./standing.ts";

/** Why a cast is not shown. Each reason comes and goes by itself. */
export interface CastMarks {
  hiddenByModeration: boolean;
  /** Set and cleared by ban and unban of the author. */
  hiddenByBan: boolean;
  /** Set by the client API when the cast entered. */
  hiddenOnEntry: boolean;
}

/** What becomes of a cast that a moderator hides or shows; the same object where nothing changes. */
export function moderateCast(marks: CastMarks, action: "hide" | "unhide"): CastMarks {
  if (action === "hide") return marks.hiddenByModeration ? marks : { ...marks, hiddenByModeration: true };
  if (!marks.hiddenByModeration && !marks.hiddenOnEntry) return marks;
  return { ...marks, hiddenByModeration: false, hiddenOnEntry: false };
}

/** What decides how a cast enters: `isBlocked` where one whom it replies to, quotes or mentions blocks its author. */
export interface CastEntry {
  isReply: boolean;
  isBlocked: boolean;
}

/** Where a cast enters: what its author is in the channel, and whether anybody may cast into it. */
export interface Entrance {
  author: State;
  publicCasting: boolean;
}

/** The marks of a cast that enters later than the rules it breaks (decisions.md, "casts that enter later"). */
export function markOnEntry(cast: CastEntry, channel: Entrance | undefined): CastMarks {
  const isOutsider = channel && !channel.publicCasting && roleIn(channel.author) === undefined;
  return {
    hiddenByModeration: false,
    hiddenByBan: cast.isReply && channel?.author === "banned",
    hiddenOnEntry: cast.isBlocked || (!cast.isReply && isOutsider === true),
  };
}

/** Whom a cast addresses, any of whom may block its author. */
export interface Addressed {
  /** The author of the cast that it replies to, and whom it mentions. */
  fids: readonly number[];
  /** The casts that it quotes: embedded links whose address ends with a whole hash. */
  quoted: readonly string[];
}

export function addressedBy({ parent, mentions, embeds }: CastMessage): Addressed {
  return {
    fids: parent ? [parent.fid, ...mentions] : mentions,
    quoted: embeds.flatMap(({ url }) => /0x[0-9a-f]{40}$/.exec(url.toLowerCase())?.[0] ?? []),
  };
}
