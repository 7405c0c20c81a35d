import type { Hex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import type { RegistrySigner } from "./context.ts";
import { describeClaim, type NameDomain } from "../contract/name-claim.ts";

/** The registry's own signature over the claims that it accepts. */
export function createRegistrySigner(privateKey: Hex, domain: NameDomain): RegistrySigner {
  const account = privateKeyToAccount(privateKey);
  return {
    address: account.address,
    domain,
    signClaim: (claim) => account.signTypedData(describeClaim(domain, claim)),
  };
}
