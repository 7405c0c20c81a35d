import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { Fid, FidDigits, FidText } from "./values.ts";

/** Maximum fids per call. */
export const primaryAddressBatch = 100;

export const Protocol = z.enum(["ethereum", "solana"]);
export type Protocol = z.infer<typeof Protocol>;

export const PrimaryAddress = z.object({ fid: Fid, protocol: Protocol, address: z.string() });
export type PrimaryAddress = z.infer<typeof PrimaryAddress>;

/** One entry of a batch: without an address, `success` is false. */
export const PrimaryAddressEntry = z.object({
  fid: Fid,
  success: z.boolean(),
  address: PrimaryAddress.optional(),
});
export type PrimaryAddressEntry = z.infer<typeof PrimaryAddressEntry>;

/** `1,2,3`: 1 to 100 fids, with or without repetitions. */
const FidList = z
  .string()
  .transform((text) => text.split(","))
  .pipe(z.array(FidDigits).max(primaryAddressBatch, `must be at most ${primaryAddressBatch} fids`));

export const primaryAddresses = {
  get: endpoint({
    method: "GET",
    path: "/fc/primary-address",
    refusals: ["not_found"],
    summary: "A user's preferred wallet address",
    input: z.object({ fid: FidText, protocol: Protocol }),
    result: z.object({ address: PrimaryAddress }),
  }),
  list: endpoint({
    method: "GET",
    path: "/fc/primary-addresses",
    refusals: ["rate_limited"],
    summary: "The same for up to 100 users, in the requested order",
    input: z.object({ fids: FidList, protocol: Protocol }),
    sourceLimit: { calls: 20, seconds: 10 },
    result: z.object({ addresses: z.array(PrimaryAddressEntry) }),
  }),
};
