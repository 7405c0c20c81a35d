import type { Transfer, transfers } from "../contract/registry.ts";
import type { ParsedInputOf } from "../contract/endpoint.ts";
import { AppError } from "../errors.ts";
import type { ApiContext } from "./context.ts";
import { isSignedBy, lowerHex, readCustodyAddresses } from "./custody.ts";
import { describeClaim, describeConsent } from "../contract/name-claim.ts";
import {
  checkName,
  checkParties,
  isTaking,
  refuseConsent,
  type TransferRequest,
} from "./domain/name-transfer.ts";

/** A request whose parties, signatures and name are right; what is left depends on the registry's state. */
export interface VerifiedRequest extends TransferRequest {
  signatures: Pick<Transfer, "user_signature" | "server_signature">;
}

/** The checks of decisions.md ("order of checks") that need no lock, in its order. */
export async function verifyRequest(
  context: ApiContext,
  input: ParsedInputOf<typeof transfers.create>,
): Promise<VerifiedRequest> {
  const { from_signature: consent, ...request } = { ...input, owner: lowerHex(input.owner) };
  checkParties(request, consent !== undefined);
  const custody = await readCustodyAddresses(context.database.query, [request.fid, request.from]);
  if (custody.get(request.fid) !== request.owner) {
    throw new AppError("INVALID_FID_OWNER", `The owner is not the custody address of fid ${request.fid}.`);
  }
  const { nameDomain, reservedNames } = context.settings;
  if (reservedNames.has(request.name)) {
    throw new AppError("USERNAME_RESERVED", `The name ${request.name} is reserved.`);
  }
  if (!(await isSignedBy(request.owner, describeClaim(nameDomain, request), request.signature))) {
    throw new AppError("INVALID_SIGNATURE", "The signature is not the owner's over this claim.");
  }
  if (isTaking(request) && consent !== undefined) {
    const holder = custody.get(request.from);
    if (!holder || !(await isSignedBy(holder, describeConsent(nameDomain, request), consent)))
      throw refuseConsent();
  }
  checkName(request.name);
  return {
    ...request,
    signatures: {
      user_signature: lowerHex(request.signature),
      server_signature: await context.registry.signClaim(request),
    },
  };
}
