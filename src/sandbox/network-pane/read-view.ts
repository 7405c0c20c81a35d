import type { Network } from "../../contract/index.ts";
import type { NetworkPane, PanePerson } from "./pane.ts";
import { readRecentCasts } from "./recent-casts.ts";

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
    names: await readNames(network, [
      ...members.result.members.map(({ fid }) => fid),
      ...bans.result.bannedUsers.map(({ fid }) => fid),
      ...restricted.result.restrictedUsers.map(({ fid }) => fid),
      ...casts.map(({ cast }) => cast.fid),
    ]),
  };
}

/** What the pane shows whichever channel is open: who one can be, all channels, one's own outstanding invites. */
export async function readOverview(pane: NetworkPane, person: PanePerson) {
  const network = pane.as(person);
  const [channels, invites] = await Promise.all([
    network.channels.all({}),
    network.channelInvites.list({ fid: person.fid }),
  ]);
  return { channels: channels.channels, invites: invites.result.invites };
}

/** Names by fid, remembered for the life of the process; a name that changes is read again after a minute. */
const known = new Map<number, { name: string | undefined; until: number }>();

async function readNames(network: Network, fids: readonly number[]): Promise<Record<number, string>> {
  const unique = [...new Set(fids)];
  const named = await Promise.all(
    unique.map(async (fid) => {
      const cached = known.get(fid);
      if (cached && cached.until > Date.now()) return [fid, cached.name] as const;
      const name = await network.transfers.current({ fid }).then(
        ({ transfer }) => transfer.username,
        () => undefined,
      );
      known.set(fid, { name, until: Date.now() + 60_000 });
      return [fid, name] as const;
    }),
  );
  return Object.fromEntries(named.flatMap(([fid, name]) => (name === undefined ? [] : [[fid, name]])));
}
