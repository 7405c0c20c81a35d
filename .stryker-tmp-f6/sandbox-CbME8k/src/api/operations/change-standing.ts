// @ts-nocheck
import { seconds } from "../../clock.ts";
import type { WriteScope } from "../context.ts";
import type { ChannelRole, Standing } from "../domain/standing.ts";
import { lockChannel } from "../store/channels.ts";
import { saveStanding } from "../store/save-standing.ts";
import { readStanding } from "../store/standings.ts";

/** Locks the channel, lets `decide` say what becomes of the user, and writes it. */
export async function changeStanding(
  { context, db, caller }: WriteScope,
  channelId: string,
  fid: number,
  decide: (standing: Standing, callerRole: ChannelRole | undefined) => Standing | Promise<Standing>,
): Promise<{ success: true }> {
  await lockChannel(db, channelId);
  const { standing, callerRole } = await readStanding(db, channelId, fid, caller);
  const after = await decide(standing, callerRole);
  await saveStanding(db, {
    channelId,
    fid,
    before: standing,
    after,
    caller,
    // Not the time of the call: under the lock times never go back.
    now: seconds(context.clock),
  });
  return { success: true };
}
