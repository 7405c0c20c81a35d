import { recover, signRecoverable } from "tiny-secp256k1";
import { bytesToHex, keccak256, type Hex } from "viem";

/** Half of the order of the curve. No wallet makes a signature whose s is above it (EIP-2). */
const highestS = Buffer.from("7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0", "hex");

/**
 * The address, in lower case, of the key that signed these 32 bytes; undefined where no key did. A signature is r, s (32
 * bytes each, big-endian, s in the lower half) and v, which is 0, 1, 27 or 28.
 */
export function recoverAddress(digest: Uint8Array, signature: Uint8Array): Hex | undefined {
  const v = signature[64];
  if (signature.length !== 65 || (v !== 0 && v !== 1 && v !== 27 && v !== 28)) return undefined;
  // Of every signature anyone can make a second one for the same bytes, whose s is high.
  if (Buffer.compare(signature.subarray(32, 64), highestS) > 0) return undefined;
  const key = recoverKey(digest, signature.subarray(0, 64), v === 0 || v === 27 ? 0 : 1);
  return key && `0x${keccak256(key.subarray(1)).slice(-40)}`;
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
