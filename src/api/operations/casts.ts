import { sql } from "kysely";
import { seconds } from "../../clock.ts";
import { moderatedCasts, pinnedCasts } from "../../contract/casts.ts";
import type { Queryable, Tx } from "../../database/database.ts";
import { AppError } from "../../errors.ts";
import { moderateCast } from "../domain/cast-visibility.ts";
import { requireModerator } from "../domain/membership.ts";
import { implement, read, write, type WriteScope } from "../operation.ts";
import { findCast, requireCast, saveVisibility, visibilityOf, type CastRow } from "../store/casts.ts";
import { lockChannel, type LockedChannel } from "../store/channels.ts";
import { channelListing, given } from "../store/paging.ts";
import { readRole } from "../store/standings.ts";

export const moderatedCastsOperations = implement(moderatedCasts, {
  list: read(async ({ db }, { channelId, ...page }) => {
    const { rows, next } = await listRecords(db, { channelId }, page);
    return { result: { moderationActions: rows }, ...next };
  }),

  moderate: write(async (scope, { castHash, action }) => {
    const { cast, channel } = await lockModeratedCast(scope, castHash);
    const before = visibilityOf(cast);
    const after = moderateCast(before, action);
    if (after === before) return { success: true };
    await saveVisibility(scope.db, castHash, after);
    const now = seconds(scope.context.clock);
    // Under the channel's lock, and not before the last record's time, so a reader who has that one misses nothing.
    await sql`
      insert into network.moderation_records (channel_id, cast_hash, action, moderated_at)
      select ${channel.id}, ${castHash}, ${action}, greatest(${now}::bigint, max(moderated_at))
      from network.moderation_records where channel_id = ${channel.id}
    `.execute(scope.db);
    return { success: true };
  }),
});

const listRecords = channelListing({
  path: moderatedCasts.list.path,
  order: ["moderated_at", "id"],
  select: (db, { channelId }: { channelId: string | undefined }) =>
    db
      .selectFrom("network.moderation_records")
      .select(["cast_hash as castHash", "channel_id as channelId", "action", "moderated_at as moderatedAt"])
      .where((eb) => eb.and(given({ channel_id: channelId }))),
});

export const pinnedCastsOperations = implement(pinnedCasts, {
  pin: write(async (scope, { castHash, notifyChannelFollowers }) => {
    const { channel } = await lockModeratedCast(scope, castHash);
    if (channel.pinned_cast_hash === castHash) return { success: true };
    await savePin(scope.db, channel, castHash);
    if (notifyChannelFollowers) await announce(scope, channel, castHash);
    return { success: true };
  }),

  unpin: write(async (scope, { castHash, channelId }) => {
    if (castHash !== undefined && !(await mayBePinned(scope.db, castHash))) return { success: true };
    const channel =
      castHash === undefined
        ? await lockModeratedChannel(scope, channelId)
        : (await lockModeratedCast(scope, castHash)).channel;
    if (castHash === undefined || channel.pinned_cast_hash === castHash)
      await savePin(scope.db, channel, null);
    return { success: true };
  }),
});

/** A cast that is unknown, removed or in no channel cannot be pinned. */
async function mayBePinned(db: Queryable, hash: string): Promise<boolean> {
  const cast = await findCast(db, hash);
  return cast !== undefined && cast.removed_at === null && cast.channel_id !== null;
}

async function lockModeratedChannel(
  { db, caller }: WriteScope,
  channelId: string | undefined,
): Promise<LockedChannel> {
  if (channelId === undefined) throw new Error("an unpin without cast and channel passed its schema");
  const channel = await lockChannel(db, channelId);
  requireModerator(await readRole(db, channelId, caller));
  return channel;
}

async function savePin(tx: Tx, channel: LockedChannel, castHash: string | null): Promise<void> {
  await tx
    .updateTable("network.channels")
    .set({ pinned_cast_hash: castHash })
    .where("id", "=", channel.id)
    .execute();
}

/** Notifies everyone who follows the channel now; the notification remains when the pin ends. */
async function announce(
  { db, context }: WriteScope,
  channel: LockedChannel,
  castHash: string,
): Promise<void> {
  await db
    .insertInto("network.announcements")
    .values({
      channel_id: channel.id,
      cast_hash: castHash,
      recipients: channel.follower_count,
      announced_at: seconds(context.clock),
    })
    .execute();
}

/** A cast in a channel that the caller owns or moderates; locks the channel until the transaction ends. */
async function lockModeratedCast(
  { db, caller }: WriteScope,
  hash: string,
): Promise<{ cast: CastRow; channel: LockedChannel }> {
  const { channel_id: channelId } = await requireCast(db, hash);
  if (channelId === null) throw new AppError("cast_not_in_channel", "This cast is in no channel.");
  const channel = await lockChannel(db, channelId);
  requireModerator(await readRole(db, channelId, caller));
  // Read again under the lock, because the cast may have been removed, hidden or shown in the meantime.
  return { cast: await requireCast(db, hash), channel };
}
