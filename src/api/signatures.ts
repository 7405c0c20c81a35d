import { concat, domainSeparator, hashMessage, hashStruct, hashTypedData, hexToBytes, keccak256 } from "viem";
import { privateKeyToAddress } from "viem/accounts";
import type { describeKeyAnswer, describeKeyRequest } from "../contract/key-request.ts";
import type { describeClaim, describeConsent, NameDomain } from "../contract/name-claim.ts";
import { recoverAddress, signDigest } from "./secp256k1.ts";

export type Hex = `0x${string}`;

/** Signs name proofs as the registry. */
export interface RegistrySigner {
  /** Checksummed address. */
  address: Hex;
  domain: NameDomain;
  /** Of claims and consents in its domain. */
  hash: ClaimHasher;
  /** Signature over such a hash: r, s and v, lowercase hex. */
  sign(digest: Uint8Array): Hex;
}

/** The registry's own signatures over the claims that it accepts. */
export function createRegistrySigner(privateKey: Hex, domain: NameDomain): RegistrySigner {
  const key = hexToBytes(privateKey);
  return {
    address: privateKeyToAddress(privateKey),
    domain,
    hash: createClaimHasher(domain),
    sign: (digest) => signDigest(digest, key),
  };
}

/** What is signed of a claim or consent (EIP-712): 32 bytes. */
export type ClaimHasher = (message: ReturnType<typeof describeClaim | typeof describeConsent>) => Uint8Array;

/** For messages of this domain alone, whose own hash is made once. */
export function createClaimHasher(domain: NameDomain): ClaimHasher {
  const domainHash = domainSeparator({ domain });
  return ({ message, primaryType, types }) => {
    // A union of messages, each of which is whole by itself.
    const struct = { data: message, primaryType, types } as Parameters<typeof hashStruct>[0];
    return keccak256(concat(["0x1901", domainHash, hashStruct(struct)]), "bytes");
  };
}

/** What is signed of a signed key request or of the answer to it (EIP-712): 32 bytes. */
export function hashKeyMessage(
  message: ReturnType<typeof describeKeyRequest | typeof describeKeyAnswer>,
): Uint8Array {
  return hexToBytes(hashTypedData(message as Parameters<typeof hashTypedData>[0]));
}

/** What is signed of bytes by themselves (EIP-191): 32 bytes. */
export function hashBytes(bytes: string): Uint8Array {
  return hashMessage({ raw: lowerHex(bytes) }, "bytes");
}

/** Whether the address signed what has this hash; `address` in lowercase hex, `signature` in hex with 0x. */
export function isSignedBy(address: Hex, digest: Uint8Array, signature: string): boolean {
  return recoverAddress(digest, Buffer.from(signature.slice(2), "hex")) === address;
}

/** The contract's schemas let nothing else than 0x and hex digits through. */
export function lowerHex(text: string): Hex {
  return text.toLowerCase() as Hex;
}
