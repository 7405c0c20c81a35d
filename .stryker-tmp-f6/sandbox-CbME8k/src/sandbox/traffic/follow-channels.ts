// @ts-nocheck
import { pickOne, type Town } from "./town.ts";

/** Somebody follows a channel, or stops following it. */
export async function followOrLeave(town: Town): Promise<void> {
  const account = pickOne(
    town,
    town.accounts.filter(({ fid }) => fid > 5),
  );
  const network = town.as(account);
  const channelId = pickOne(town, ["garden", "night-market", "memes", "kitchen"]);
  const { following } = await network.channelFollows.status({ fid: account.fid, channelId });
  if (following) await network.channelFollows.unfollow({ channelId });
  else await network.channelFollows.follow({ channelId });
}
