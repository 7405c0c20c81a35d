import { z } from "zod";

/** Integers in queries are digits without sign or leading zero; in-process callers pass the number. */
const digits = /^[1-9][0-9]{0,15}$/;
const digitsOrZero = /^(0|[1-9][0-9]{0,15})$/;

/** A user account: 1 to 2^53 - 1. In a body it must be a number. */
export const Fid = z
  .int()
  .min(1)
  .max(Number.MAX_SAFE_INTEGER)
  .meta({ description: "Numeric identifier of a user", examples: [3621] });

/** 0 stands for "nobody" in name transfers. */
export const FidOrZero = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

export const FidDigits = z
  .string()
  .regex(digits, "must be a whole number, at least 1, in digits")
  .transform(Number)
  .pipe(Fid);

/** A fid in a query: `7` or `"7"`. */
export const FidText = z.union([Fid, FidDigits]);

/** A stream position in a query: like a fid, but may be 0. */
export const PositionText = z.union([
  FidOrZero,
  z
    .string()
    .regex(digitsOrZero, "must be a whole number, at least 0, in digits")
    .transform(Number)
    .pipe(FidOrZero),
]);

export const Seconds = z
  .int()
  .min(0)
  .meta({ description: "UNIX time in seconds", examples: [1_700_000_000] });

/** 2021-01-01T00:00:00Z in UNIX seconds, the epoch of message timestamps. */
export const messageEpoch = 1_609_459_200;
const lastMessageTime = messageEpoch + 2 ** 32 - 1;

/** UNIX seconds up to the last message that the protocol can date, in 2157. Milliseconds, a frequent mistake, are later. */
export const GivenSeconds = Seconds.max(lastMessageTime, "must be in seconds, not milliseconds");

/** When a message was made, in UNIX seconds. */
export const MessageSeconds = GivenSeconds.min(messageEpoch, "must be 2021 or later");

export const ChannelId = z
  .string()
  .regex(/^[0-9a-z][0-9a-z-]{0,15}$/, "must be 1 to 16 of a-z, 0-9 and -, not starting with -")
  .meta({ description: "Id of a channel: 1 to 16 of a-z, 0-9 and -", examples: ["memes"] });

/** A cast's hash, lower-cased. */
export const CastHash = z
  .string()
  .toLowerCase()
  .regex(/^0x[0-9a-f]{40}$/, "must be 0x and 40 hex digits")
  .meta({
    description: "Hash of a cast: `0x` and 40 hex digits",
    examples: ["0x71d5225f77e0164388b1d4c120825f3a2c1f131c"],
  });

/** An Ethereum address in hex, as stored (any case). */
export const Address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, "must be 0x and 40 hex digits")
  .meta({
    description: "Ethereum address: `0x` and 40 hex digits",
    examples: ["0x8773442740C17C9d0F0B87022c722F9a136206eD"],
  });

export const Hex = z
  .string()
  .regex(/^0x([0-9a-fA-F]{2})*$/, "must be 0x and pairs of hex digits")
  .meta({ description: "Bytes: `0x` and pairs of hex digits", examples: ["0xb7181760"] });

/** Text that JSON and the database store unchanged: no NUL, no unpaired surrogate. */
export const Text = z.string().regex(/^[^\0\p{Cs}]*$/u, "must be text without NUL");

export const Role = z.enum(["member", "moderator"]);
export type Role = z.infer<typeof Role>;

/** The result of the client API's mutating calls. */
export const Success = z.object({ success: z.literal(true) });
export type Success = z.infer<typeof Success>;

/** Entries per page; larger requests are reduced to the maximum (`parsePage` in api/create-api.ts). */
export const usualPaging = { default: 100, max: 1000 } as const;
export const largePaging = { default: 500, max: 1000 } as const;
