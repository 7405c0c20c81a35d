// @ts-nocheck
import type { ApiContext } from "../context.ts";
import { admitInviteCall } from "../domain/call-limit.ts";
import { lockChannel } from "../store/channels.ts";
import { addInviteCall, readInviteCalls } from "../store/invite-calls.ts";

/**
 * Counts a call on an existing channel, whatever becomes of it, in a transaction of its own.
 * Throws `not_found`, and `rate_limited` for the 101st of an hour, which is not counted.
 */
export async function countInviteCall(
  { database, clock }: ApiContext,
  { channelId }: { channelId: string },
  caller: number,
): Promise<void> {
  await database.transaction(async (tx) => {
    // The channel's lock makes reading and counting one step; two callers at once cannot both be the hundredth.
    await lockChannel(tx, channelId);
    const now = clock.now();
    admitInviteCall(await readInviteCalls(tx, channelId, caller, now), now);
    await addInviteCall(tx, channelId, caller, now);
  });
}
