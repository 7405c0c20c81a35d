import { askFor, send } from "./ask.js";

/** Requests of the network pane to its server, which acts with the person's own keys. */
export const readPeople = () => askFor("/network/people");

export const readOverview = (fid) => askFor("/network/overview", { fid });

export const readChannel = (fid, channelId) => askFor("/network/channel", { fid, channelId });

export const sendAct = (fid, action) => send("/network/act", { fid, action });

/** What a person is in a channel: owner, moderator or "". */
export function roleOf(channel, fid) {
  if (channel.leadFid === fid) return "owner";
  return channel.moderatorFids.includes(fid) ? "moderator" : "";
}
