import { z } from "zod";
import { endpoint, type Calls } from "./endpoint.ts";
import { ChannelId, Fid, Role } from "./values.ts";

/** Where a user stands in a channel once their role has changed. */
export const Standing = z.enum(["member", "moderator", "none", "restricted", "banned"]);
export type Standing = z.infer<typeof Standing>;

/** UNIX milliseconds; given in seconds too, as other times of the live network. */
const Milliseconds = z
  .number()
  .min(0)
  .transform((time) => Math.trunc(time > 1e11 ? time : time * 1000));

/** What all events of the live network's channels have. */
const Known = z.object({ eventId: z.string().min(1), ts: Milliseconds, channelId: ChannelId });

const withFid = <const Type extends string>(...types: Type[]) =>
  Known.extend({ type: z.enum(types), fid: Fid });
/** Hashes of the live network may be longer than ours. */
const LongHash = z
  .string()
  .toLowerCase()
  .regex(/^0x[0-9a-f]{40,64}$/);
/** A fid that an event may name; what is none costs only the name. */
const NamedFid = Fid.optional().catch(undefined);
/** `castFid`: the cast's author. */
const withCast = <const Type extends string>(...types: Type[]) =>
  Known.extend({ type: z.enum(types), castHash: LongHash, castFid: NamedFid });

/**
 * As the live network's own client declares them. `ts` is in milliseconds. What can be read of an event of another make is when
 * it was and in which channel: then the channel itself is looked at.
 */
export const ChannelEvent = z.union([
  withFid("invite-created", "invite-accepted", "invite-declined", "invite-revoked").extend({ role: Role }),
  withFid("role-changed").extend({ role: Standing }),
  withFid("channel-followed", "channel-unfollowed"),
  withCast("cast-hidden", "cast-unhidden", "cast-unpinned"),
  withCast("cast-pinned").extend({ notifyFollowers: z.boolean().optional().catch(undefined) }),
  Known.extend({ type: z.literal("owner-changed"), newOwnerFid: NamedFid, prevOwnerFid: NamedFid }),
  Known.extend({ type: z.literal("channel-created") }),
  Known.extend({ type: z.string().transform(() => "other" as const) }),
]);
export type ChannelEvent = z.infer<typeof ChannelEvent>;

/** What the live network may answer besides interface.md. The embedded network serves none of it. */
export const liveContract = {
  channelEvents: {
    /** Newest first, up to `maxTs` (milliseconds, inclusive), of all channels at once. */
    list: endpoint({
      method: "GET",
      path: "/fc/channel-events",
      summary: "What happened in channels, newest first",
      input: z.object({
        channelId: ChannelId.optional(),
        maxTs: z.int().min(0).optional(),
        limit: z.int().min(1).optional(),
      }),
      result: z.object({ events: z.array(ChannelEvent) }),
    }),
  },
};
export type LiveCalls = Calls<typeof liveContract>;
