import { randomBytes } from "node:crypto";
import { getTypesForEIP712Domain, serializeTypedData, type TypedDataDefinition } from "viem";
import type { ParsedInputOf } from "../../contract/endpoint.ts";
import { describeKeyAnswer, describeKeyRequest, type KeyAnswer } from "../../contract/key-request.ts";
import { signedKeyAnswers, signedKeyRequests, type SignedKeyRequest } from "../../contract/signed-keys.ts";
import { seconds } from "../../clock.ts";
import type { Queryable } from "../../database/database.ts";
import { AppError } from "../../errors.ts";
import type { ApiContext } from "../context.ts";
import { endOf, longestWait } from "../domain/signed-key-request.ts";
import { implement, read, write, type ReadScope } from "../operation.ts";
import { hashBytes, hashKeyMessage, isSignedBy, lowerHex, type Hex } from "../signatures.ts";
import { readCustodyAddresses } from "../store/accounts.ts";
import {
  addAppKey,
  findPendingRequest,
  lockKeyRequest,
  requireKeyRequest,
  type KeyRequestRow,
  type VisibleState,
} from "../store/signed-key-requests.ts";

export const signedKeyRequestsOperations = implement(signedKeyRequests, {
  create: write(async ({ context, db, now }, { key, requestFid, deadline, redirectUrl, sponsorship }) => {
    // The lock makes the second of two simultaneous equal requests find the first.
    await db
      .selectFrom("network.accounts")
      .select("fid")
      .where("fid", "=", requestFid)
      .forUpdate()
      .executeTakeFirstOrThrow();
    const known = await findPendingRequest(db, { requestFid, key, now });
    const row =
      known ??
      (await db
        .insertInto("network.signed_key_requests")
        .values({
          token: `0x${randomBytes(12).toString("hex")}`,
          key,
          request_fid: requestFid,
          deadline,
          redirect_url: redirectUrl ?? null,
          sponsor_fid: sponsorship?.sponsorFid ?? null,
          created_at: now,
        })
        .returningAll()
        .executeTakeFirstOrThrow());
    return { signedKeyRequest: toKeyRequest(context, row, "pending") };
  }, verifyKeyRequest),

  get: read(async ({ context, db, now }, { token }) => {
    const { row, state } = await requireKeyRequest(db, token, now);
    return { signedKeyRequest: toKeyRequest(context, row, state) };
  }),
});

type KeyRequestInput = ParsedInputOf<typeof signedKeyRequests.create>;

/** In-app credits that a sponsor must have; they are not debited. */
const sponsorCredits = 100;

/** Checks a new request's deadline, signature and sponsorship. */
async function verifyKeyRequest({ context, db, now }: ReadScope, input: KeyRequestInput): Promise<void> {
  const { requestFid, deadline, signature, sponsorship } = input;
  if (deadline <= now) {
    throw new AppError("invalid_request", "deadline: has passed", { instancePath: "/deadline" });
  }
  const fids = sponsorship ? [requestFid, sponsorship.sponsorFid] : [requestFid];
  const custody = await readCustodyAddresses(db, fids);
  const owner = custody.get(requestFid);
  const request = { requestFid, deadline, key: lowerHex(input.key) };
  const message = describeKeyRequest(context.settings.keyRequestDomain, request);
  if (!owner || !isSignedBy(owner, hashKeyMessage(message), signature)) {
    throw new AppError("not_permitted", `The signature is not by the custody address of fid ${requestFid}.`, {
      instancePath: "/signature",
    });
  }
  if (sponsorship) await verifySponsorship(db, input, sponsorship, custody.get(sponsorship.sponsorFid));
}

