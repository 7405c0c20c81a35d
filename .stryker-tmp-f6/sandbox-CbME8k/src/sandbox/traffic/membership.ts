// @ts-nocheck
import { outsideModeratorFid } from "../people/cast-of-characters.ts";
import { pickOne, type Town } from "./town.ts";

/** oona invites a follower of `night-market`, who accepts or declines. */
export async function inviteFollower(town: Town): Promise<void> {
  const moderator = town.accounts.find(({ fid }) => fid === outsideModeratorFid);
  if (!moderator) return;
  const channelId = "night-market";
  const network = town.as(moderator);
  const [followers, members] = await Promise.all([
    network.channels.followers({ channelId }),
    network.channelMembers.list({ channelId }),
  ]);
  const inside = new Set(members.result.members.map(({ fid }) => fid));
  const outside = new Set(followers.result.users.map(({ fid }) => fid).filter((fid) => !inside.has(fid)));
  const candidates = town.accounts.filter(({ fid }) => outside.has(fid) && fid > outsideModeratorFid);
  if (candidates.length === 0) return;
  const invitee = pickOne(town, candidates);
  await network.channelInvites.invite({ channelId, inviteFid: invitee.fid, role: "member" });
  await town.pause(12_000);
  const accept = town.random() < 0.7;
  await town.as(invitee).channelInvites.answer({ channelId, role: "member", accept });
}
