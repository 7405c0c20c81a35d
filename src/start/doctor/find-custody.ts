import type { Network } from "../../contract/index.ts";
import { asAppError } from "../../errors.ts";
import { readCustody } from "../../moderation/proofs/staff-proofs.ts";

/** The custody address of a fid, in lower case, as a hub says; undefined where none says it. */
export async function findCustody(network: Network, fid: number): Promise<string | undefined> {
  try {
    return await readCustody(network.hub, fid);
  } catch (error) {
    if (!asAppError(error)) throw error;
    return undefined;
  }
}
