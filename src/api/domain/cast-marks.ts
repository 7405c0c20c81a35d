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

/** The marks of a cast that enters a channel later than the rules it breaks (decisions.md, "casts that enter later"). */
export function markOnEntry(cast: { isReply: boolean }, author: State, publicCasting: boolean): CastMarks {
  return {
    hiddenByModeration: false,
    hiddenByBan: cast.isReply && author === "banned",
    hiddenOnEntry: !cast.isReply && !publicCasting && roleIn(author) === undefined,
  };
}
