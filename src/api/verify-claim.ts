import { setImmediate } from "node:timers/promises";
import type { transfers } from "../contract/registry.ts";
import type { ParsedInputOf } from "../contract/endpoint.ts";
import { AppError } from "../errors.ts";
import type { NetworkSettings } from "./context.ts";
import { isSignedBy, type Hex } from "./custody.ts";
import { describeClaim, describeConsent, liveNameDomain, type NameDomain } from "../contract/name-claim.ts";
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
  { nameDomain, reservedNames, directTransfers }: NetworkSettings,
  { from_signature: consent, ...request }: ClaimRequest,
  { asking, giving }: PartyAddresses,
  isSigned: boolean,
): Promise<void> {
  checkParties(request, consent !== undefined, { directTransfers });
  if (asking !== request.owner) {
    throw new AppError("INVALID_FID_OWNER", `The owner is not the custody address of fid ${request.fid}.`);
  }
  if (reservedNames.has(request.name)) {
    throw new AppError("USERNAME_RESERVED", `The name ${request.name} is reserved.`);
  }
  if (!isSigned) throw await explainSignature(nameDomain, request);
  if (isTaking(request) && consent !== undefined) {
    if (!giving || !(await isSignedBy(giving, describeConsent(nameDomain, request), consent)))
      throw refuseConsent();
  }
  checkName(request.name);
}

async function explainSignature(
  domain: NameDomain,
  request: Pick<ClaimRequest, "name" | "owner" | "timestamp" | "signature">,
): Promise<AppError> {
  const isLive = domain.verifyingContract === liveNameDomain.verifyingContract;
  const message =
    !isLive && (await isSignedBy(request.owner, describeClaim(liveNameDomain, request), request.signature))
      ? "The claim is signed under the live registry's domain. Sign it under this registry's, which GET /signer tells; NAME_DOMAIN=live would take such claims."
      : "The signature is not the owner's over this claim. GET /signer tells the domain to sign under.";
  return new AppError("INVALID_SIGNATURE", message);
}

/** Whether the owner signed the claim; computed when what was asked of the database meanwhile has left this thread. */
export async function isClaimSigned(
  { nameDomain }: NetworkSettings,
  request: ClaimRequest,
): Promise<boolean> {
  await setImmediate();
  return isSignedBy(request.owner, describeClaim(nameDomain, request), request.signature);
}
