// @ts-nocheck
import type { transfers } from "../contract/registry.ts";
import type { ParsedInputOf } from "../contract/endpoint.ts";
import { AppError } from "../errors.ts";
import type { ApiContext } from "./context.ts";
import { isSignedBy, readCustodyAddresses, type Hex } from "./custody.ts";
import { describeClaim, describeConsent } from "../contract/name-claim.ts";
import { checkName, checkParties, isTaking, refuseConsent } from "./domain/name-transfer.ts";

/** The checks of decisions.md ("order of checks") that need no lock, in its order; `owner` in lowercase hex. */
export async function verifyRequest(
  context: ApiContext,
  { from_signature: consent, ...request }: ParsedInputOf<typeof transfers.create> & { owner: Hex },
): Promise<void> {
  checkParties(request, consent !== undefined);
  const { nameDomain, reservedNames } = context.settings;
  // The database is asked while the signature is computed.
  const [custody, isSigned] = await Promise.all([
    readCustodyAddresses(context.database.query, [request.fid, request.from]),
    isSignedBy(request.owner, describeClaim(nameDomain, request), request.signature),
  ]);
  if (custody.get(request.fid) !== request.owner) {
    throw new AppError("INVALID_FID_OWNER", `The owner is not the custody address of fid ${request.fid}.`);
  }
  if (reservedNames.has(request.name)) {
    throw new AppError("USERNAME_RESERVED", `The name ${request.name} is reserved.`);
  }
  if (!isSigned) throw new AppError("INVALID_SIGNATURE", "The signature is not the owner's over this claim.");
  if (isTaking(request) && consent !== undefined) {
    const holder = custody.get(request.from);
    if (!holder || !(await isSignedBy(holder, describeConsent(nameDomain, request), consent)))
      throw refuseConsent();
  }
  checkName(request.name);
}
