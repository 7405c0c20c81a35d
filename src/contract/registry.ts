import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { ownNameDomain } from "./name-claim.ts";
import { Address, Fid, FidOrZero, Hex, Seconds } from "./values.ts";

/** interface.md, "Registry transfer"; owner and signatures in lowercase hex. */
export const Transfer = z.object({
  id: z.int().min(1),
  timestamp: Seconds,
  username: z.string(),
  owner: z.string(),
  from: FidOrZero,
  to: FidOrZero,
  user_signature: z.string(),
  server_signature: z.string(),
});
export type Transfer = z.infer<typeof Transfer>;

/** 0, empty or not a number: no filter. Any other number filters, even one outside the valid range. */
const loosePosition = z
  .union([z.number(), z.string()])
  .transform((value) => Number(value))
  .transform((value) => (Number.isNaN(value) || value === 0 ? undefined : value))
  .optional();

const looseName = z
  .string()
  .transform((value) => value.replaceAll("\0", "") || undefined)
  .optional();

export const transfers = {
  list: endpoint({
    interface: "registry",
    method: "GET",
    path: "/transfers",
    summary: "Transfers in ascending order, 100 a page",
    input: z.object({
      from_id: loosePosition,
      fromId: loosePosition,
      name: looseName,
      fname: looseName,
      fid: loosePosition,
      from_ts: loosePosition,
    }),
    result: z.object({ transfers: z.array(Transfer) }),
  }),
  current: endpoint({
    interface: "registry",
    method: "GET",
    path: "/transfers/current",
    refusals: ["not_found"],
    summary: "The latest transfer of a name or a fid",
    input: z
      .object({
        fid: z.union([z.number(), z.string()]).optional(),
        name: looseName,
        fname: looseName,
      })
      .meta({ "x-sample": { name: "alice" } }),
    result: z.object({ transfers: z.array(Transfer), transfer: Transfer }),
  }),
  create: endpoint({
    interface: "registry",
    method: "POST",
    path: "/transfers",
    refusals: [
      "UNAUTHORIZED",
      "INVALID_FID_OWNER",
      "USERNAME_RESERVED",
      "INVALID_SIGNATURE",
      "INVALID_USERNAME",
      "TOO_MANY_NAMES",
      "INVALID_TIMESTAMP",
      "USERNAME_TAKEN",
      "USERNAME_NOT_FOUND",
      "THROTTLED",
    ],
    summary: "Register, transfer or release a name, with a claim signed under the domain of GET /signer",
    input: z
      .object({
        name: z.string(),
        from: FidOrZero.describe("Fid of the current holder; 0 if there is none"),
        to: FidOrZero.describe("Fid of the new holder; 0 releases the name"),
        fid: Fid.describe("The requesting fid: `from` or `to`"),
        owner: Address.describe("Custody address of `fid`"),
        timestamp: Seconds,
        signature: Hex.describe("EIP-712 UserNameProof, by `owner`"),
        from_signature: Hex.describe(
          "EIP-712 UserNameTransfer, by the custody address of `from`; needed if `to` makes the request",
        ).optional(),
      })
      .meta({
        examples: [
          {
            name: "alice",
            from: 0,
            to: 3621,
            fid: 3621,
            owner: "0x8773442740c17c9d0f0b87022c722f9a136206ed",
            timestamp: 1_700_000_000,
            signature: `0x${"1b".repeat(65)}`,
          },
        ],
      }),
    result: z.object({ transfer: Transfer }),
  }),
};

export const registryInfo = {
  signer: endpoint({
    interface: "registry",
    method: "GET",
    path: "/signer",
    summary: "The address that signs server_signature, and the EIP-712 domain of it and of all claims",
    result: z.object({
      signer: Address,
      /** Absent from the live registry, whose domain is known. */
      domain: z
        .object({
          name: z.string(),
          version: z.string(),
          chainId: z.int(),
          verifyingContract: z.templateLiteral(["0x", z.string().regex(/^[0-9a-fA-F]{40}$/)]),
        })
        .meta({ examples: [ownNameDomain] })
        .optional(),
    }),
  }),
  currentTime: endpoint({
    interface: "registry",
    method: "GET",
    path: "/current-time",
    summary: "The registry's clock",
    result: z.object({ currentTime: Seconds }),
  }),
  health: endpoint({
    interface: "registry",
    method: "GET",
    path: "/_health",
    summary: "Whether the registry responds",
    result: z.object({ status: z.literal("ok") }),
  }),
};
