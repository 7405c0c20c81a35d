import { createPrivateKey, createPublicKey, sign } from "node:crypto";
import { Point } from "@noble/ed25519";
import fc from "fast-check";
import { expect, it } from "vitest";
import { isTokenSigned } from "../../src/api/authenticate.ts";
import { opensslVerifies } from "../support/ed25519.ts";
import { soak } from "../support/services.ts";

/** With SOAK=334 a hundred thousand, which were compared when the check was written. */
const runs = { numRuns: 300 * Number(soak ?? 1), ...(soak === undefined && { seed: 20 }) };
const timeoutMs = soak === undefined ? undefined : 3_600_000;

interface Signed {
  key: Uint8Array;
  text: Uint8Array;
  signature: Uint8Array;
}

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });

/** Signed as everybody does. */
const honest: fc.Arbitrary<Signed> = fc.record({ seed: bytes(32), text: bytes(20) }).map(({ seed, text }) => {
  const prefix = Buffer.from("302e020100300506032b657004220420", "hex");
  const key = createPrivateKey({ key: Buffer.concat([prefix, seed]), format: "der", type: "pkcs8" });
  const spki = createPublicKey(key).export({ format: "der", type: "spki" });
  return { key: spki.subarray(-32), text, signature: sign(null, text, key) };
});

const order8 = Point.fromHex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a");
/** The points of small order, and what comes near the prime of the field, which encodes points anew. */
const oddKeys: fc.Arbitrary<Uint8Array> = fc
  .oneof(
    fc
      .integer({ min: 0, max: 7 })
      .map((times) => (times === 0 ? Point.ZERO.toBytes() : order8.multiplyUnsafe(BigInt(times)).toBytes())),
    fc
      .integer({ min: 0xeb, max: 0xf2 })
      .map((low) => Buffer.from([low, ...Array<number>(30).fill(255), 127])),
    fc.integer({ min: 0, max: 3 }).map((low) => Buffer.from([low, ...Array<number>(31).fill(0)])),
  )
  .chain((key) =>
    fc.boolean().map((flips) => Buffer.from(key).fill(flips ? (key[31] ?? 0) ^ 128 : (key[31] ?? 0), 31)),
  );

/** R = rB and S = r: under a key of small order that fits one text in as many as the order. */
const forged: fc.Arbitrary<Signed> = fc
  .record({ key: oddKeys, text: bytes(20), r: fc.bigInt(1n, 2n ** 200n) })
  .map(({ key, text, r }) => {
    const s = Buffer.from(r.toString(16).padStart(64, "0"), "hex").toReversed();
    return { key, text, signature: Buffer.concat([Point.BASE.multiply(r).toBytes(), s]) };
  });

/** One bit of it flipped, or none. */
const changed = fc
  .tuple(honest, fc.constantFrom("key", "text", "signature", undefined), fc.nat(511))
  .map(([signed, part, bit]): Signed => {
    if (!part) return signed;
    const copy = Buffer.from(signed[part]);
    const at = (bit >> 3) % copy.length;
    copy[at] = (copy[at] ?? 0) ^ (1 << (bit & 7));
    return { ...signed, [part]: copy };
  });

/** As it was checked before: the key's point multiplied by eight, in JavaScript. */
function isSignedSlowly({ key, text, signature }: Signed): boolean {
  try {
    if (Point.fromBytes(key).isSmallOrder()) return false;
  } catch {
    return false;
  }
  return opensslVerifies(signature, text, key);
}

it(
  "a signature is taken, or not, as by a check of the key's point",
  () => {
    const seen = { taken: 0, refused: 0, refusedForKey: 0 };
    const property = fc.property(fc.oneof(changed, forged), (signed) => {
      const { key, text, signature } = signed;
      const here = isTokenSigned({ key: `0x${Buffer.from(key).toString("hex")}`, signed: text, signature });
      expect(here).toBe(isSignedSlowly(signed));
      seen[here ? "taken" : "refused"] += 1;
      if (!here && opensslVerifies(signature, text, key)) seen.refusedForKey += 1;
    });
    fc.assert(property, runs);
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(runs.numRuns / 50);
  },
  timeoutMs,
);
