import { z } from "zod";
import { endpoint, type Calls } from "./endpoint.ts";
import { ChannelId, Fid, Role } from "./values.ts";

/** A user's standing in a channel after a change of role. */
export const Standing = z.enum(["member", "moderator", "none", "restricted", "banned"]);
export type Standing = z.infer<typeof Standing>;

/** UNIX milliseconds; also accepts seconds, the unit of the live network's other times. */
const Milliseconds = z
  .number()
  .min(0)
  .max(Number.MAX_SAFE_INTEGER)
  .transform((time) => Math.trunc(time > 1e11 ? time : time * 1000));

/** The fields that all events of the live network's channels share. */
const Known = z.object({ eventId: z.string().min(1).max(200), ts: Milliseconds, channelId: ChannelId });

const withFid = <const Type extends string>(...types: Type[]) =>
  Known.extend({ type: z.enum(types), fid: Fid });
/** Hashes of the live network may be longer than ours. */
const LongHash = z
  .string()
  .toLowerCase()
  .regex(/^0x[0-9a-f]{40,64}$/);
/** A fid in an event; if it is invalid, only this field is lost. */
const NamedFid = Fid.optional().catch(undefined);
/** `castFid`: the cast's author. */
const withCast = <const Type extends string>(...types: Type[]) =>
  Known.extend({ type: z.enum(types), castHash: LongHash, castFid: NamedFid });

/**
 * As the live network's own client declares them. `ts` is in milliseconds. An unknown event is read for its time and
 * channel only, and then the channel itself is read.
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

/** Endpoints of the live network beyond interface.md. The embedded network serves none of them. */
export const liveContract = {
  channelEvents: {
    /** All channels' events, newest first, up to `maxTs` (milliseconds, inclusive). */
    list: endpoint({
      method: "GET",
      path: "/fc/channel-events",
      summary: "Events in channels, newest first",
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
