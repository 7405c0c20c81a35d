import type { Ask, FactSource } from "../fact.ts";
import { inParallel, readNetwork } from "./read-network.ts";

export interface ChannelRoles {
  owner: number | null;
  moderators: readonly number[];
}

const channelRoles: FactSource = {
  name: "channel",
  load: (context, wanted) =>
    inParallel(wanted, ({ occurrence: { channelId } }) =>
      context.memory.recall(`roles:${channelId}`, () =>
        readNetwork(context, channelRoles.name, async (signal): Promise<ChannelRoles> => {
          const { channel } = await context.network.channels.get({ channelId }, { signal });
          return { owner: channel.leadFid ?? null, moderators: channel.moderatorFids };
        }),
      ),
    ),
};

/** Who owns and moderates the channel. */
export const askChannelRoles: Ask<ChannelRoles> = { key: "channel_roles", source: channelRoles };
