import type { Network } from "../../src/contract/index.ts";
import type { HubWitness, Witness, Witnesses } from "../../src/observe/live/witnesses.ts";

/** Hubs and a registry as far as a test believes them; without a mark they are the operator's own. */
export function witnessesOf(
  hubs: readonly (Partial<Witness> & { hub: Network["hub"] })[] = [],
  registry: Partial<Witness> = {},
): Witnesses {
  return {
    hubs: hubs.map((witness): HubWitness => ({ host: "127.0.0.1", own: true, secure: true, ...witness })),
    registry: { host: "names.example", own: false, secure: true, ...registry },
  };
}
