import type { PaneAction } from "../network-pane/act.ts";
import type { PanePerson } from "../network-pane/pane.ts";
import type {
  readChannelView,
  readOverview as readOverviewOf,
  readStanding as readStandingOf,
} from "../network-pane/read-view.ts";
import { askFor, send } from "./ask.ts";

/** Castellan's account, unless BOT_FID says otherwise. */
export const botFid = 9001;

export type NetworkPerson = Pick<PanePerson, "fid" | "name" | "userId">;
export type Overview = Awaited<ReturnType<typeof readOverviewOf>>;
export type ChannelView = Awaited<ReturnType<typeof readChannelView>>;

/** Performs an action as the person, then shows `done` or the error. Returns whether it succeeded. */
export type Act = (action: PaneAction, done: string) => Promise<boolean>;

// The network pane's requests to its server, which acts with the person's own keys. The types are the server's.

export const readPeople = () => askFor("/network/people") as Promise<NetworkPerson[]>;

export const readOverview = (fid: number) => askFor("/network/overview", { fid }) as Promise<Overview>;

export const readChannel = (fid: number, channelId: string) =>
  askFor("/network/channel", { fid, channelId }) as Promise<ChannelView>;

export const readStanding = (fid: number, channelId: string) =>
  askFor("/network/standing", { fid, channelId }) as ReturnType<typeof readStandingOf>;

export const sendAct = (fid: number, action: PaneAction) => send("/network/act", { fid, action });

/** A person's role in a channel: owner, moderator or "". */
export function roleOf(channel: ChannelView["channel"], fid: number): "owner" | "moderator" | "" {
  if (channel.leadFid === fid) return "owner";
  return channel.moderatorFids.includes(fid) ? "moderator" : "";
}
