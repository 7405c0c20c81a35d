import { needOf, type Fact, type FactContext, type FactSource } from "./fact.ts";
import { inParallel, readNetwork } from "./read-network.ts";

export interface ChannelRoles {
  owner: number | null;
  moderators: readonly number[];
}

const source: FactSource<ChannelRoles, []> = {
  name: "channel",
  far: true,
  load: (context, wanted) =>
    inParallel(wanted, ({ occurrence: { channelId } }) => readChannelRoles(context, channelId)),
};

/** Who owns and moderates the channel. */
export const channelRoles = needOf(source);

/** Milliseconds that roles count on the live network, where the casts of a few busy channels would use up the calls of all. */
const liveLifetime = 120_000;

export function readChannelRoles(context: FactContext, channelId: string): Promise<Fact<ChannelRoles>> {
  return context.cache.get(
    `roles:${channelId}`,
    () =>
      readNetwork(context, source.name, async (signal): Promise<ChannelRoles> => {
        const { channel } = await context.network.channels.get({ channelId }, { signal });
        return { owner: channel.leadFid ?? null, moderators: channel.moderatorFids };
      }),
    context.live && liveLifetime,
  );
}
