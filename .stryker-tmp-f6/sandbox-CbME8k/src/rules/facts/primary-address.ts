// @ts-nocheck
import { primaryAddressBatch } from "../../contract/primary-addresses.ts";
import type { Ask, Fact, FactContext, FactSource } from "../evaluate/fact.ts";
import { authorNotKnown } from "./author-source.ts";
import { readNetwork } from "./read-network.ts";

const protocols = ["ethereum", "solana"] as const;

const addresses: FactSource = {
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
        (fid === null ? undefined : facts.get(fid)) ?? authorNotKnown(addresses.name, context),
    );
  },
};

/** Whether the author has named a wallet that they prefer, of either protocol. */
export const askPrimaryAddress: Ask<boolean> = { key: "primary_address", source: addresses };

function readHolders(context: FactContext, fids: readonly number[]): Promise<Fact<Set<number>>> {
  return readNetwork(context, addresses.name, async (signal) => {
    const answers = await Promise.all(
      protocols.map((protocol) =>
        context.network.primaryAddresses.list({ fids: fids.join(","), protocol }, { signal }),
      ),
    );
    const held = answers.flatMap(({ addresses }) => addresses.filter(({ success }) => success));
    return new Set(held.map(({ fid }) => fid));
  });
}
