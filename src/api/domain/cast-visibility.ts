import type { CastContent } from "../../contract/message-data.ts";

/** Why a cast is not shown. Each reason comes and goes by itself. */
export interface CastVisibility {
  hiddenByModeration: boolean;
  /** Set and cleared by ban and unban of the author. */
  hiddenByBan: boolean;
  /** Set by the client API when the cast entered: `insertCasts` of store/casts.ts. */
  hiddenOnEntry: boolean;
}

/** What becomes of a cast that a moderator hides or shows; the same object where nothing changes. */
export function moderateCast(visibility: CastVisibility, action: "hide" | "unhide"): CastVisibility {
  if (action === "hide") {
    return visibility.hiddenByModeration ? visibility : { ...visibility, hiddenByModeration: true };
  }
  if (!visibility.hiddenByModeration && !visibility.hiddenOnEntry) return visibility;
  return { ...visibility, hiddenByModeration: false, hiddenOnEntry: false };
}

/** Whom a cast addresses, any of whom may block its author. */
export interface Addressed {
  /** The author of the cast that it replies to, and whom it mentions. */
  fids: readonly number[];
  /** The casts that it quotes: embedded links whose address ends with a whole hash. */
  quoted: readonly string[];
}

export function addressedBy({ parent, mentions, embeds }: CastContent): Addressed {
  return {
    fids: parent ? [parent.fid, ...mentions] : mentions,
    quoted: embeds.flatMap(({ url }) => /0x[0-9a-f]{40}$/.exec(url.toLowerCase())?.[0] ?? []),
  };
}
