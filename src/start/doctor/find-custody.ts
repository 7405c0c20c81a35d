import type { Network } from "../../contract/index.ts";
import { asAppError } from "../../errors.ts";
import { readCustody } from "../../moderation/proofs/staff-proofs.ts";

/** The fid's custody address in lower case, from a hub; undefined if no hub returns it. */
export async function findCustody(network: Network, fid: number): Promise<string | undefined> {
  try {
    return await readCustody(network.hub, fid);
  } catch (error) {
    if (!asAppError(error)) throw error;
    return undefined;
  }
}
