// @ts-nocheck
import { pinnedCasts } from "../../contract/casts.ts";
import type { Contract } from "../../contract/index.ts";
import type { Tx } from "../../database/database.ts";
import { seconds } from "../../clock.ts";
import type { WriteScope } from "../context.ts";
import { requireModerator } from "../domain/permission.ts";
import { write, type Operations } from "../operation.ts";
import { lockChannel, type LockedChannel } from "../store/channels.ts";
import { readRole } from "../store/standings.ts";
import { lockModeratedCast } from "./lock-moderated-cast.ts";

export const pinnedCastsOperations: Operations<Contract>["pinnedCasts"] = {
  pin: write(pinnedCasts.pin, async (scope, { castHash, notifyChannelFollowers }) => {
    const { channel } = await lockModeratedCast(scope, castHash);
    if (channel.pinned_cast_hash === castHash) return { success: true };
    await savePin(scope.db, channel, castHash);
    if (notifyChannelFollowers) await announce(scope, channel, castHash);
    return { success: true };
  }),

  unpin: write(pinnedCasts.unpin, async (scope, { castHash, channelId }) => {
    const channel =
      castHash === undefined
        ? await lockModeratedChannel(scope, channelId)
        : (await lockModeratedCast(scope, castHash)).channel;
    if (castHash === undefined || channel.pinned_cast_hash === castHash)
      await savePin(scope.db, channel, null);
    return { success: true };
  }),
};

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

/** The notification to everybody who follows the channel now; it stays when the pin ends. */
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