async function verifySponsorship(
  db: Queryable,
  { signature }: KeyRequestInput,
  sponsorship: NonNullable<KeyRequestInput["sponsorship"]>,
  sponsor: Hex | undefined,
): Promise<void> {
  if (!sponsor || !isSignedBy(sponsor, hashBytes(signature), sponsorship.signature)) {
    throw new AppError(
      "not_permitted",
      `The sponsorship is not signed by the custody address of fid ${sponsorship.sponsorFid}.`,
      { instancePath: "/sponsorship/signature" },
    );
  }
  const { credit_balance: balance } = await db
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

export const signedKeyAnswersOperations = implement(signedKeyAnswers, {
  question: read(async ({ context, db, now }, { token }) => {
    const { row, state } = await requireKeyRequest(db, token, now);
    const named = await db
      .selectFrom("network.names")
      .select("name")
      .where("fid", "=", row.request_fid)
      .executeTakeFirst();
    return {
      ...toKeyRequest(context, row, state),
      requestFid: row.request_fid,
      ...(named && { requestName: named.name }),
      deadline: row.deadline,
      answerUntil: endOf(row),
      ...(row.redirect_url !== null && { redirectUrl: row.redirect_url }),
      sponsored: row.sponsor_fid !== null,
    };
  }),

  user: read(async ({ db }, { address }) => {
    const account = await db
      .selectFrom("network.accounts")
      .select("fid")
      .where((eb) => eb(eb.fn<string>("lower", ["custody_address"]), "=", lowerHex(address)))
      .orderBy("fid")
      .executeTakeFirst();
    if (account) return account;
    throw new AppError("not_found", "No user of this network has this wallet.");
  }),

  message: read(async ({ context, db, now }, answer) => {
    const { row } = await requireKeyRequest(db, answer.token, now);
    const message = answerMessage(context, row, answer);
    const types = { EIP712Domain: getTypesForEIP712Domain({ domain: message.domain }), ...message.types };
    const definition: TypedDataDefinition = { ...message, types };
    return { typedData: serializeTypedData(definition) };
  }),

  answer: write(
    async ({ context, db, now }, { token, userFid, answer }) => {
      const { row, state } = await lockKeyRequest(db, token, now);
      if (state !== "pending") {
        // The same answer again, for example after a lost response.
        if (answer === "approve" && row.user_fid === userFid) return { success: true };
        throw new AppError("not_permitted", "This request has already been approved.");
      }
      const completedAt = answer === "approve" ? now + context.settings.keyConfirmation : null;
      if (completedAt !== null) await addAppKey(db, userFid, row.key, completedAt);
      await db
        .updateTable("network.signed_key_requests")
        .set({ answer, user_fid: userFid, answered_at: now, completed_at: completedAt })
        .where("token", "=", token)
        .execute();
      return { success: true };
    },
    async ({ context, db, now }, { signature, ...answer }) => {
      const { userFid } = answer;
      const { row } = await requireKeyRequest(db, answer.token, now);
      const owner = (await readCustodyAddresses(db, [userFid])).get(userFid);
      const message = answerMessage(context, row, answer);
      if (owner && isSignedBy(owner, hashKeyMessage(message), signature)) return;
      throw new AppError("not_permitted", `The signature is not by the custody address of fid ${userFid}.`, {
        instancePath: "/signature",
      });
    },
  ),
});

function answerMessage(
  { settings }: ApiContext,
  { request_fid: requestFid, key, deadline }: KeyRequestRow,
  answer: { token: string; userFid: number; answer: KeyAnswer },
) {
  return describeKeyAnswer(settings.keyRequestDomain, {
    ...answer,
    requestFid,
    key: lowerHex(key),
    deadline,
  });
}

function toKeyRequest({ settings }: ApiContext, row: KeyRequestRow, state: VisibleState): SignedKeyRequest {
  return {
    token: row.token,
    deeplinkUrl: `${settings.deeplinkScheme}://signed-key-request?token=${row.token}`,
    key: row.key,
    state,
    ...(row.user_fid !== null && { userFid: row.user_fid }),
  };
}

/** Seconds that an expired or refused request remains visible to the operator. */
const keptAfterEnd = 7 * 24 * 3600;

/** Deletes requests that nobody can answer or read; returns their number. For a scheduled job. */
export async function pruneKeyRequests({ database, clock }: ApiContext): Promise<number> {
  const over = seconds(clock) - keptAfterEnd;
  const { numDeletedRows } = await database.query
    .deleteFrom("network.signed_key_requests")
    .where((eb) =>
      eb.or([
        eb.and([eb("answer", "is", null), eb("deadline", "<", over)]),
        eb.and([eb("answer", "is", null), eb("created_at", "<", over - longestWait)]),
        eb.and([eb("answer", "=", "refuse"), eb("answered_at", "<", over)]),
      ]),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
