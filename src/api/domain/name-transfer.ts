import type { Transfer } from "../../contract/registry.ts";
import { AppError } from "../../errors.ts";

export interface TransferRequest {
  name: string;
  from: number;
  to: number;
  /** The fid that sends the request. */
  fid: number;
  /** Custody address of `fid`, lower-case. */
  owner: string;
  /** UNIX seconds. */
  timestamp: number;
}

/** The facts that a request is checked against, besides its own content. */
export interface TransferFacts {
  /** The requesting fid's custody address, lower-case. */
  custodyAddress?: string | undefined;
  /** The owner signed the claim under this registry's domain. */
  isSigned: boolean;
  /** The owner signed it under the live registry's domain instead. Checked only for the requesting fid. */
  isSignedForLive: boolean;
  /** Whether the current holder signed its consent; checked only if the claim itself is signed. */
  consent: "absent" | "invalid" | "signed";
  /** The transfer that recorded the same claim: owner, name and timestamp. */
  claimed?: Transfer | undefined;
  /** The name's last transfer. */
  latest?: Transfer | undefined;
  /** Another name that `to` has. */
  nameOfTarget?: string | undefined;
}

/** Rules that the interface leaves to its operator: see NetworkSettings. */
export interface TransferRules {
  reservedNames: ReadonlySet<string>;
  claimTolerance: number;
  transferThrottle: number;
  directTransfers: boolean;
}

/**
 * Applies every rule of a name transfer, in the order of the interface's checks. Returns the existing transfer if this
 * request was recorded before, or if it registers a name again for its holder, who may have missed the first response;
 * undefined if it should be recorded now. Throws if it is rejected.
 */
export function checkTransfer(
  request: TransferRequest,
  facts: TransferFacts,
  now: number,
  rules: TransferRules,
): Transfer | undefined {
  const { name, from, to, fid, owner, timestamp } = request;
  const { claimed, latest, nameOfTarget, consent } = facts;
  const holder = latest?.to ?? 0;
  const isTaking = from !== 0 && fid !== from;

  if (fid !== from && fid !== to) {
    throw new AppError("UNAUTHORIZED", "Only the fid that gives or receives the name can request this.");
  }
  if (!rules.directTransfers && from !== 0 && to !== 0) {
    throw new AppError(
      "UNAUTHORIZED",
      "This registry does not move names between fids. Release the name, then register it for the other fid.",
    );
  }
  if (isTaking && consent === "absent") throw new AppError("UNAUTHORIZED", needsConsent);
  if (facts.custodyAddress !== owner) {
    throw new AppError("INVALID_FID_OWNER", `The owner is not the custody address of fid ${fid}.`);
  }
  if (rules.reservedNames.has(name)) {
    throw new AppError("USERNAME_RESERVED", `The name ${name} is reserved.`);
  }
  if (!facts.isSigned) {
    throw new AppError("INVALID_SIGNATURE", facts.isSignedForLive ? signedForLive : notSigned);
  }
  if (isTaking && consent === "invalid") throw new AppError("UNAUTHORIZED", needsConsent);
  if (!isName(name)) {
    throw new AppError("INVALID_USERNAME", "A name is 1 to 16 of a-z, 0-9 and -, not starting with -.");
  }
  if (claimed && claimed.from === from && claimed.to === to) return claimed;
  const isHolders = from === 0 && to !== 0 && to === holder;
  if (latest && !claimed && isHolders && timestamp > latest.timestamp) return latest;
  // A claim's signature covers neither from nor to, so anyone could repost it with their own fid as `to`.
  if (claimed) throw new AppError("INVALID_TIMESTAMP", "This claim has already been used. Sign a new one.");
  if (to !== 0 && nameOfTarget !== undefined) {
    throw new AppError("TOO_MANY_NAMES", `fid ${to} already has the name ${nameOfTarget}.`);
  }
  if (Math.abs(timestamp - now) > rules.claimTolerance) {
    throw new AppError("INVALID_TIMESTAMP", "The timestamp is too far from the registry's clock.");
  }
  if (from !== 0 && holder === 0) {
    throw new AppError("USERNAME_NOT_FOUND", `The name ${name} is not registered.`);
  }
  if (holder !== from || from === to) {
    throw new AppError("USERNAME_TAKEN", `The name ${name} is registered to fid ${holder}.`);
  }
  if (latest && timestamp <= latest.timestamp) {
    throw new AppError("INVALID_TIMESTAMP", "The timestamp is not later than the name's last transfer.");
  }
  if (latest && latest.timestamp + rules.transferThrottle > timestamp) {
    throw new AppError("THROTTLED", `The name ${name} was transferred recently. Try later.`);
  }
  return undefined;
}

export const isName = (name: string) => /^[a-z0-9][a-z0-9-]{0,15}$/.test(name);

const needsConsent = "The fid that has the name must sign the transfer: send from_signature.";
const notSigned =
  "The signature is not the owner's signature of this claim. GET /signer returns the domain to sign under.";
const signedForLive =
  "The claim is signed under the live registry's domain. Sign it under this registry's, which GET /signer returns, or set NAME_DOMAIN=live to accept such claims.";
