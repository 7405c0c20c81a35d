import { setImmediate } from "node:timers/promises";
import type { transfers } from "../contract/registry.ts";
import type { ParsedInputOf } from "../contract/endpoint.ts";
import { AppError } from "../errors.ts";
import type { NetworkSettings } from "./context.ts";
import { isSignedBy, type Hex } from "./custody.ts";
import { describeClaim, describeConsent } from "../contract/name-claim.ts";
import {
  checkName,
  checkParties,
  isTaking,
  refuseConsent,
  type PartyAddresses,
} from "./domain/name-transfer.ts";

export type ClaimRequest = ParsedInputOf<typeof transfers.create> & { owner: Hex };

/** The checks of decisions.md ("order of checks") that need no lock, in its order; `isSigned`: by the owner. */
export async function verifyRequest(
  { nameDomain, reservedNames }: NetworkSettings,
  { from_signature: consent, ...request }: ClaimRequest,
  { asking, giving }: PartyAddresses,
  isSigned: boolean,
): Promise<void> {
  checkParties(request, consent !== undefined);
  if (asking !== request.owner) {
    throw new AppError("INVALID_FID_OWNER", `The owner is not the custody address of fid ${request.fid}.`);
  }
  if (reservedNames.has(request.name)) {
    throw new AppError("USERNAME_RESERVED", `The name ${request.name} is reserved.`);
  }
  if (!isSigned) throw new AppError("INVALID_SIGNATURE", "The signature is not the owner's over this claim.");
  if (isTaking(request) && consent !== undefined) {
    if (!giving || !(await isSignedBy(giving, describeConsent(nameDomain, request), consent)))
      throw refuseConsent();
  }
  checkName(request.name);
}

/** Whether the owner signed the claim; computed when what was asked of the database meanwhile has left this thread. */
export async function isClaimSigned(
  { nameDomain }: NetworkSettings,
  request: ClaimRequest,
): Promise<boolean> {
  await setImmediate();
  return isSignedBy(request.owner, describeClaim(nameDomain, request), request.signature);
}
