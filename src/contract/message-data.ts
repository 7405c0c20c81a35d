import { blake3 } from "@noble/hashes/blake3.js";
import { messageEpoch } from "./values.ts";

/** A message's signed data in the JSON of hubs, for the types of messages that the embedded network knows. */
export type MessageData = MessageHead & (CastAdd | CastRemove | UserDataAdd);

type MessageHead = {
  fid: number;
  /** Seconds since 2021-01-01. */
  timestamp: number;
  network: keyof typeof networks;
};

type CastAdd = { type: "MESSAGE_TYPE_CAST_ADD"; castAddBody: CastAddBody };
type CastAddBody = {
  embedsDeprecated: string[];
  mentions: number[];
  parentCastId: { fid: number; hash: string } | null;
  parentUrl: string | null;
  text: string;
  embeds: { url: string }[];
  /** In bytes of the text. */
  mentionsPositions: number[];
  type: CastType;
};
type CastType = keyof typeof castTypes;
type CastRemove = {
  type: "MESSAGE_TYPE_CAST_REMOVE";
  castRemoveBody: {
    /** In base64, unlike all other hashes. */
    targetHash: string;
  };
};
type UserDataAdd = {
  type: "MESSAGE_TYPE_USER_DATA_ADD";
  userDataBody: { type: "USER_DATA_TYPE_USERNAME"; value: string };
};

/** The content of a cast. */
export interface CastContent {
  fid: number;
  /** UNIX seconds. */
  timestamp: number;
  text: string;
  mentions: readonly number[];
  embeds: readonly { url: string }[];
  parentUrl?: string | undefined;
  parent?: { fid: number; hash: string } | undefined;
}

/** Enum numbers of the encoding. */
const messageTypes = {
  MESSAGE_TYPE_CAST_ADD: 1,
  MESSAGE_TYPE_CAST_REMOVE: 2,
  MESSAGE_TYPE_USER_DATA_ADD: 11,
} as const;
export const castTypes = { CAST: 0, LONG_CAST: 1, TEN_K_CAST: 2 } as const;
export const networks = {
  FARCASTER_NETWORK_MAINNET: 1,
  FARCASTER_NETWORK_TESTNET: 2,
  FARCASTER_NETWORK_DEVNET: 3,
} as const;
const usernameType = 6;

export function describeCast({ parent, parentUrl, ...cast }: CastContent): MessageData {
  return {
    type: "MESSAGE_TYPE_CAST_ADD",
    ...headOf(cast),
    castAddBody: {
      embedsDeprecated: [],
      mentions: [...cast.mentions],
      parentCastId: parent ? { fid: parent.fid, hash: parent.hash } : null,
      parentUrl: parentUrl ?? null,
      text: cast.text,
      embeds: cast.embeds.map(({ url }) => ({ url })),
      mentionsPositions: cast.mentions.map(() => 0),
      type: castTypeOf(cast.text),
    },
  };
}

/** Data of a cast's removal; `timestamp` in UNIX seconds. */
export function describeRemoval(removal: {
  fid: number;
  timestamp: number;
  targetHash: string;
}): MessageData {
  const targetHash = Buffer.from(removal.targetHash.slice(2), "hex").toString("base64");
  return { type: "MESSAGE_TYPE_CAST_REMOVE", ...headOf(removal), castRemoveBody: { targetHash } };
}

/** Data that sets a user's name; `timestamp` in UNIX seconds. */
export function describeUsername(said: { fid: number; timestamp: number; name: string }): MessageData {
  const userDataBody = { type: "USER_DATA_TYPE_USERNAME", value: said.name } as const;
  return { type: "MESSAGE_TYPE_USER_DATA_ADD", ...headOf(said), userDataBody };
}

function headOf({ fid, timestamp }: { fid: number; timestamp: number }): MessageHead {
  return { fid, timestamp: timestamp - messageEpoch, network: "FARCASTER_NETWORK_DEVNET" };
}

/** By length in bytes, as hubs require. */
function castTypeOf(text: string): CastType {
  const length = Buffer.byteLength(text);
  if (length <= 320) return "CAST";
  return length <= 1024 ? "LONG_CAST" : "TEN_K_CAST";
}

