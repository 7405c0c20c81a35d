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

export function readChannelRoles(context: FactContext, channelId: string): Promise<Fact<ChannelRoles>> {
  return context.cache.get(
    `roles:${channelId}`,
    async () => {
      const asked = await readNetwork(context, source.name, async (signal) => {
        const { channel } = await context.network.channels.get({ channelId }, { signal });
        return rolesOf(channel);
      });
      return asked.known || !context.live ? asked : ((await recallRoles(context, channelId)) ?? asked);
    },
    context.live && liveLifetime,
  );
}

function rolesOf({ leadFid, moderatorFids }: Pick<Channel, "leadFid" | "moderatorFids">): ChannelRoles {
  return { owner: leadFid ?? null, moderators: moderatorFids };
}

/** The channel's record as last read, if that is recent, for when the network does not respond. */
async function recallRoles(context: FactContext, channelId: string): Promise<Fact<ChannelRoles> | undefined> {
  const row = await context.database.query
    .selectFrom("castellan.channel_snapshots as snapshot")
    .innerJoin("castellan.sources as source", (join) =>
      join.on("source.source", "=", `listings/${channelId}`).on("source.has_baseline", "=", true),
    )
    .select(["channel_json", "succeeded_at_ms"])
    .where("snapshot.channel_id", "=", channelId)
    .executeTakeFirst();
  if (row?.succeeded_at_ms == null || row.succeeded_at_ms < context.clock.now() - storedLifetime)
    return undefined;
  // Written by storeChannel.
  const channel = JSON.parse(row.channel_json) as Channel;
  return {
    known: true,
    value: rolesOf(channel),
    source: `${source.name}, as last read`,
    at: row.succeeded_at_ms,
  };
}
