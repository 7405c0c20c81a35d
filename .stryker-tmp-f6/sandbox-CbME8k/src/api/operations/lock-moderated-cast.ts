// @ts-nocheck
import { AppError } from "../../errors.ts";
import type { WriteScope } from "../context.ts";
import { requireModerator } from "../domain/permission.ts";
import { requireCast, type CastRow } from "../store/casts.ts";
import { lockChannel, type LockedChannel } from "../store/channels.ts";
import { readRole } from "../store/standings.ts";

/** A cast of a channel that the caller owns or moderates; the channel is held until the transaction ends. */
export async function lockModeratedCast(
  { db, caller }: WriteScope,
  hash: string,
): Promise<{ cast: CastRow; channel: LockedChannel }> {
  const { channel_id: channelId } = await requireCast(db, hash);
  if (channelId === null) throw new AppError("cast_not_in_channel", "This cast is in no channel.");
  const channel = await lockChannel(db, channelId);
  requireModerator(await readRole(db, channelId, caller));
  // Read again under the lock: while it was waited for, the cast may have been removed, hidden or shown.
  return { cast: await requireCast(db, hash), channel };
}
