import type { Ask, FactSource } from "../fact.ts";
import { inParallel, readNetwork } from "./read-network.ts";

const membership: FactSource = {
  name: "channel members",
  load: (context, wanted) =>
    inParallel(wanted, async ({ occurrence: { channelId, authorFid: fid } }) => {
      const { name: source } = membership;
      if (fid === null) {
        return { known: false, why: "the author is not known", source, at: context.clock.now() };
      }
      return context.memory.recall(`member:${channelId}:${fid}`, () =>
        readNetwork(context, source, async (signal) => {
          const page = await context.network.channelMembers.list({ channelId, fid, limit: 1 }, { signal });
          return page.result.members.some((member) => member.fid === fid);
        }),
      );
    }),
};

/** Whether the author is a member of the channel. */
export const askMembership: Ask<boolean> = { key: "membership", source: membership };
