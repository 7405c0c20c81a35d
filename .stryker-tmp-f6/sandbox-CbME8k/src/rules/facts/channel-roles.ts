// @ts-nocheck
import type { Ask, Fact, FactContext, FactSource } from "../evaluate/fact.ts";
import { inParallel, readNetwork } from "./read-network.ts";

export interface ChannelRoles {
  owner: number | null;
  moderators: readonly number[];
}

const channelRoles: FactSource = {
  name: "channel",
  far: true,
  load: (context, wanted) =>
    inParallel(wanted, ({ occurrence: { channelId } }) => readChannelRoles(context, channelId)),
};

/** Who owns and moderates the channel. */
export const askChannelRoles: Ask<ChannelRoles> = { key: "channel_roles", source: channelRoles };

export function readChannelRoles(context: FactContext, channelId: string): Promise<Fact<ChannelRoles>> {
  return context.memory.recall(`roles:${channelId}`, () =>
    readNetwork(context, channelRoles.name, async (signal): Promise<ChannelRoles> => {
      const { channel } = await context.network.channels.get({ channelId }, { signal });
      return { owner: channel.leadFid ?? null, moderators: channel.moderatorFids };
    }),
  );
}
