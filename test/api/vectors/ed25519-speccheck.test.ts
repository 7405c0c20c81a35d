import { verifyAsync } from "@noble/ed25519";
import { describe, expect, it } from "vitest";
import { isTokenSigned } from "../../../src/api/authenticate.ts";
import { opensslVerifies } from "../../support/ed25519.ts";

interface Vector {
  what: string;
  text: string;
  key: string;
  signature: string;
  /** Who accepts it: us, OpenSSL, ZIP-215. */
  accepted: { here: boolean; openssl: boolean; zip215: boolean };
}

const small = "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa";
const mixed = "f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43";
const mixedToo = "cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d";
const honest = "442aad9f089ad9e14647b1ef9099a1ff4798d78589e66f28eca69c11f582a623";
const oddlyWritten = `ec${"ff".repeat(31)}`;

/** The twelve of ed25519-speccheck, from "Taming the many EdDSAs" (Chalkias, Garillot, Nikolaenko; Apache-2.0). */
const speccheck: Vector[] = [
  {
    what: "0: S of 0, A and R of small order",
    text: "8c93255d71dcab10e8f379c26200f3c7bd5f09d9bc3068d3ef4edeb4853022b6",
    key: small,
    signature:
      "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a0000000000000000000000000000000000000000000000000000000000000000",
    accepted: { here: false, openssl: true, zip215: true },
  },
  {
    what: "1: A of small order, R mixed",
    text: "9bd9f44f4dcc75bd531b56b2cd280b0bb38fc1cd6d1230e14861d861de092e79",
    key: small,
    signature:
      "f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43a5bb704786be79fc476f91d3f3f89b03984d8068dcf1bb7dfc6637b45450ac04",
    accepted: { here: false, openssl: true, zip215: true },
  },
  {
    what: "2: A mixed, R of small order",
    text: "aebf3f2601a0c8c5d39cc7d8911642f740b78168218da8471772b35f9d35b9ab",
    key: mixed,
    signature:
      "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa8c4bd45aecaca5b24fb97bc10ac27ac8751a7dfe1baff8b953ec9f5833ca260e",
    accepted: { here: true, openssl: true, zip215: true },
  },
  {
    what: "3: A and R mixed",
    text: "9bd9f44f4dcc75bd531b56b2cd280b0bb38fc1cd6d1230e14861d861de092e79",
    key: mixedToo,
    signature:
      "9046a64750444938de19f227bb80485e92b83fdb4b6506c160484c016cc1852f87909e14428a7a1d62e9f22f3d3ad7802db02eb2e688b6c52fcd6648a98bd009",
    accepted: { here: true, openssl: true, zip215: true },
  },
  {
    what: "4: A and R mixed, right with the cofactor alone",
    text: "e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec4011eaccd55b53f56c",
    key: mixedToo,
    signature:
      "160a1cb0dc9c0258cd0a7d23e94d8fa878bcb1925f2c64246b2dee1796bed5125ec6bc982a269b723e0668e540911a9a6a58921d6925e434ab10aa7940551a09",
    accepted: { here: false, openssl: false, zip215: true },
  },
  {
    what: "5: the same, and wrong where 8h is reduced first",
    text: "e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec4011eaccd55b53f56c",
    key: mixedToo,
    signature:
      "21122a84e0b5fca4052f5b1235c80a537878b38f3142356b2c2384ebad4668b7e40bc836dac0f71076f9abe3a53f9c03c1ceeeddb658d0030494ace586687405",
    accepted: { here: false, openssl: false, zip215: true },
  },
  {
    what: "6: S above the order",
    text: "85e241a07d148b41e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec40",
    key: honest,
    signature:
      "e96f66be976d82e60150baecff9906684aebb1ef181f67a7189ac78ea23b6c0e547f7690a0e2ddcd04d87dbc3490dc19b3b3052f7ff0538cb68afb369ba3a514",
    accepted: { here: false, openssl: false, zip215: false },
  },
  {
    what: "7: S far above the order",
    text: "85e241a07d148b41e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec40",
    key: honest,
    signature:
      "8ce5b96c8f26d0ab6c47958c9e68b937104cd36e13c33566acd2fe8d38aa19427e71f98a473474f2f13f06f97c20d58cc3f54b8bd0d272f42b695dd7e89a8c22",
    accepted: { here: false, openssl: false, zip215: false },
  },
  {
    what: "8: R small and oddly written, hashed as reduced",
    text: "9bedc267423725d473888631ebf45988bad3db83851ee85c85e241a07d148b41",
    key: mixed,
    signature:
      "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff03be9678ac102edcd92b0210bb34d7428d12ffc5df5f37e359941266a4e35f0f",
    accepted: { here: false, openssl: false, zip215: false },
  },
  {
    what: "9: R small and oddly written, hashed as it is",
    text: "9bedc267423725d473888631ebf45988bad3db83851ee85c85e241a07d148b41",
    key: mixed,
    signature:
      "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffca8c5b64cd208982aa38d4936621a4775aa233aa0505711d8fdcfdaa943d4908",
    accepted: { here: false, openssl: false, zip215: true },
  },
  {
    what: "10: A small and oddly written, hashed as reduced",
    text: "e96b7021eb39c1a163b6da4e3093dcd3f21387da4cc4572be588fafae23c155b",
    key: oddlyWritten,
    signature:
      "a9d55260f765261eb9b84e106f665e00b867287a761990d7135963ee0a7d59dca5bb704786be79fc476f91d3f3f89b03984d8068dcf1bb7dfc6637b45450ac04",
    accepted: { here: false, openssl: false, zip215: true },
  },
  {
    what: "11: A small and oddly written, hashed as it is",
    text: "39a591f5321bbe07fd5a23dc2f39d025d74526615746727ceefd6e82ae65c06f",
    key: oddlyWritten,
    signature:
      "a9d55260f765261eb9b84e106f665e00b867287a761990d7135963ee0a7d59dca5bb704786be79fc476f91d3f3f89b03984d8068dcf1bb7dfc6637b45450ac04",
    accepted: { here: false, openssl: true, zip215: true },
  },
];

/** RFC 8032, section 7.1. */
const rfc8032: Vector[] = [
  {
    what: "TEST 1",
    text: "",
    key: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
    signature:
      "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    accepted: { here: true, openssl: true, zip215: true },
  },
  {
    what: "TEST 2",
    text: "72",
    key: "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
    signature:
      "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    accepted: { here: true, openssl: true, zip215: true },
  },
  {
    what: "TEST 3",
    text: "af82",
    key: "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
    signature:
      "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    accepted: { here: true, openssl: true, zip215: true },
  },
];

const bytesIn = (hex: string) => Uint8Array.from(Buffer.from(hex, "hex"));

describe("the signature of a token, by known vectors", () => {
  it.each([...rfc8032, ...speccheck])("$what", async ({ accepted, ...vector }) => {
    const [text, key, signature] = [bytesIn(vector.text), bytesIn(vector.key), bytesIn(vector.signature)];
    expect({
      here: isTokenSigned({ key: `0x${vector.key}`, signed: text, signature }),
      openssl: opensslVerifies(signature, text, key),
      zip215: await verifyAsync(signature, text, key),
    }).toEqual(accepted);
  });
});
