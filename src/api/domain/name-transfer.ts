import type { Transfer } from "../../contract/registry.ts";
import { AppError } from "../../errors.ts";

export interface TransferRequest {
  name: string;
  from: number;
  to: number;
  /** Who asks. */
  fid: number;
  /** Custody address of `fid`, lower-case. */
  owner: string;
  /** UNIX seconds. */
  timestamp: number;
}

/** Custody addresses of who asks and of who gives, lower-case. */
export interface PartyAddresses {
  asking?: `0x${string}` | undefined;
  giving?: `0x${string}` | undefined;
}

/** What the registry knows of a request's name and parties. */
export interface RegistryState {
  /** The transfer that recorded the same claim: owner, name and timestamp. */
  claimed?: Transfer | undefined;
  /** The name's last transfer. */
  latest?: Transfer | undefined;
  /** Another name that `to` has. */
  nameOfTarget?: string | undefined;
}

export interface RegistryRules {
  claimTolerance: number;
  transferThrottle: number;
}

/** Who may ask: one of the two parties; a receiver needs the signature of the one who gives the name away. */
export function checkParties(
  { from, to, fid }: TransferRequest,
  hasConsent: boolean,
  { directTransfers }: { directTransfers: boolean },
): void {
  if (fid !== from && fid !== to) {
    throw new AppError("UNAUTHORIZED", "Only the fid that gives the name and the one that gets it may ask.");
  }
  if (!directTransfers && from !== 0 && to !== 0) {
    throw new AppError(
      "UNAUTHORIZED",
      "This registry moves no name from one fid to another: release it, then the other registers it.",
    );
  }
  if (isTaking({ from, fid }) && !hasConsent) throw refuseConsent();
}

/** Whether somebody asks for a name that another has. */
export function isTaking({ from, fid }: Pick<TransferRequest, "from" | "fid">): boolean {
  return from !== 0 && fid !== from;
}

export function refuseConsent(): AppError {
  return new AppError(
    "UNAUTHORIZED",
    "The fid that has the name must sign the transfer: send from_signature.",
  );
}

export const isName = (name: string) => /^[a-z0-9][a-z0-9-]{0,15}$/.test(name);

export function checkName(name: string): void {
  if (!isName(name)) {
    throw new AppError("INVALID_USERNAME", "A name is 1 to 16 of a-z, 0-9 and -, not starting with -.");
  }
}

/**
 * The checks of decisions.md that need the registry's state, in its order. Gives the existing transfer when this very
 * request was done before, or when it registers a name anew for its holder, whose first answer may be lost; nothing when
 * it is to be recorded now. Throws where it is refused.
 */
export function decideTransfer(
  request: TransferRequest,
  state: RegistryState,
  now: number,
  rules: RegistryRules,
): Transfer | undefined {
  const { claimed, latest } = state;
  if (claimed && claimed.from === request.from && claimed.to === request.to) return claimed;
  const { from, to, timestamp } = request;
  if (latest && from === 0 && to !== 0 && to === latest.to && timestamp > latest.timestamp && !claimed) {
    return latest;
  }
  // A claim signs neither from nor to: used twice, anyone could repost it with himself as `to`.
  if (claimed) throw new AppError("INVALID_TIMESTAMP", "This claim was used before. Sign a new one.");
  if (to !== 0 && state.nameOfTarget !== undefined) {
    throw new AppError("TOO_MANY_NAMES", `fid ${to} has the name ${state.nameOfTarget} already.`);
  }
  if (Math.abs(timestamp - now) > rules.claimTolerance) {
    throw new AppError("INVALID_TIMESTAMP", "The timestamp is too far from the registry's clock.");
  }
  checkHolder(request, latest?.to ?? 0);
  if (latest && timestamp <= latest.timestamp) {
    throw new AppError("INVALID_TIMESTAMP", "The timestamp is not later than the name's last transfer.");
  }
  if (latest && latest.timestamp + rules.transferThrottle > timestamp) {
    throw new AppError("THROTTLED", `The name ${request.name} was transferred a short while ago. Try later.`);
  }
  return undefined;
}

/** `holder` is the fid that has the name, 0 when nobody has. */
function checkHolder({ name, from, to }: TransferRequest, holder: number): void {
  if (from !== 0 && holder === 0) {
    throw new AppError("USERNAME_NOT_FOUND", `The name ${name} is not registered.`);
  }
  if (holder !== from || from === to) {
    throw new AppError("USERNAME_TAKEN", `The name ${name} is registered to fid ${holder}.`);
  }
}
