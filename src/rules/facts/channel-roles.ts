import type { Channel } from "../../contract/channels.ts";
import { needOf, type Fact, type FactContext, type FactSource } from "./fact.ts";
import { inParallel, readNetwork, storedLifetime } from "./read-network.ts";

interface ChannelRoles {
  owner: number | null;
  moderators: readonly number[];
}

const source: FactSource<ChannelRoles, []> = {
  name: "channel",
  far: true,
  load: (context, wanted) =>
    inParallel(wanted, ({ occurrence: { channelId } }) => readChannelRoles(context, channelId)),
};

/** The channel's owner and moderators. */
export const channelRoles = needOf(source);

/** Milliseconds for which roles are cached on the live network, where a few busy channels would use up all calls. */
const liveLifetime = 120_000;

const keyOf = (channelId: string) => `roles:${channelId}`;

export function readChannelRoles(context: FactContext, channelId: string): Promise<Fact<ChannelRoles>> {
  return context.cache.get(
    keyOf(channelId),
    async () => {
      const asked = await readNetwork(context, source.name, async (signal) => {
        const { channel } = await context.network.channels.get({ channelId }, { signal });
        return rolesOf(channel);
      });
      if (asked.known || !context.live) return asked;
      return (await recallRoles(context, [channelId])).get(channelId) ?? asked;
    },
    context.live && liveLifetime,
  );
}

function rolesOf({ leadFid, moderatorFids }: Pick<Channel, "leadFid" | "moderatorFids">): ChannelRoles {
  return { owner: leadFid ?? null, moderators: moderatorFids };
}

/** Caches the roles in these channels as last read, so that evaluating the past calls the network for none of them. */
export async function preloadChannelRoles(
  context: FactContext,
  channelIds: readonly string[],
): Promise<void> {
  for (const [channelId, roles] of await recallRoles(context, channelIds))
    await context.cache.get(keyOf(channelId), async () => roles);
}

/** The channels' records as last read, where that is recent. */
async function recallRoles(
  { database, clock }: FactContext,
  channelIds: readonly string[],
): Promise<Map<string, Fact<ChannelRoles> & { known: true }>> {
  if (channelIds.length === 0) return new Map();
  const rows = await database.query
    .selectFrom("castellan.channel_snapshots as snapshot")
    .innerJoin("castellan.sources as source", "source.channel_id", "snapshot.channel_id")
    .select(["snapshot.channel_id as channelId", "channel_json", "succeeded_at_ms as at"])
    .where(
      "source",
      "in",
      channelIds.map((channelId) => `listings/${channelId}`),
    )
    .where("has_baseline", "=", true)
    .where("succeeded_at_ms", ">=", clock.now() - storedLifetime)
    .execute();
  return new Map(
    rows.flatMap(({ channelId, channel_json, at }) => {
      if (at === null) return [];
      // Written by storeChannel.
      const value = rolesOf(JSON.parse(channel_json) as Channel);
      return [[channelId, { known: true, value, source: `${source.name}, as last read`, at }]];
    }),
  );
}
