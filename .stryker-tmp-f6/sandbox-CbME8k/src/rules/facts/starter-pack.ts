// @ts-nocheck
import type { Ask, Fact, FactSource } from "../evaluate/fact.ts";
import type { Occurrence } from "../evaluate/occurrence.ts";
import { readAllPages } from "./all-pages.ts";
import { authorNotKnown } from "./author-source.ts";
import { inParallel, readNetwork } from "./read-network.ts";

interface PackAsk extends Ask<boolean> {
  pack: string;
}

const mostPages = 20;
/** Milliseconds for which a pack is kept. */
const lifetime = 300_000;

const starterPacks: FactSource = {
  name: "starter pack",
  far: true,
  // Only asks made by askStarterPack name this source.
  load(context, wanted: readonly { ask: PackAsk; occurrence: Occurrence }[]) {
    return inParallel(
      wanted,
      async ({ ask: { pack }, occurrence: { authorFid: fid } }): Promise<Fact<boolean>> => {
        const { name: source } = starterPacks;
        if (fid === null) return authorNotKnown(source, context);
        const members = await context.memory.recall(
          `starter_pack:${pack}`,
          () =>
            readNetwork(context, source, async (signal) => {
              const { items, whole } = await readAllPages(mostPages, async (cursor) => {
                const input = { id: pack, limit: 1000, cursor };
                const { result, next } = await context.network.starterPackMembers.list(input, { signal });
                return { items: result.members, next: next?.cursor };
              });
              return { fids: new Set(items.map((member) => member.fid)), whole };
            }),
          lifetime,
        );
        if (!members.known) return members;
        const { at, value } = members;
        const isMember = value.fids.has(fid);
        if (!isMember && !value.whole)
          return { known: false, why: "the pack is too large to be read", source, at };
        return { known: true, value: isMember, source, at };
      },
    );
  },
};

/** Whether the author is in a starter pack. */
export function askStarterPack(pack: string): Ask<boolean> {
  const ask: PackAsk = { key: `starter_pack:${pack}`, source: starterPacks, pack };
  return ask;
}
