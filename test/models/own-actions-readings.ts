import type { ChannelEvent } from "../../src/contract/channel-events.ts";
import type { Network } from "../../src/contract/index.ts";
import { eventsSource } from "../../src/observe/live/current-plan.ts";
import type { LiveContext } from "../../src/observe/live/live-context.ts";
import { pollChannelEvents } from "../../src/observe/live/poll-channel-events.ts";
import { pollListings } from "../../src/observe/listings/poll-listings.ts";
import { pollRecords } from "../../src/observe/records/poll-records.ts";
import { openSource } from "../../src/observe/sources.ts";
import type { Scene } from "./own-actions-world.ts";

/** What reading a channel gives. */
export interface Shown {
  channel: Awaited<ReturnType<Network["channels"]["get"]>>;
  bans: Awaited<ReturnType<Network["channelBans"]["list"]>>;
  restrictions: Awaited<ReturnType<Network["channelRestrictedUsers"]["list"]>>;
  invites: Awaited<ReturnType<Network["channelInvites"]["list"]>>;
  members: Awaited<ReturnType<Network["channelMembers"]["list"]>>;
  records: Awaited<ReturnType<Network["moderatedCasts"]["list"]>>;
}

export async function show({ bot, channelId }: Scene): Promise<Shown> {
  const { network } = bot;
  const input = { channelId, limit: 1000 };
  return {
    channel: await network.channels.get({ channelId }),
    bans: await network.channelBans.list(input),
    restrictions: await network.channelRestrictedUsers.list(input),
    invites: await network.channelInvites.list(input),
    members: await network.channelMembers.list(input),
    records: await network.moderatedCasts.list({ channelId, limit: 100 }),
  };
}

/** The longest that a listing does not know our call yet, in milliseconds. */
const lag = 5_000;

/** Begins to read the channel, and has everything in hand that will be stored. `isStale`: the listing does not know our last call yet. */
export async function beginReading(scene: Scene, isStale: boolean): Promise<void> {
  if (scene.reading) return;
  const { bot, channelId, aspect, stale } = scene;
  const isBehind = isStale && stale && bot.net.context.clock.now() - stale.atMs <= lag;
  const shown = isBehind ? stale.shown : await show(scene);
  let begun = () => {};
  const hasBegun = new Promise<void>((resolve) => (begun = resolve));
  let go = () => {};
  const gate = new Promise<void>((resolve) => (go = resolve));
  const give =
    <Part extends keyof Shown>(part: Part) =>
    async (): Promise<Shown[Part]> => {
      begun();
      await gate;
      return shown[part];
    };
  const network: Network = {
    ...bot.network,
    channels: { ...bot.network.channels, get: give("channel") },
    channelBans: { ...bot.network.channelBans, list: give("bans") },
    channelRestrictedUsers: { ...bot.network.channelRestrictedUsers, list: give("restrictions") },
    channelInvites: { ...bot.network.channelInvites, list: give("invites") },
    channelMembers: { ...bot.network.channelMembers, list: give("members") },
    moderatedCasts: { ...bot.network.moderatedCasts, list: give("records") },
  };
  const poll = aspect === "record" ? pollRecords : pollListings;
  const done = poll({ ...bot, network }, channelId);
  await hasBegun;
  scene.reading = { go, done };
  // What is behind stays so for this reading alone, or it would seem to go back.
  if (!isBehind) scene.stale = undefined;
}

export async function commitReading(scene: Scene): Promise<void> {
  scene.reading?.go();
  await scene.reading?.done;
  scene.reading = undefined;
}

/** Events of other channels go back further than what was read last: none is missing. */
const longAgo: ChannelEvent = { eventId: "long ago", ts: 1, channelId: "elsewhere", type: "other" };

/** The second source: the network tells what happened in its channels. */
export async function tell(scene: Scene): Promise<void> {
  const { bot, log, by } = scene;
  if (by === "listings") return;
  scene.stale = undefined;
  const list = async () => ({ events: [...log.toReversed(), longAgo] });
  const background = () => ({ ...bot.network, channelEvents: { list } });
  // Nothing else of it is asked for.
  const live = { background } as unknown as LiveContext["live"];
  const context: LiveContext = { ...bot, live };
  await pollChannelEvents(context, await openSource(bot.database.query, eventsSource, null));
}
