import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { bytesToHex, recoverAddress as recoverByViem } from "viem";
import { privateKeyToAccount, sign as signByViem } from "viem/accounts";
import { expect, it } from "vitest";
import { recoverAddress, signDigest } from "../../src/api/signatures.ts";
import { soak } from "../support/services.ts";

/** With SOAK=334 a hundred thousand, which were compared when the library was chosen. */
const cases = 300 * Number(soak ?? 1);
const timeoutMs = soak === undefined ? undefined : 3_600_000;
const runs = { numRuns: cases, ...(soak === undefined && { seed: 20 }) };

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const halfOrder = order >> 1n;

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const privateKeys = fc.bigInt(1n, order - 1n).map((key) => Buffer.from(toHex(key), "hex"));
/** r, s and v as numbers, which may be none of a signature. */
const edges = fc.constantFrom(
  0n,
  1n,
  halfOrder,
  halfOrder + 1n,
  order - 1n,
  order,
  order + 1n,
  2n ** 256n - 1n,
);

interface Parts {
  r: bigint;
  s: bigint;
  v: number;
}
/** What is done to a signature before it is read. */
const changes: fc.Arbitrary<(parts: Parts) => Parts> = fc.oneof(
  { weight: 4, arbitrary: fc.constant((parts: Parts) => parts) },
  fc.constant(({ r, s, v }: Parts) => ({ r, s: order - s, v: 55 - v })),
  fc.constant(({ r, s, v }: Parts) => ({ r, s, v: v - 27 })),
  fc.constant(({ r, s, v }: Parts) => ({ r, s, v: 55 - v })),
  fc.nat(255).map((v) => (parts: Parts) => ({ ...parts, v })),
  fc.nat(255).map((bit) => (parts: Parts) => ({ ...parts, r: parts.r ^ (1n << BigInt(bit)) })),
  fc.nat(255).map((bit) => (parts: Parts) => ({ ...parts, s: parts.s ^ (1n << BigInt(bit)) })),
  edges.map((r) => (parts: Parts) => ({ ...parts, r })),
  edges.map((s) => (parts: Parts) => ({ ...parts, s })),
);

function toHex(number: bigint): string {
  return number.toString(16).padStart(64, "0");
}

/** The implementation before, in JavaScript. */
async function recoverSlowly(digest: Uint8Array, signature: Uint8Array): Promise<string | undefined> {
  const hex = bytesToHex(signature);
  if (hex.length !== 2 + 2 * 65 || BigInt(`0x${hex.slice(66, 130)}`) > halfOrder) return undefined;
  try {
    return (await recoverByViem({ hash: bytesToHex(digest), signature: hex })).toLowerCase();
  } catch {
    return undefined;
  }
}

it(
  "recovers what viem recovers, of signatures as they are and changed",
  async () => {
    const seen = { recovered: 0, refused: 0 };
    const property = fc.asyncProperty(privateKeys, bytes(32), changes, async (key, digest, change) => {
      const signed = signDigest(digest, key).slice(2);
      const parts = { r: BigInt(`0x${signed.slice(0, 64)}`), s: BigInt(`0x${signed.slice(64, 128)}`) };
      const { r, s, v } = change({ ...parts, v: Number(`0x${signed.slice(128)}`) });
      const signature = Buffer.from(toHex(r) + toHex(s) + v.toString(16).padStart(2, "0"), "hex");
      const address = recoverAddress(digest, signature);
      expect(address).toBe(await recoverSlowly(digest, signature));
      seen[address ? "recovered" : "refused"] += 1;
    });
    await fc.assert(property, runs);
    expect(Math.min(seen.recovered, seen.refused)).toBeGreaterThan(cases / 10);
  },
  timeoutMs,
);

it(
  "signs as viem signs, byte by byte",
  async () => {
    const property = fc.asyncProperty(privateKeys, bytes(32), async (key, digest) => {
      const signature = signDigest(digest, key);
      expect(signature).toBe(
        await signByViem({ hash: bytesToHex(digest), privateKey: bytesToHex(key), to: "hex" }),
      );
      const owner = privateKeyToAccount(bytesToHex(key)).address.toLowerCase();
      expect(recoverAddress(digest, Buffer.from(signature.slice(2), "hex"))).toBe(owner);
    });
    await fc.assert(property, runs);
  },
  timeoutMs,
);

it("reads no address from anything else than 65 bytes", () => {
  for (const length of [0, 1, 32, 63, 64, 66, 130]) {
    expect(recoverAddress(randomBytes(32), randomBytes(length))).toBeUndefined();
  }
});
