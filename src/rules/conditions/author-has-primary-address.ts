import { primaryAddressBatch } from "../../contract/primary-addresses.ts";
import { userEvents } from "../evaluate/occurrence.ts";
import { needOf, type Fact, type FactContext, type FactSource } from "../facts/fact.ts";
import { authorNotKnown, readNetwork } from "../facts/read-network.ts";
import { factField, flagCondition } from "./make-condition.ts";

const protocols = ["ethereum", "solana"] as const;

const source: FactSource<boolean, []> = {
  name: "primary addresses",
  far: true,
  async load(context, wanted) {
    const fids = [...new Set(wanted.flatMap(({ occurrence: { authorFid } }) => authorFid ?? []))];
    const facts = new Map<number, Fact<boolean>>();
    for (let start = 0; start < fids.length; start += primaryAddressBatch) {
      const some = fids.slice(start, start + primaryAddressBatch);
      const found = await readHolders(context, some);
      for (const fid of some) facts.set(fid, found.known ? { ...found, value: found.value.has(fid) } : found);
    }
    return wanted.map(
      ({ occurrence: { authorFid: fid } }) =>
        (fid === null ? undefined : facts.get(fid)) ?? authorNotKnown(source.name, context),
    );
  },
};
export const primaryAddress = needOf(source);

function readHolders(context: FactContext, fids: readonly number[]): Promise<Fact<Set<number>>> {
  return readNetwork(context, source.name, async (signal) => {
    const answers = await Promise.all(
      protocols.map((protocol) =>
        context.network.primaryAddresses.list({ fids: fids.join(","), protocol }, { signal }),
      ),
    );
    const held = answers.flatMap(({ addresses }) => addresses.filter(({ success }) => success));
    return new Set(held.map(({ fid }) => fid));
  });
}

/** Whether the author has set a primary wallet for either protocol. */
export const authorHasPrimaryAddress = flagCondition({
  name: "author.has_primary_address",
  events: userEvents,
  yes: "the author has a primary address",
  no: "the author has no primary address",
  field: factField(primaryAddress),
});
