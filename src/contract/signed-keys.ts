import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { Address, Fid, Hex, Seconds, Success, Text } from "./values.ts";

/** An Ed25519 public key, lower-cased. */
const Key = z
  .string()
  .toLowerCase()
  .regex(/^0x[0-9a-f]{64}$/, "must be 0x and 64 hex digits")
  .meta({ description: "Ed25519 public key: `0x` and 64 hex digits" });

const Token = z
  .string()
  .toLowerCase()
  .regex(/^0x[0-9a-f]{24}$/, "must be 0x and 24 hex digits")
  .meta({ description: "Names the request: `0x` and 24 hex digits" });

/** A number, or its decimal text. */
const decimal = (number: z.ZodType<number, number>) =>
  z
    .union([
      z.number(),
      z
        .string()
        .regex(/^[1-9][0-9]{0,15}$/, "must be a decimal number")
        .transform(Number),
    ])
    .pipe(number);

const longestRedirect = 2048;
/** Schemes that run or show something by themselves, or carry secrets in the clear. */
const refusedSchemes = new Set(["javascript:", "data:", "file:", "http:", "blob:", "vbscript:", "about:"]);

/**
 * The signature of a request does not cover it: somebody who learns the signature early can post the request with another
 * address. So the approval page only offers it as a link after the answer.
 */
const RedirectUrl = Text.max(longestRedirect).refine(
  (text) => URL.canParse(text) && !refusedSchemes.has(new URL(text).protocol),
  {
    message: "must be an https address or one of an application's own scheme",
  },
);

/** The last two are answered by the live services alone: here such a request is gone. */
export const KeyRequestState = z.enum(["pending", "approved", "completed", "denied", "failed"]);

export const SignedKeyRequest = z.object({
  token: z.string(),
  deeplinkUrl: z.string(),
  key: z.string(),
  state: KeyRequestState,
  userFid: Fid.optional(),
});
export type SignedKeyRequest = z.infer<typeof SignedKeyRequest>;

/** What a user is asked, as the approval page shows it. */
export const KeyQuestion = SignedKeyRequest.extend({
  requestFid: Fid,
  /** The requesting application's name, where it has one. */
  requestName: z.string().optional(),
  deadline: Seconds,
  /** The deadline, or thirty days after the request where that is earlier. */
  answerUntil: Seconds,
  redirectUrl: z.string().optional(),
  sponsored: z.boolean(),
});
export type KeyQuestion = z.infer<typeof KeyQuestion>;

export const signedKeyRequests = {
  create: endpoint({
    method: "POST",
    path: "/v2/signed-key-request",
    refusals: ["not_permitted", "insufficient_credits"],
    aliases: ["/v2/signed-key-requests"],
    clientPath: "/v2/signed-key-requests",
    summary: "An application asks that its key may sign for a user",
    input: z.object({
      key: Key,
      requestFid: decimal(Fid),
      deadline: decimal(Seconds.max(Number.MAX_SAFE_INTEGER)),
      signature: Hex.describe("EIP-712, by the custody address of requestFid"),
      redirectUrl: RedirectUrl.optional(),
      sponsorship: z
        .object({
          sponsorFid: decimal(Fid),
          signature: Hex.describe("EIP-191 over the bytes of the request's signature"),
        })
        .optional(),
    }),
    result: z.object({ signedKeyRequest: SignedKeyRequest }),
  }),
  get: endpoint({
    method: "GET",
    path: "/v2/signed-key-request",
    refusals: ["not_found"],
    summary: "How a signed key request stands; expired and refused ones are gone",
    input: z.object({ token: Token }),
    result: z.object({ signedKeyRequest: SignedKeyRequest }),
  }),
};

const Answer = z.object({ token: Token, userFid: decimal(Fid), answer: z.enum(["approve", "refuse"]) });

/** What the approval page does; our own. */
export const signedKeyAnswers = {
  question: endpoint({
    method: "GET",
    path: "/signed-key-request/question",
    refusals: ["not_found"],
    summary: "What the user is asked",
    input: z.object({ token: Token }),
    result: KeyQuestion,
  }),
  user: endpoint({
    method: "GET",
    path: "/signed-key-request/user",
    refusals: ["not_found"],
    summary: "The user whose custody address this is",
    input: z.object({ address: Address }),
    result: z.object({ fid: Fid }),
  }),
  message: endpoint({
    method: "GET",
    path: "/signed-key-request/message",
    refusals: ["not_found"],
    summary: "What the user's wallet signs to answer, as eth_signTypedData_v4 takes it",
    input: Answer,
    result: z.object({ typedData: z.string() }),
  }),
  answer: endpoint({
    method: "POST",
    path: "/signed-key-request/answer",
    refusals: ["not_found", "not_permitted"],
    summary: "The user approves or refuses, by a signature of their custody address",
    input: Answer.extend({ signature: Hex.describe("EIP-712 SignedKeyAnswer") }),
    result: Success,
  }),
};