/** A message's hash, which identifies it everywhere: the first 20 bytes of BLAKE3, in hex. */
export function hashMessageData(data: MessageData, layout?: Layout): string {
  return `0x${Buffer.from(blake3(encodeMessageData(data, layout), { dkLen: 20 })).toString("hex")}`;
}

/** The choices that protobuf leaves to a library. */
export interface Layout {
  /** Empty number lists are written. */
  emptyLists: boolean;
  /** The parent's URL comes before the text, like the parent's id; otherwise after it, by its field number. */
  parentUrlFirst: boolean;
}

/** The layouts of the protocol's own JavaScript library, of Rust's, and of libraries that order by field number. */
export const layouts: readonly [Layout, ...Layout[]] = [
  { emptyLists: true, parentUrlFirst: true },
  { emptyLists: false, parentUrlFirst: true },
  { emptyLists: false, parentUrlFirst: false },
];

/**
 * The bytes to hash: protobuf, by default in the layout of the protocol's own JavaScript library, which clients use to
 * hash and verify messages in JSON. Default values are omitted.
 */
export function encodeMessageData(data: MessageData, layout: Layout = layouts[0]): Uint8Array {
  return Buffer.concat([
    encodeNumber(1, messageTypes[data.type]),
    encodeNumber(2, data.fid),
    encodeNumber(3, data.timestamp),
    encodeNumber(4, networks[data.network]),
    encodeBody(data, layout),
  ]);
}

function encodeBody(data: MessageData, layout: Layout): Uint8Array {
  switch (data.type) {
    case "MESSAGE_TYPE_CAST_ADD":
      return encodeBytes(5, encodeCastAddBody(data.castAddBody, layout));
    case "MESSAGE_TYPE_CAST_REMOVE":
      return encodeBytes(6, encodeBytes(1, Buffer.from(data.castRemoveBody.targetHash, "base64")));
    case "MESSAGE_TYPE_USER_DATA_ADD": {
      const value = Buffer.from(data.userDataBody.value);
      return encodeBytes(12, Buffer.concat([encodeNumber(1, usernameType), encodeBytes(2, value)]));
    }
  }
}

function encodeCastAddBody(body: CastAddBody, { emptyLists, parentUrlFirst }: Layout): Uint8Array {
  const { parentCastId, parentUrl, text } = body;
  const numbers = (field: number, values: readonly number[]) =>
    values.length > 0 || emptyLists ? encodeNumbers(field, values) : noBytes;
  const url = parentUrl === null ? noBytes : encodeBytes(7, Buffer.from(parentUrl));
  return Buffer.concat([
    ...body.embedsDeprecated.map((each) => encodeBytes(1, Buffer.from(each))),
    numbers(2, body.mentions),
    parentCastId ? encodeBytes(3, encodeCastId(parentCastId)) : noBytes,
    parentUrlFirst ? url : noBytes,
    text === "" ? noBytes : encodeBytes(4, Buffer.from(text)),
    numbers(5, body.mentionsPositions),
    ...body.embeds.map((each) => encodeBytes(6, encodeBytes(1, Buffer.from(each.url)))),
    parentUrlFirst ? noBytes : url,
    encodeNumber(8, castTypes[body.type]),
  ]);
}

function encodeCastId({ fid, hash }: { fid: number; hash: string }): Uint8Array {
  return Buffer.concat([encodeNumber(1, fid), encodeBytes(2, Buffer.from(hash.slice(2), "hex"))]);
}

const noBytes = new Uint8Array();

/** Omitted if it is 0, the default. */
function encodeNumber(field: number, value: number): Uint8Array {
  return value === 0 ? noBytes : Buffer.from([field * 8, ...varint(value)]);
}

/** Several numbers, packed; an empty list has no bytes. */
function encodeNumbers(field: number, values: readonly number[]): Uint8Array {
  return encodeBytes(field, Buffer.from(values.flatMap(varint)));
}

function encodeBytes(field: number, bytes: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from([field * 8 + 2, ...varint(bytes.length)]), bytes]);
}

/** Seven bits per byte, lowest first; with arithmetic instead of bit operations, because fids have up to 53 bits. */
function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return [...bytes, rest];
}
