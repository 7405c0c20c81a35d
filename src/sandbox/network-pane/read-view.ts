import type { CastState } from "../../contract/casts.ts";
import { MergeMessageBody } from "../../contract/hub.ts";
import type { Network, Operator } from "../../contract/index.ts";
import { asAppError } from "../../errors.ts";
import type { NetworkPane, PanePerson } from "./pane.ts";

/** How many of a channel's newest root casts are shown, with how many of the newest replies to each. */
const rootsShown = 15;
const repliesShown = 10;
/** How many of the newest hub events are searched for replies to older casts, and how many of these replies are shown. */
const eventsRead = 400;
const lateReplies = 20;
/** How many parents of a reply are followed. */
const deepest = 10;

/** Everything that the pane shows one person about a channel. */
export async function readChannelView(pane: NetworkPane, person: PanePerson, channelId: string) {
  const network = pane.as(person);
  const channel = await network.channels.get({ channelId });
  const [follow, members, invites, bans, restricted, records, casts] = await Promise.all([
    network.channelFollows.status({ fid: person.fid, channelId }),
    network.channelMembers.list({ channelId }),
    network.channelInvites.list({ channelId }),
    network.channelBans.list({ channelId }),
    network.channelRestrictedUsers.list({ channelId }),
    network.moderatedCasts.list({ channelId, limit: 20 }),
    readRecentCasts(network, pane.operator, channel.channel),
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

/** A channel's moderators, and what became of the person's invite: all that the steps of the first room ask. */
export async function readStanding(pane: NetworkPane, person: PanePerson, channelId: string) {
  const network = pane.as(person);
  const { fid } = person;
  const [{ channel }, members, invites] = await Promise.all([
    network.channels.get({ channelId }),
    network.channelMembers.list({ channelId, fid }),
    network.channelInvites.list({ fid }),
  ]);
  return {
    moderatorFids: channel.moderatorFids,
    isMember: members.result.members.length > 0,
    isInvited: invites.result.invites.some((invite) => invite.channelId === channelId),
  };
}

/** The part of the pane that does not depend on the channel: all channels, the person's name and open invites. */
export async function readOverview(pane: NetworkPane, person: PanePerson) {
  const network = pane.as(person);
  const [channels, invites, name] = await Promise.all([
    network.channels.all({}),
    network.channelInvites.list({ fid: person.fid }),
    readName(network, person.fid),
  ]);
  return { channels: channels.channels, invites: invites.result.invites, name: name ?? null };
}

/** A channel's latest conversations, with the visibility of each cast. A reply includes all casts it answers. */
async function readRecentCasts(
  network: Network,
  operator: Operator,
  { id, url }: { id: string; url: string },
): Promise<CastState[]> {
  const newest = { reverse: true, page_size: rootsShown };
  const [roots, late] = await Promise.all([
    network.hub.castsByParent({ url, ...newest }),
    readLateReplies(network),
  ]);
  const replies = await Promise.all(
    roots.messages.map(({ hash, data }) =>
      network.hub.castsByParent({ fid: data.fid, hash, reverse: true, page_size: repliesShown }),
    ),
  );
  const states = new Map<string, CastState>();
  const read = async (hash: string): Promise<CastState | undefined> => {
    const state = states.get(hash) ?? (await readCast(operator, hash))[0];
    if (state?.channelId !== id) return undefined;
    states.set(hash, state);
    return state;
  };
  const hashes = [roots, ...replies].flatMap(({ messages }) => messages.map(({ hash }) => hash));
  await Promise.all(hashes.map(read));
  for (const hash of late) {
    let answered: string | undefined = hash;
    for (let depth = 0; answered && depth < deepest; depth += 1) {
      answered = (await read(answered))?.cast.parentHash;
    }
  }
  return [...states.values()].filter(({ cast }) => !cast.removed);
}

/** Hashes of the newest replies in any channel. */
async function readLateReplies(network: Network): Promise<string[]> {
  const { events } = await network.hub.events({ reverse: true, page_size: eventsRead });
  const hashes = events.flatMap(({ mergeMessageBody }) => {
    const body = MergeMessageBody.safeParse(mergeMessageBody);
    return body.success && body.data.message.data.castAddBody?.parentCastId ? [body.data.message.hash] : [];
  });
  return hashes.slice(0, lateReplies);
}

/** Empty if the operator does not know the cast. */
async function readCast(operator: Operator, hash: string): Promise<CastState[]> {
  try {
    return [await operator.readCast({ hash })];
  } catch (error) {
    if (asAppError(error, "not_found")) return [];
    throw error;
  }
}

/** Names by fid, cached for a minute. */
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
