import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { CastHash, ChannelId, Seconds, Success, usualPaging } from "./values.ts";

export const ModerationAction = z.object({
  castHash: CastHash,
  channelId: ChannelId,
  action: z.enum(["hide", "unhide"]),
  moderatedAt: Seconds,
});
export type ModerationAction = z.infer<typeof ModerationAction>;

export const moderatedCasts = {
  list: endpoint({
    method: "GET",
    path: "/fc/moderated-casts",
    refusals: ["not_found"],
    paginated: usualPaging,
    summary: "Moderation actions, newest first",
    input: z.object({ channelId: ChannelId.optional() }),
    result: z.object({ moderationActions: z.array(ModerationAction) }),
  }),
  moderate: endpoint({
    method: "POST",
    path: "/fc/moderated-casts",
    refusals: ["not_found", "not_permitted", "cast_not_in_channel"],
    aliases: ["/fc/moderate-cast"],
    auth: "app_key",
    summary: "Hide or show a cast of a channel that the caller owns or moderates",
    input: z.object({ castHash: CastHash, action: z.enum(["hide", "unhide"]) }),
    result: Success,
  }),
};

/** Exactly one of the two (interface.md, "Cast moderation and pins"). */
const Unpin = z
  .object({ castHash: CastHash.optional(), channelId: ChannelId.optional() })
  .refine((input) => (input.castHash === undefined) !== (input.channelId === undefined), {
    message: "give exactly one of castHash and channelId",
  })
  .meta({ examples: [{ channelId: "memes" }] });

export const pinnedCasts = {
  pin: endpoint({
    method: "PUT",
    path: "/fc/pinned-casts",
    refusals: ["not_found", "not_permitted", "cast_not_in_channel"],
    auth: "app_key",
    summary: "Pin a cast in its channel, replacing the current pin",
    input: z.object({ castHash: CastHash, notifyChannelFollowers: z.boolean().default(false) }),
    result: Success,
  }),
  unpin: endpoint({
    method: "DELETE",
    path: "/fc/pinned-casts",
    refusals: ["not_found", "not_permitted"],
    auth: "app_key",
    summary: "Unpin a cast, or a channel's pinned cast",
    input: Unpin,
    result: Success,
  }),
};

/** A cast in the operator's view (docs/operate/hosting.md). */
export const CastState = z.object({
  cast: z.object({
    hash: CastHash,
    fid: z.int(),
    text: z.string(),
    timestamp: Seconds,
    parentUrl: z.string().optional(),
    parentHash: CastHash.optional(),
    removed: z.boolean(),
  }),
  hiddenByModeration: z.boolean(),
  hiddenByBan: z.boolean(),
  /** Hidden because a non-member posted in a members-only channel. */
  hiddenOnEntry: z.boolean(),
  belowFold: z.boolean(),
  channelId: ChannelId.optional(),
});
export type CastState = z.infer<typeof CastState>;
