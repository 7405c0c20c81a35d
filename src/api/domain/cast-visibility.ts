import type { CastContent } from "../../contract/message-data.ts";

/** Why a cast is hidden. The reasons are independent of each other. */
export interface CastVisibility {
  hiddenByModeration: boolean;
  /** Set and cleared by ban and unban of the author. */
  hiddenByBan: boolean;
  /** Set by the client API when the cast is created: `insertCasts` in store/casts.ts. */
  hiddenOnEntry: boolean;
}

/** The visibility after a moderator hides or shows a cast; the same object if nothing changes. */
export function moderateCast(visibility: CastVisibility, action: "hide" | "unhide"): CastVisibility {
  if (action === "hide") {
    return visibility.hiddenByModeration ? visibility : { ...visibility, hiddenByModeration: true };
  }
  if (!visibility.hiddenByModeration && !visibility.hiddenOnEntry) return visibility;
  return { ...visibility, hiddenByModeration: false, hiddenOnEntry: false };
}

/** The users a cast addresses; any of them may block its author. */
export interface Addressed {
  /** The author of the parent cast, and the mentioned users. */
  fids: readonly number[];
  /** The quoted casts: embedded links whose address ends with a full hash. */
  quoted: readonly string[];
}

export function addressedBy({ parent, mentions, embeds }: CastContent): Addressed {
  return {
    fids: parent ? [parent.fid, ...mentions] : mentions,
    quoted: embeds.flatMap(({ url }) => /0x[0-9a-f]{40}$/.exec(url.toLowerCase())?.[0] ?? []),
  };
}
