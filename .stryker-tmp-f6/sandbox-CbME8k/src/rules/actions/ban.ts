// @ts-nocheck
import { z } from "zod";
import { atAuthor, type ActionKind } from "../decide/action.ts";
import { durationBetween } from "../language/duration.ts";
import { userEvents } from "../evaluate/occurrence.ts";

/** Bans the author, for a time or for good. */
export const ban: ActionKind = {
  name: "ban",
  events: userEvents,
  schema: z
    .strictObject({
      for: durationBetween("10s", "365d").optional(),
      reason: z.string().trim().min(1).max(300).optional(),
    })
    .transform(({ for: span, reason }) => ({
      sentence: `ban the author${span ? ` for ${span.text}` : ""}${reason ? ` (${reason})` : ""}`,
      aim: atAuthor((fid) => ({
        kind: "ban",
        fid,
        reason: reason ?? null,
        forSeconds: span?.seconds ?? null,
      })),
    })),
};
