import { recoverMessageAddress, recoverTypedDataAddress, type RecoverTypedDataAddressParameters } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import type { describeKeyAnswer, describeKeyRequest } from "../contract/key-request.ts";
import { describeClaim, type describeConsent, type NameDomain } from "../contract/name-claim.ts";
import type { RegistrySigner } from "./context.ts";

export type Hex = `0x${string}`;

/** The registry's own signature over the claims that it accepts. */
export function createRegistrySigner(privateKey: Hex, domain: NameDomain): RegistrySigner {
  const account = privateKeyToAccount(privateKey);
  return {
    address: account.address,
    domain,
    signClaim: (claim) => account.signTypedData(describeClaim(domain, claim)),
  };
}

/** What custody addresses sign (EIP-712). */
type TypedData = ReturnType<
  typeof describeClaim | typeof describeConsent | typeof describeKeyRequest | typeof describeKeyAnswer
>;

/** Whether the address signed the message; `address` in lowercase hex. */
export function isSignedBy(address: Hex, message: TypedData, signature: string): Promise<boolean> {
  // A union of messages, each of which is whole by itself.
  const parameters = { ...message, signature: lowerHex(signature) } as RecoverTypedDataAddressParameters;
  return recovers(address, signature, () => recoverTypedDataAddress(parameters));
}

/** Whether the address signed these bytes (EIP-191). */
export function isMessageSignedBy(address: Hex, bytes: string, signature: string): Promise<boolean> {
  const message = { raw: lowerHex(bytes) };
  return recovers(address, signature, () =>
    recoverMessageAddress({ message, signature: lowerHex(signature) }),
  );
}

/** Half of the order of secp256k1. No wallet makes a signature whose s is above it (EIP-2). */
const highestS = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

async function recovers(address: Hex, signature: string, recover: () => Promise<string>): Promise<boolean> {
  if (signature.length !== 2 + 2 * 65) return false;
  // Of every signature anyone can make a second one for the same message, whose s is high.
  if (BigInt(`0x${signature.slice(66, 130)}`) > highestS) return false;
  try {
    return lowerHex(await recover()) === address;
  } catch {
    // No curve point belongs to these bytes.
    return false;
  }
}

/** The contract's schemas let nothing else than 0x and hex digits through. */
export function lowerHex(text: string): Hex {
  return text.toLowerCase() as Hex;
}
