import { z } from "zod";
import { amount } from "../../text/amount.ts";
import { ruleEvents, userEvents, type RuleEvent } from "../evaluate/occurrence.ts";
import { formatExactDuration } from "../../text/duration.ts";
import { minRuleBan } from "../../limits/ban-lengths.ts";
import { durationBetween } from "../language/duration.ts";
import { atAuthor, atCast, type ActionKind } from "./action.ts";

/** Events about a cast that still exists. */
const presentCastEvents = [
  "cast.created",
  "record.hidden",
  "record.unhidden",
  "pin.changed",
] as const satisfies RuleEvent[];

const nothing = z.strictObject({});
const text = (most: number) => z.string().trim().min(1).max(most);
const because = (reason: string | undefined) => (reason ? ` (${reason})` : "");

/** All actions that rules support. */
export const actionKinds: readonly ActionKind[] = [
  {
    name: "hide",
    events: presentCastEvents,
    schema: nothing.transform(() => ({
      sentence: "hide the cast",
      aim: atCast((castHash) => ({ kind: "hide", castHash })),
    })),
  },
  {
    name: "unhide",
    events: presentCastEvents,
    schema: nothing.transform(() => ({
      sentence: "show the cast again",
      aim: atCast((castHash) => ({ kind: "unhide", castHash })),
    })),
  },
  {
    // Temporary or permanent.
    name: "ban",
    events: userEvents,
    schema: z
      .strictObject({
        for: durationBetween(minRuleBan, "365d").optional(),
        reason: text(300).optional(),
        hide_casts: z.boolean().default(false),
      })
      .transform(({ for: span, reason, hide_casts: hideCasts }) => ({
        sentence: `ban the author${span ? ` for ${formatExactDuration(span.seconds)}` : ""}${hideCasts ? " and hide their casts" : ""}${because(reason)}`,
        aim: atAuthor((fid) => ({
          kind: "ban",
          fid,
          reason: reason ?? null,
          forSeconds: span?.seconds ?? null,
          ...(hideCasts && { hideCasts }),
        })),
      })),
  },
  {
    // The author stays restricted.
    name: "unban",
    events: userEvents,
    schema: nothing.transform(() => ({
      sentence: "lift the author's ban",
      aim: atAuthor((fid) => ({ kind: "unban", fid })),
    })),
  },
  {
    // A ban that is lifted at once. It leaves the author restricted, without roles and invites.
    name: "soft_ban",
    events: userEvents,
    schema: z.strictObject({ reason: text(300).optional() }).transform(({ reason }) => ({
      sentence: `restrict the author by ban and unban${because(reason)}`,
      aim: atAuthor((fid) => ({ kind: "ban", fid, reason: reason ?? null, forSeconds: 0 })),
    })),
  },
  {
    // This, too, leaves the author restricted.
    name: "remove_member",
    events: userEvents,
    schema: nothing.transform(() => ({
      sentence: "remove the author from the members",
      aim: atAuthor((fid) => ({ kind: "remove_member", fid })),
    })),
  },
  {
    // Only people appoint moderators.
    name: "invite",
    events: userEvents,
    schema: z.strictObject({ role: z.literal("member").default("member") }).transform(() => ({
      sentence: "invite the author as member",
      aim: atAuthor((fid) => ({ kind: "invite", fid })),
    })),
  },
  {
    // Nobody is notified of a rule's pin.
    name: "pin",
    events: presentCastEvents,
    schema: nothing.transform(() => ({
      sentence: "pin the cast",
      aim: atCast((castHash) => ({ kind: "pin", castHash })),
    })),
  },
  {
    // On an event without a cast, unpins any pinned cast.
    name: "unpin",
    events: ruleEvents,
    schema: nothing.transform(() => ({
      sentence: "unpin the cast",
      aim: ({ event: { data } }) => ({ kind: "unpin", castHash: "castHash" in data ? data.castHash : null }),
    })),
  },
  {
    // Points that count until they expire.
    name: "strike",
    events: userEvents,
    schema: z
      .strictObject({
        points: z.int().min(1).max(100).default(1),
        ttl: durationBetween("1m", "365d").optional(),
      })
      .transform(({ points, ttl }) => ({
        sentence: `give ${amount(points, "strike point")}${ttl ? ` for ${formatExactDuration(ttl.seconds)}` : ""}`,
        aim: atAuthor((fid) => ({ kind: "strike", fid, points, ttlSeconds: ttl?.seconds ?? null })),
      })),
  },
  {
    // For the next moderator who reviews the author.
    name: "note",
    events: userEvents,
    schema: z.strictObject({ text: text(500) }).transform(({ text }) => ({
      sentence: `note about the author: ${text}`,
      aim: atAuthor((fid) => ({ kind: "note", fid, text })),
    })),
  },
  {
    name: "review",
    events: ruleEvents,
    schema: z
      .strictObject({
        queue: z
          .string()
          .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, "must be 1 to 40 of a-z, 0-9 and -")
          .optional(),
      })
      .transform(({ queue }) => ({
        sentence: `hold for review${queue ? ` in ${queue}` : ""}`,
        aim: () => ({ kind: "review", queue: queue ?? null }),
      })),
  },
  {
    // In every room that subscribes to rules.
    name: "alert",
    events: ruleEvents,
    schema: z
      .strictObject({ text: text(500).default("A rule asks for your attention.") })
      .transform(({ text }) => ({
        sentence: `alert: ${text}`,
        aim: () => ({ kind: "alert", text, roomId: null }),
      })),
  },
  {
    // Into one room of the server, which must have a feed.
    name: "post",
    events: ruleEvents,
    schema: z
      .strictObject({
        room: z.string().regex(/^[0-9]{1,20}$/, 'must be the id of a Discord room, in quotes: "123456789"'),
        text: text(1000),
      })
      .transform(({ room, text }) => ({
        sentence: `post into room ${room}: ${text}`,
        aim: () => ({ kind: "alert", text, roomId: room }),
      })),
  },
];
