import { z } from "zod";
import type { ConditionKind } from "../evaluate/condition.ts";
import { userEvents } from "../evaluate/occurrence.ts";
import { needOf, type Fact, type FactContext, type FactSource } from "../facts/fact.ts";
import { authorNotKnown, inParallel, readAllPages, readNetwork } from "../facts/read-network.ts";
import { factField, flagLeaf } from "./make-condition.ts";

const maxPages = 20;
/** Milliseconds for which a pack is cached. */
const lifetime = 300_000;

const source: FactSource<boolean, [pack: string]> = {
  name: "starter pack",
  far: true,
  load: (context, wanted) =>
    inParallel(
      wanted,
      async ({ parameters: [pack], occurrence: { authorFid: fid } }): Promise<Fact<boolean>> => {
        if (fid === null) return authorNotKnown(source.name, context);
        const members = await context.cache.get(
          `starter_pack:${pack}`,
          () => readMembers(context, pack),
          lifetime,
        );
        if (!members.known) return members;
        const { at, value } = members;
        const isMember = value.fids.has(fid);
        if (isMember || value.whole) return { known: true, value: isMember, source: source.name, at };
        return { known: false, why: "the pack is too large to read", source: source.name, at };
      },
    ),
};
export const starterPack = (pack: string) => needOf(source, pack);

function readMembers(context: FactContext, pack: string) {
  return readNetwork(context, source.name, async (signal) => {
    const { items, whole } = await readAllPages(maxPages, async (cursor) => {
      const input = { id: pack, limit: 1000, cursor };
      const { result, next } = await context.network.starterPackMembers.list(input, { signal });
      return { items: result.members, next: next?.cursor };
    });
    return { fids: new Set(items.map((member) => member.fid)), whole };
  });
}

/** Whether the author is in a starter pack. */
export const authorInStarterPack: ConditionKind = {
  name: "author.in_starter_pack",
  events: userEvents,
  sources: [source],
  schema: () =>
    z
      .strictObject({ id: z.string().min(1).max(256) })
      .transform(({ id }) => flagLeaf(`the author is in the starter pack ${id}`, factField(starterPack(id)))),
};
