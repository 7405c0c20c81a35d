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
  .meta({ description: "Token of the request: `0x` and 24 hex digits" });

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
/** Schemes that execute or display content themselves, or send secrets unencrypted. */
const refusedSchemes = new Set(["javascript:", "data:", "file:", "http:", "blob:", "vbscript:", "about:"]);

/**
 * The request's signature does not cover it, so anyone who learns the signature early can post the request with another
 * address. The approval page therefore only shows it as a link after the answer.
 */
const RedirectUrl = Text.max(longestRedirect).refine(
  (text) => URL.canParse(text) && !refusedSchemes.has(new URL(text).protocol),
  {
    message: "must be an https address or use an application's own scheme",
  },
);

/** Only the live services return the last two: here such a request is deleted. */
export const KeyRequestState = z.enum(["pending", "approved", "completed", "denied", "failed"]);

export const SignedKeyRequest = z.object({
  token: z.string(),
  deeplinkUrl: z.string(),
  key: z.string(),
  state: KeyRequestState,
  userFid: Fid.optional(),
});
export type SignedKeyRequest = z.infer<typeof SignedKeyRequest>;

/** The question to the user, as the approval page shows it. */
export const KeyQuestion = SignedKeyRequest.extend({
  requestFid: Fid,
  /** The requesting application's name, if it has one. */
  requestName: z.string().optional(),
  deadline: Seconds,
  /** The deadline, but at most thirty days after the request. */
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
    summary: "Request permission for an application's key to sign for a user",
    input: z.object({
      key: Key,
      requestFid: decimal(Fid),
      deadline: decimal(Seconds.max(Number.MAX_SAFE_INTEGER)),
      signature: Hex.describe("EIP-712, by the custody address of requestFid"),
      redirectUrl: RedirectUrl.optional(),
      sponsorship: z
        .object({
          sponsorFid: decimal(Fid),
          signature: Hex.describe("EIP-191 signature of the bytes of the request's signature"),
        })
        .optional(),
    }),
    result: z.object({ signedKeyRequest: SignedKeyRequest }),
  }),
  get: endpoint({
    method: "GET",
    path: "/v2/signed-key-request",
    refusals: ["not_found"],
    summary: "The state of a signed key request; expired and refused ones are not found",
    input: z.object({ token: Token }),
    result: z.object({ signedKeyRequest: SignedKeyRequest }),
  }),
};

const Answer = z.object({ token: Token, userFid: decimal(Fid), answer: z.enum(["approve", "refuse"]) });

/** Our own endpoints for the approval page. */
export const signedKeyAnswers = {
  question: endpoint({
    method: "GET",
    path: "/signed-key-request/question",
    refusals: ["not_found"],
    summary: "The question to the user",
    input: z.object({ token: Token }),
    result: KeyQuestion,
  }),
  user: endpoint({
    method: "GET",
    path: "/signed-key-request/user",
    refusals: ["not_found"],
    summary: "The user with this custody address",
    input: z.object({ address: Address }),
    result: z.object({ fid: Fid }),
  }),
  message: endpoint({
    method: "GET",
    path: "/signed-key-request/message",
    refusals: ["not_found"],
    summary: "The answer for the user's wallet to sign with eth_signTypedData_v4",
    input: Answer,
    result: z.object({ typedData: z.string() }),
  }),
  answer: endpoint({
    method: "POST",
    path: "/signed-key-request/answer",
    refusals: ["not_found", "not_permitted"],
    summary: "Approve or refuse, with a signature by the user's custody address",
    input: Answer.extend({ signature: Hex.describe("EIP-712 SignedKeyAnswer") }),
    result: Success,
  }),
};
