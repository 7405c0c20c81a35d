import { lookAlikeKeys } from "../../text/skeleton.ts";
import { readRegistry, findNames } from "./author-names.ts";
import { readChannelRoles } from "./channel-roles.ts";
import { needOf, type Fact, type FactContext, type FactSource } from "./fact.ts";
import { inParallel } from "./read-network.ts";

export const channelGroups = ["owner", "moderators", "members"] as const;
export type ChannelGroup = (typeof channelGroups)[number];

/** Names of one group in a channel, indexed by appearance. */
interface ChannelNames {
  /** The holders of names with each key (lookAlikeKeys). */
  holders: ReadonlyMap<string, readonly number[]>;
  /** Why some names are missing. */
  missing: string | undefined;
}

const maxMembers = 10_000;
/** Milliseconds for which a group's names are cached. */
const lifetime = 60_000;

export const namesOfChannel: FactSource<ChannelNames, [group: ChannelGroup]> = {
  name: "names in the channel",
  far: true,
  load: (context, wanted) =>
    inParallel(wanted, ({ parameters: [group], occurrence: { channelId } }) =>
      context.cache.get(
        `names:${group}:${channelId}`,
        () => (group === "members" ? readMembers(context, channelId) : readRoles(context, channelId, group)),
        lifetime,
      ),
    ),
};

export const channelNames = (group: ChannelGroup) => needOf(namesOfChannel, group);

/** Members as last seen, newest first. */
async function readMembers({ database, clock }: FactContext, channelId: string): Promise<Fact<ChannelNames>> {
  const rows = await database.query
    .selectFrom("castellan.listing_entries as member")
    .innerJoin("castellan.names as name", "name.fid", "member.fid")
    .select(["name.fid", "name.name"])
    .where("member.channel_id", "=", channelId)
    .where("member.listing", "=", "members")
    .orderBy("member.at", "desc")
    .limit(maxMembers)
    .execute();
  const missing =
    rows.length < maxMembers ? undefined : `only the names of the ${maxMembers} newest members were checked`;
  return toNames(rows, missing, clock.now());
}

/** Owner or moderators; names that were never seen are requested from the registry. */
async function readRoles(
  context: FactContext,
  channelId: string,
  group: "owner" | "moderators",
): Promise<Fact<ChannelNames>> {
  const roles = await readChannelRoles(context, channelId);
  if (!roles.known) return roles;
  const { owner, moderators } = roles.value;
  const fids = group === "moderators" ? moderators : owner === null ? [] : [owner];
  const seen = await findNames(context, fids);
  const named = [...seen].flatMap(([fid, names]) => names.map((name) => ({ fid, name })));
  const unseen = fids.filter((fid) => !seen.has(fid));
  const asked = await inParallel(unseen, async (fid) => ({ fid, fact: await readRegistry(context, fid) }));
  for (const { fid, fact } of asked) {
    if (fact.known) named.push(...fact.value.map((name) => ({ fid, name })));
  }
  const unread = asked.map(({ fact }) => fact).find((fact) => !fact.known);
  const why = unread && !unread.known ? unread.why : undefined;
  return { ...toNames(named, why, context.clock.now()), missing: unread?.missing };
}

function toNames(
  named: readonly { fid: number; name: string }[],
  missing: string | undefined,
  at: number,
): Fact<ChannelNames> {
  const holders = new Map<string, number[]>();
  for (const { fid, name } of named) {
    for (const key of lookAlikeKeys(name)) holders.set(key, [...(holders.get(key) ?? []), fid]);
  }
  return { known: true, value: { holders, missing }, source: namesOfChannel.name, at };
}
