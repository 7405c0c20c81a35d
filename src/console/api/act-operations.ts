import { z } from "zod";
import { AppError } from "../../errors.ts";
import { readHash } from "../../moderation/find-target.ts";
import { reviewDecisions } from "../../reviews/decide-item.ts";
import { readNumber, showNumber } from "../../text/numbered.ts";
import { Written } from "../request-schemas.ts";
import { act, type ActOperation } from "./operation.ts";
import { CaseParameter, ChannelParameter, ReviewParameter } from "./read-operations.ts";

const Fid = z.int().positive().describe("Farcaster id of the user");
const Cast = Written.max(300).describe("Hash of the cast, or a link to it");
const Reason = Written.min(1).max(500).optional().describe("Why; stored in the case");
const Duration = Written.min(1)
  .max(20)
  .describe("How long: 6h, 7d, 1d 12h or permanent; permanent takes a reason");

const ban = act({
  id: "ban",
  path: "/channels/{channel}/bans",
  summary: "Ban a user",
  description: "Bans a user from the channel, or changes the end of a ban. Needs `ban`.",
  command: "ban",
  input: z.strictObject({ channel: ChannelParameter, fid: Fid, duration: Duration, reason: Reason }),
  options: ({ channel, fid, duration, reason }) => ({ channel, user: String(fid), duration, reason }),
});

const unban = act({
  id: "unban",
  path: "/channels/{channel}/unbans",
  summary: "Lift a ban",
  description: "Lifts a user's ban. They stay restricted until they are invited again. Needs `ban`.",
  command: "undo",
  input: z.strictObject({ channel: ChannelParameter, fid: Fid, reason: Reason }),
  options: ({ channel, fid, reason }) => ({ channel, what: `fid ${fid}`, reason }),
});

const hide = act({
  id: "hide",
  path: "/channels/{channel}/hides",
  summary: "Hide a cast",
  description: "Hides one cast in the channel. Needs `hide`.",
  command: "hide",
  input: z.strictObject({ channel: ChannelParameter, cast: Cast, reason: Reason }),
  options: (input) => input,
});

const unhide = act({
  id: "unhide",
  path: "/channels/{channel}/unhides",
  summary: "Show a cast again",
  description: "Shows a hidden cast again. Needs `hide`.",
  command: "undo",
  input: z.strictObject({ channel: ChannelParameter, cast: Cast, reason: Reason }),
  options({ cast, ...rest }) {
    // Not the text itself, because /undo accepts more than casts.
    const what = readHash(cast.trim());
    if (what === undefined)
      throw new AppError("invalid_input", "cast: must be the hash of a cast or a link to it");
    return { what, ...rest };
  },
});

const invite = act({
  id: "invite",
  path: "/channels/{channel}/invites",
  summary: "Invite a user",
  description:
    "Invites a user to become a member. They must follow the channel and accept. All moderators share the network's limit of " +
    "invites an hour; `message` says how many are used. Needs `invite`.",
  command: "invite",
  input: z.strictObject({ channel: ChannelParameter, fid: Fid }),
  options: ({ channel, fid }) => ({ channel, user: String(fid) }),
});

const pin = act({
  id: "pin",
  path: "/channels/{channel}/pins",
  summary: "Pin a cast",
  description: "Pins a cast in the channel, in place of the one that is pinned. Needs `pin`.",
  command: "pin",
  input: z.strictObject({
    channel: ChannelParameter,
    cast: Cast,
    notify: z
      .boolean()
      .optional()
      .describe("Also notify every follower of the channel, which cannot be undone"),
  }),
  options: (input) => input,
});

const unpin = act({
  id: "unpin",
  path: "/channels/{channel}/unpins",
  summary: "Unpin the pinned cast",
  description: "Unpins what is pinned in the channel. Needs `pin`.",
  command: "pin",
  input: z.strictObject({ channel: ChannelParameter }),
  options: ({ channel }) => ({ channel, clear: true }),
});

const undo = act({
  id: "undoCase",
  path: "/channels/{channel}/cases/{number}/undo",
  summary: "Undo a case",
  description:
    "Undoes what a case did, by a new case. Needs the capability of that action, and `undo` where somebody else did it.",
  command: "undo",
  input: z.strictObject({ channel: ChannelParameter, number: CaseParameter, reason: Reason }),
  options: ({ number, ...rest }) => ({ what: showNumber("case", readNumber("case", number)), ...rest }),
});

const decide = act({
  id: "decideReview",
  path: "/reviews/{number}/decision",
  summary: "Decide a review",
  description:
    "Decides a review in each channel in which the token may. `approve` does what the rule proposed. Needs `hide` or `ban`, " +
    "by what the decision does.",
  command: "review decide",
  input: z.strictObject({
    number: ReviewParameter,
    decision: z.enum(reviewDecisions).describe("What to do"),
    duration: Duration.optional().describe(
      "Of a ban, which needs it: 6h, 7d or permanent; permanent takes a reason",
    ),
    reason: Written.min(1).max(300).optional().describe("Of a ban: why; the user may see it"),
  }),
  options: ({ number, ...rest }) => ({
    reviews: showNumber("review", readNumber("review", number)),
    ...rest,
  }),
});

export const actOperations: readonly ActOperation[] = [
  ban,
  unban,
  hide,
  unhide,
  invite,
  pin,
  unpin,
  undo,
  decide,
];
