// @ts-nocheck
import type { ParsedInputOf } from "../contract/endpoint.ts";
import { describeKeyRequest } from "../contract/key-request.ts";
import type { signedKeyRequests } from "../contract/signed-keys.ts";
import { seconds } from "../clock.ts";
import { AppError } from "../errors.ts";
import type { ApiContext } from "./context.ts";
import { isMessageSignedBy, isSignedBy, lowerHex, readCustodyAddresses } from "./custody.ts";

type KeyRequestInput = ParsedInputOf<typeof signedKeyRequests.create>;

/** In-app credits that a sponsor must hold; they are not debited (decisions.md). */
const sponsorCredits = 100;

/** Deadline, signature and sponsorship of a new request. */
export async function verifyKeyRequest(context: ApiContext, input: KeyRequestInput): Promise<void> {
  const { requestFid, deadline, signature, sponsorship } = input;
  if (deadline <= seconds(context.clock)) {
    throw new AppError("invalid_request", "deadline: is over", { instancePath: "/deadline" });
  }
  const fids = sponsorship ? [requestFid, sponsorship.sponsorFid] : [requestFid];
  const custody = await readCustodyAddresses(context.database.query, fids);
  const owner = custody.get(requestFid);
  const request = { requestFid, deadline, key: lowerHex(input.key) };
  const message = describeKeyRequest(context.settings.keyRequestDomain, request);
  if (!owner || !(await isSignedBy(owner, message, signature))) {
    throw new AppError("not_permitted", `The signature is not of the custody address of fid ${requestFid}.`, {
      instancePath: "/signature",
    });
  }
  if (sponsorship) await verifySponsorship(context, input, sponsorship, custody.get(sponsorship.sponsorFid));
}

async function verifySponsorship(
  { database }: ApiContext,
  { signature }: KeyRequestInput,
  sponsorship: NonNullable<KeyRequestInput["sponsorship"]>,
  sponsor: `0x${string}` | undefined,
): Promise<void> {
  if (!sponsor || !(await isMessageSignedBy(sponsor, signature, sponsorship.signature))) {
    throw new AppError(
      "not_permitted",
      `The sponsorship is not signed by the custody address of fid ${sponsorship.sponsorFid}.`,
      { instancePath: "/sponsorship/signature" },
    );
  }
  const { credit_balance: balance } = await database.query
    .selectFrom("network.accounts")
    .select("credit_balance")
    .where("fid", "=", sponsorship.sponsorFid)
    .executeTakeFirstOrThrow();
  if (balance >= sponsorCredits) return;
  throw new AppError(
    "insufficient_credits",
    `A sponsor needs ${sponsorCredits} credits; fid ${sponsorship.sponsorFid} has ${balance}.`,
  );
}
