import type { CastState } from "../../contract/casts.ts";
import { MergeMessageBody } from "../../contract/hub.ts";
import type { Network, Operator } from "../../contract/index.ts";
import { asAppError } from "../../errors.ts";
import type { NetworkPane, PanePerson } from "./pane.ts";

/** How many of the newest hub events are looked through, and how many casts are shown. */
const eventsRead = 400;
const castsShown = 25;

/** Everything that the pane shows of one channel to one person. */
export async function readChannelView(pane: NetworkPane, person: PanePerson, channelId: string) {
  const network = pane.as(person);
  const [channel, follow, members, invites, bans, restricted, records, casts] = await Promise.all([
    network.channels.get({ channelId }),
    network.channelFollows.status({ fid: person.fid, channelId }),
    network.channelMembers.list({ channelId }),
    network.channelInvites.list({ channelId }),
    network.channelBans.list({ channelId }),
    network.channelRestrictedUsers.list({ channelId }),
    network.moderatedCasts.list({ channelId, limit: 20 }),
    readRecentCasts(network, pane.operator, channelId),
  ]);
  return {
    channel: channel.channel,
    following: follow.following,
    members: members.result.members,
    invites: invites.result.invites,
    bans: bans.result.bannedUsers,
    restricted: restricted.result.restrictedUsers,
    records: records.result.moderationActions,
    casts,
    names: await readNames(pane, network, [
      ...members.result.members.map(({ fid }) => fid),
      ...invites.result.invites.map(({ invitedFid }) => invitedFid),
      ...bans.result.bannedUsers.map(({ fid }) => fid),
      ...restricted.result.restrictedUsers.map(({ fid }) => fid),
      ...casts.map(({ cast }) => cast.fid),
    ]),
  };
}

/** What the pane shows whichever channel is open: all channels, and the person's own outstanding invites. */
export async function readOverview(pane: NetworkPane, person: PanePerson) {
  const network = pane.as(person);
  const [channels, invites] = await Promise.all([
    network.channels.all({}),
    network.channelInvites.list({ fid: person.fid }),
  ]);
  return { channels: channels.channels, invites: invites.result.invites };
}

/** The latest casts of a channel and how visible each is, newest first. */
async function readRecentCasts(
  network: Network,
  operator: Operator,
  channelId: string,
): Promise<CastState[]> {
  const { events } = await network.hub.events({ reverse: true, page_size: eventsRead });
  const hashes = events.flatMap(({ mergeMessageBody }) => {
    const body = MergeMessageBody.safeParse(mergeMessageBody);
    return body.success && body.data.message.data.castAddBody ? [body.data.message.hash] : [];
  });
  const shown: CastState[] = [];
  for (let start = 0; start < hashes.length && shown.length < castsShown; start += castsShown) {
    const states = await Promise.all(
      hashes.slice(start, start + castsShown).map((hash) => readCast(operator, hash)),
    );
    shown.push(...states.flat().filter((state) => state.channelId === channelId));
  }
  return shown.slice(0, castsShown);
}

/** None where the cast is unknown to the operator. */
async function readCast(operator: Operator, hash: string): Promise<CastState[]> {
  try {
    return [await operator.readCast({ hash })];
  } catch (error) {
    if (asAppError(error, "not_found")) return [];
    throw error;
  }
}

/** Names by fid, remembered for a minute. */
async function readNames(
  { names, clock }: NetworkPane,
  network: Network,
  fids: readonly number[],
): Promise<Record<number, string>> {
  const now = clock.now();
  const named = await Promise.all(
    [...new Set(fids)].map(async (fid) => {
      const known = names.get(fid);
      if (known && known.until > now) return { fid, name: known.name };
      const name = await readName(network, fid);
      names.set(fid, { name, until: now + 60_000 });
      return { fid, name };
    }),
  );
  return Object.fromEntries(named.flatMap(({ fid, name }) => (name === undefined ? [] : [[fid, name]])));
}

async function readName(network: Network, fid: number): Promise<string | undefined> {
  try {
    return (await network.transfers.current({ fid })).transfer.username;
  } catch (error) {
    if (asAppError(error, "not_found")) return undefined;
    throw error;
  }
}
