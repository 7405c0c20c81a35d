import { z } from "zod";
import type { ActionKind } from "../action.ts";
import { durationBetween } from "../duration.ts";

/** Bans the author, for a time or for good. */
export const ban: ActionKind = {
  name: "ban",
  events: ["cast.created", "username_proof.merged", "record.hidden"],
  schema: z
    .strictObject({
      for: durationBetween("1m", "365d").optional(),
      reason: z.string().trim().min(1).max(300).optional(),
    })
    .transform(({ for: span, reason }) => ({
      sentence: `ban the author${span ? ` for ${span.text}` : ""}${reason ? ` (${reason})` : ""}`,
      aim: ({ authorFid }) =>
        authorFid === null
          ? { impossible: "the author is not known" }
          : { kind: "ban", fid: authorFid, reason: reason ?? null, forSeconds: span?.seconds ?? null },
    })),
};
