import { createPrivateKey, createPublicKey, sign } from "node:crypto";
import { pointFromScalar, recover, signRecoverable } from "tiny-secp256k1";
import {
  bytesToHex,
  concat,
  domainSeparator,
  getAddress,
  hashMessage,
  hashStruct,
  hashTypedData,
  hexToBytes,
  keccak256,
} from "viem";
import type { describeKeyAnswer, describeKeyRequest } from "../contract/key-request.ts";
import type { describeClaim, describeConsent, NameDomain } from "../contract/name-claim.ts";

export type Hex = `0x${string}`;

/** Signs name proofs as the registry. */
export interface RegistrySigner {
  /** Checksummed address. */
  address: Hex;
  domain: NameDomain;
  /** Hashes claims and consents in the registry's domain. */
  hash: ClaimHasher;
  /** Signs such a hash: r, s and v, lowercase hex. */
  sign(digest: Uint8Array): Hex;
}

/** The registry's own signatures on claims that it accepts. */
export function createRegistrySigner(privateKey: Hex, domain: NameDomain): RegistrySigner {
  const key = hexToBytes(privateKey);
  return {
    address: addressOf(privateKey),
    domain,
    hash: createClaimHasher(domain),
    sign: (digest) => signDigest(digest, key),
  };
}

/** Signs messages as an application of a user. */
export interface MessageSigner {
  /** Its public key as registered on the network, in hex. */
  publicKey: string;
  /** Ed25519 signature of a message's hash (0x and hex), in base64. */
  sign(hash: string): string;
}

/** The PKCS #8 prefix of an Ed25519 private key. */
const pkcs8Head = Buffer.from("302e020100300506032b657004220420", "hex");

/** `privateKey`: 32 bytes in hex, without 0x. */
export function createMessageSigner(privateKey: string): MessageSigner {
  const der = Buffer.concat([pkcs8Head, Buffer.from(privateKey, "hex")]);
  const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  const { x = "" } = createPublicKey(key).export({ format: "jwk" });
  return {
    publicKey: `0x${Buffer.from(x, "base64url").toString("hex")}`,
    sign: (hash) => sign(null, Buffer.from(hash.slice(2), "hex"), key).toString("base64"),
  };
}

/** The 32 bytes to sign for a claim or consent (EIP-712). */
export type ClaimHasher = (message: ReturnType<typeof describeClaim | typeof describeConsent>) => Uint8Array;

/** Hashes messages of this domain; the domain's own hash is computed once. */
export function createClaimHasher(domain: NameDomain): ClaimHasher {
  const domainHash = domainSeparator({ domain });
  return ({ message, primaryType, types }) => {
    // A union of message types, each complete.
    const struct = { data: message, primaryType, types } as Parameters<typeof hashStruct>[0];
    return keccak256(concat(["0x1901", domainHash, hashStruct(struct)]), "bytes");
  };
}

/** The 32 bytes to sign for a signed key request or the answer to it (EIP-712). */
export function hashKeyMessage(
  message: ReturnType<typeof describeKeyRequest | typeof describeKeyAnswer>,
): Uint8Array {
  return hexToBytes(hashTypedData(message as Parameters<typeof hashTypedData>[0]));
}

/** The 32 bytes to sign for plain bytes (EIP-191). */
export function hashBytes(bytes: string): Uint8Array {
  return hashMessage({ raw: lowerHex(bytes) }, "bytes");
}

/** The checksummed address of a wallet's private key. Throws if it is not a valid key. */
export function addressOf(privateKey: Hex): Hex {
  const key = pointFromScalar(hexToBytes(privateKey), false);
  if (!key) throw new TypeError("the private key is not valid for the curve");
  return getAddress(addressOfPoint(key));
}

/** In lower case; `point` is the uncompressed public key: 65 bytes. */
function addressOfPoint(point: Uint8Array): Hex {
  return `0x${keccak256(point.subarray(1)).slice(-40)}`;
}

/** Whether the address signed this hash; `address` in lowercase hex, `signature` in hex with 0x. */
export function isSignedBy(address: Hex, digest: Uint8Array, signature: string): boolean {
  return recoverAddress(digest, Buffer.from(signature.slice(2), "hex")) === address;
}

/** Half the order of the curve. No wallet makes a signature with a larger s (EIP-2). */
const highestS = Buffer.from("7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0", "hex");

/**
 * The address, in lower case, of the key that signed these 32 bytes; undefined if there is none. A signature is r and s
 * (32 bytes each, big-endian, s in the lower half) and v, which is 0, 1, 27 or 28.
 */
export function recoverAddress(digest: Uint8Array, signature: Uint8Array): Hex | undefined {
  const v = signature[64];
  if (signature.length !== 65 || (v !== 0 && v !== 1 && v !== 27 && v !== 28)) return undefined;
  // From any signature, anyone can make a second one with a high s for the same bytes.
  if (Buffer.compare(signature.subarray(32, 64), highestS) > 0) return undefined;
  const key = recoverKey(digest, signature.subarray(0, 64), v === 0 || v === 27 ? 0 : 1);
  return key && addressOfPoint(key);
}

function recoverKey(digest: Uint8Array, signature: Uint8Array, recoveryId: 0 | 1): Uint8Array | undefined {
  try {
    return recover(digest, signature, recoveryId, false) ?? undefined;
  } catch {
    // One of the numbers is 0, or not below the order.
    return undefined;
  }
}

/** Signs 32 bytes with a nonce by RFC 6979; v is 27 or 28. */
export function signDigest(digest: Uint8Array, privateKey: Uint8Array): Hex {
  const { signature, recoveryId } = signRecoverable(digest, privateKey);
  return bytesToHex(Buffer.concat([signature, Buffer.of(27 + recoveryId)]));
}

/** The contract's schemas admit only 0x and hex digits. */
export function lowerHex(text: string): Hex {
  return text.toLowerCase() as Hex;
}
