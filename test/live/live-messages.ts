import { createPrivateKey, createPublicKey, sign, type KeyObject } from "node:crypto";
import { blake3 } from "@noble/hashes/blake3.js";

/*
 * Messages as the live network's clients make them: encoded as the protocol's buffers, hashed, and signed by their author's
 * application key. Written from the protocol's own declarations, not with our encoder.
 */

/** Seconds between 1970 and 2021-01-01. */
export const farcasterEpoch = 1_609_459_200;

export type CastBody = {
  embedsDeprecated: string[];
  mentions: number[];
  parentCastId: { fid: number; hash: string } | null;
  parentUrl: string | null;
  text: string;
  embeds: { url: string }[];
  mentionsPositions: number[];
  type: "CAST";
};

type Head = {
  fid: number;
  /** Since 2021-01-01, in seconds. */
  timestamp: number;
};

export type LiveData = Head & {
  network: "FARCASTER_NETWORK_MAINNET";
} & (
    | { type: "MESSAGE_TYPE_CAST_ADD"; castAddBody: CastBody }
    | { type: "MESSAGE_TYPE_CAST_REMOVE"; castRemoveBody: { targetHash: string } }
    | { type: "MESSAGE_TYPE_USER_DATA_ADD"; userDataBody: { type: string; value: string } }
  );

export interface LiveMessage<Data = LiveData> {
  [field: string]: unknown;
  data: Data;
  hash: string;
  hashScheme: "HASH_SCHEME_BLAKE3";
  signature: string;
  signatureScheme: "SIGNATURE_SCHEME_ED25519";
  signer: string;
}

/** The message with its hash and its author's signature. */
export function signHubMessage<Data extends LiveData>(data: Data): LiveMessage<Data> {
  const hash = Buffer.from(blake3(encodeData(data), { dkLen: 20 }));
  const { secret, key } = applicationKey(data.fid);
  return {
    data,
    hash: `0x${hash.toString("hex")}`,
    hashScheme: "HASH_SCHEME_BLAKE3",
    signature: sign(null, hash, secret).toString("base64"),
    signatureScheme: "SIGNATURE_SCHEME_ED25519",
    signer: key,
  };
}

const keys = new Map<number, { secret: KeyObject; key: string }>();
/** What stands before the 32 bytes of an Ed25519 key in PKCS #8. */
const prefix = Buffer.from("302e020100300506032b657004220420", "hex");

/** The key that somebody's application has, the same in every run: the fid in 64 hex digits is its secret. */
export function applicationKey(fid: number): { secret: KeyObject; key: string } {
  const known = keys.get(fid);
  if (known) return known;
  const seed = Buffer.from(fid.toString(16).padStart(64, "0"), "hex");
  const secret = createPrivateKey({ key: Buffer.concat([prefix, seed]), format: "der", type: "pkcs8" });
  const { x = "" } = createPublicKey(secret).export({ format: "jwk" });
  const made = { secret, key: `0x${Buffer.from(x, "base64url").toString("hex")}` };
  keys.set(fid, made);
  return made;
}

const userDataTypes = new Map(
  ["", "PFP", "DISPLAY", "BIO", "", "URL", "USERNAME"].map((name, type) => [`USER_DATA_TYPE_${name}`, type]),
);

function encodeData(data: LiveData): Buffer {
  const head = (type: number): Field[] => [
    [1, type],
    [2, data.fid],
    [3, data.timestamp],
    [4, 1],
  ];
  switch (data.type) {
    case "MESSAGE_TYPE_CAST_ADD":
      return encode(...head(1), [5, encodeCast(data.castAddBody)]);
    case "MESSAGE_TYPE_CAST_REMOVE":
      return encode(...head(2), [6, encode([1, Buffer.from(data.castRemoveBody.targetHash, "base64")])]);
    case "MESSAGE_TYPE_USER_DATA_ADD": {
      const { type, value } = data.userDataBody;
      return encode(...head(11), [12, encode([1, userDataTypes.get(type) ?? 0], [2, value])]);
    }
  }
}

/** In the order in which the protocol's library for JavaScript writes the fields. */
function encodeCast({ parentCastId: parent, ...body }: CastBody): Buffer {
  return encode(
    [2, Buffer.concat(body.mentions.map(varint))],
    [3, parent && encode([1, parent.fid], [2, Buffer.from(parent.hash.slice(2), "hex")])],
    [7, body.parentUrl],
    [4, body.text],
    [5, Buffer.concat(body.mentionsPositions.map(varint))],
    ...body.embeds.map(({ url }): Field => [6, encode([1, url])]),
  );
}

/** Numbers and texts are left out where they are empty; bytes, which may be a list without entries, are not. */
type Field = [field: number, value: number | string | Buffer | null];

function encode(...fields: Field[]): Buffer {
  const parts = fields.flatMap(([field, value]) => {
    if (value === null || value === 0 || value === "") return [];
    if (typeof value === "number") return [varint(field * 8), varint(value)];
    const bytes = typeof value === "string" ? Buffer.from(value) : value;
    return [varint(field * 8 + 2), varint(bytes.length), bytes];
  });
  return Buffer.concat(parts);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Buffer.from([...bytes, Number(rest)]);
}
