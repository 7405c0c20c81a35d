// @ts-nocheck
import { z } from "zod";
import { amount } from "../../text/amount.ts";
import { atAuthor, type ActionKind } from "../decide/action.ts";
import { durationBetween } from "../language/duration.ts";
import { userEvents } from "../evaluate/occurrence.ts";

/** Gives the author points that count until their time is over. */
export const strike: ActionKind = {
  name: "strike",
  events: userEvents,
  schema: z
    .strictObject({
      points: z.int().min(1).max(100).default(1),
      ttl: durationBetween("1m", "365d").optional(),
    })
    .transform(({ points, ttl }) => ({
      sentence: `give ${amount(points, "strike point")}${ttl ? ` for ${ttl.text}` : ""}`,
      aim: atAuthor((fid) => ({ kind: "strike", fid, points, ttlSeconds: ttl?.seconds ?? null })),
    })),
};
