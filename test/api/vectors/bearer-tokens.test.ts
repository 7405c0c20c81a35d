import { generateKeyPairSync, sign } from "node:crypto";
import { Point, verifyAsync } from "@noble/ed25519";
import nacl from "tweetnacl";
import { beforeEach, describe, expect, it } from "vitest";
import { createApi } from "../../../src/api/create-api.ts";
import { bytesOf, challengeOf, numberOf, opensslVerifies, order } from "../../support/ed25519.ts";
import { useTestContext } from "../../support/test-cases.ts";

const fid = 7;
const unsigned = "The bearer token has a signature that does not match its key.";

const context = await useTestContext();
const api = createApi(context);
beforeEach(() => context.database.truncate());

const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** What a token of this key signs; `salt` makes another text of it. */
function textOf(key: Uint8Array, salt = 0): Buffer {
  const exp = Math.floor(context.clock.now() / 1000) + 300;
  const header = encode({ fid, type: "app_key", key: `0x${hexOf(key)}` });
  return Buffer.from(`${header}.${encode({ exp, salt })}`);
}

/** The fid that a token proves whose key is registered, or why it is refused. */
async function outcome(key: Uint8Array, text: Buffer, signature: Uint8Array): Promise<unknown> {
  await context.database.query
    .insertInto("network.app_keys")
    .values({ fid, key: `0x${hexOf(key)}` })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const token = `${text.toString()}.${Buffer.from(signature).toString("base64url")}`;
  return api
    .authenticate(`Bearer ${token}`)
    .catch((error: unknown) => (error instanceof Error ? error.message : error));
}

interface Signer {
  key: Uint8Array;
  sign: (text: Uint8Array) => Uint8Array;
}

function createOpensslSigner(): Signer {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const key = Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url");
  return { key, sign: (text) => sign(null, text, privateKey) };
}

function createNaclSigner(): Signer {
  const { publicKey, secretKey } = nacl.sign.keyPair();
  return { key: publicKey, sign: (text) => nacl.sign.detached(text, secretKey) };
}

describe.each([
  ["OpenSSL", createOpensslSigner],
  ["TweetNaCl", createNaclSigner],
])("a bearer token that %s signed", (_, createSigner) => {
  it("proves its fid", async () => {
    const { key, sign } = createSigner();
    const text = textOf(key);
    expect(await outcome(key, text, sign(text))).toBe(fid);
  });

  it("is refused with another key's signature, or over another text", async () => {
    const { key, sign } = createSigner();
    const text = textOf(key);
    expect(await outcome(key, text, createSigner().sign(text))).toBe(unsigned);
    expect(await outcome(key, text, sign(textOf(key, 1)))).toBe(unsigned);
  });

  it("is refused with the order added to S, which TweetNaCl lets pass", async () => {
    const { key, sign } = createSigner();
    const text = textOf(key);
    const signature = sign(text);
    const moved = bytesOf(numberOf(signature.subarray(32)) + order);
    const forged = Uint8Array.from([...signature.subarray(0, 32), ...moved]);
    expect(nacl.sign.detached.verify(text, forged, key)).toBe(true);
    expect(await outcome(key, text, forged)).toBe(unsigned);
  });
});

/** The points of orders 1, 2, 4 and 8, each as RFC 8032 writes it. */
const smallPoints = [
  `01${"00".repeat(31)}`,
  `ec${"ff".repeat(30)}7f`,
  "00".repeat(32),
  `${"00".repeat(31)}80`,
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
];
/** Some of them again, with a y that is not reduced or a sign of zero. */
const oddEncodings = [
  `01${"00".repeat(30)}80`,
  `ec${"ff".repeat(31)}`,
  `ed${"ff".repeat(30)}7f`,
  `ed${"ff".repeat(31)}`,
  `ee${"ff".repeat(30)}7f`,
  `ee${"ff".repeat(31)}`,
];
const identity = bytesOf(1n);
const bytesIn = (hex: string) => Uint8Array.from(Buffer.from(hex, "hex"));
/** A point of order 8, and an honest key with its secret number. */
const torsion = Point.fromHex(smallPoints[4] ?? "");
const secret = 0x1234_5678_9abc_def0n;
const honest = Point.BASE.multiply(secret);

/** A text for which the challenge is as it should be. */
function findText(key: Uint8Array, r: Uint8Array, fits: (challenge: bigint) => boolean) {
  for (let salt = 0; ; salt += 1) {
    const text = textOf(key, salt);
    const challenge = challengeOf(r, key, text);
    if (fits(challenge)) return { text, challenge };
  }
}

describe("a bearer token that ZIP-215 would accept", () => {
  it.each([...smallPoints, ...oddEncodings])(
    "is refused under the key %s of small order, which OpenSSL accepts too",
    async (hex) => {
      const key = bytesIn(hex);
      const { text } = findText(key, identity, (challenge) => challenge % 8n === 0n);
      const signature = Uint8Array.from([...identity, ...bytesOf(0n)]);
      expect(await verifyAsync(signature, text, key)).toBe(true);
      expect(opensslVerifies(signature, text, key)).toBe(true);
      expect(await outcome(key, text, signature)).toBe(unsigned);
    },
  );

  it.each(oddEncodings)("is refused with R written as %s", async (hex) => {
    const key = honest.toBytes();
    const { text, challenge } = findText(key, bytesIn(hex), () => true);
    const signature = Uint8Array.from([...bytesIn(hex), ...bytesOf((challenge * secret) % order)]);
    expect(await verifyAsync(signature, text, key)).toBe(true);
    expect(await outcome(key, text, signature)).toBe(unsigned);
  });

  it.each([
    ["a key", honest.add(torsion), Point.BASE.multiply(99n)],
    ["an R", honest, Point.BASE.multiply(99n).add(torsion)],
    ["a key and an R", honest.add(torsion), Point.BASE.multiply(99n).add(torsion)],
  ])("is refused with %s of mixed order, where only the cofactor hides it", async (_, keyPoint, rPoint) => {
    const [key, r] = [keyPoint.toBytes(), rPoint.toBytes()];
    const hidden = ({ text, challenge }: { text: Buffer; challenge: bigint }) => ({
      text,
      signature: Uint8Array.from([...r, ...bytesOf((99n + challenge * secret) % order)]),
    });
    const { text, signature } = hidden(findText(key, r, (challenge) => challenge % 8n === 1n));
    expect(await verifyAsync(signature, text, key, { zip215: false })).toBe(true);
    expect(await outcome(key, text, signature)).toBe(unsigned);
  });
});
