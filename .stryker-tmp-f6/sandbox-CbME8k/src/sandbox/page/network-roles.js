/** What a person is in a channel: owner, moderator or "". */
// @ts-nocheck

export function roleOf(channel, fid) {
  if (channel.leadFid === fid) return "owner";
  return channel.moderatorFids.includes(fid) ? "moderator" : "";
}
