import { createHash } from "node:crypto";
import type { BotContext } from "../bot-context.ts";
import { createLease, isUnleased, noLease } from "../database/lease.ts";
import { AppError } from "../errors.ts";
import { toCase, type Case } from "./cases/case.ts";

/*
 * A request that changes something has a row, and its cases refer to it. A repetition with the same Idempotency-Key
 * gets the same answer, even after a crash, because a request that has cases was carried out.
 */

/** A request that may be repeated. */
interface RepeatableRequest {
  tokenId: number;
  key: string;
  /** Method, path and body. */
  content: string;
}

interface Acted {
  cases: readonly Case[];
  message: string;
}

type Parts = Pick<BotContext, "database" | "clock">;

/**
 * Carries out a request once and returns the answer that `write` makes. Throws `request_in_progress` while another
 * process works on it, `idempotency_key_reused` for a different request with its key, and as `run` does if that did nothing.
 */
export async function actOnce(
  parts: Parts,
  request: RepeatableRequest,
  run: (requestId: number) => Promise<string>,
  write: (acted: Acted) => string,
): Promise<{ answer: string; isRepeated: boolean }> {
  const begun = await begin(parts, request);
  if ("answer" in begun) return { answer: begun.answer, isRepeated: true };
  const { id, isRetry, lease } = begun;
  const before = isRetry ? await listCasesOf(parts, id) : [];
  const message =
    before.length > 0 ? "Done before the first answer was lost." : await attempt(parts, begun, run);
  const answer = write({ cases: before.length > 0 ? before : await listCasesOf(parts, id), message });
  await parts.database.query
    .updateTable("castellan.api_requests")
    .set({ answer, ...noLease })
    .where("id", "=", id)
    .where("lease_token", "=", lease)
    .execute();
  return { answer, isRepeated: before.length > 0 };
}

/** A request that failed without a case can be repeated with the same key. */
async function attempt(
  parts: Parts,
  { id, lease }: { id: number; lease: string },
  run: (requestId: number) => Promise<string>,
): Promise<string> {
  try {
    return await run(id);
  } catch (error) {
    const hasCases = (await listCasesOf(parts, id)).length > 0;
    if (hasCases && error instanceof AppError) return error.message;
    if (!hasCases)
      await parts.database.query
        .deleteFrom("castellan.api_requests")
        .where("id", "=", id)
        .where("lease_token", "=", lease)
        .execute();
    throw error;
  }
}

async function begin(
  { database, clock }: Parts,
  { tokenId, key, content }: RepeatableRequest,
): Promise<{ id: number; isRetry: boolean; lease: string } | { answer: string }> {
  const hash = createHash("sha256").update(content).digest("hex");
  const lease = createLease("castellan.api_requests", clock);
  const inserted = await database.query
    .insertInto("castellan.api_requests")
    .values({
      token_id: tokenId,
      idempotency_key: key,
      content_hash: hash,
      answer: null,
      requested_at_ms: clock.now(),
      ...lease,
    })
    .onConflict((conflict) => conflict.columns(["token_id", "idempotency_key"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  if (inserted) return { id: inserted.id, isRetry: false, lease: lease.lease_token };
  const known = await database.query
    .selectFrom("castellan.api_requests")
    .select(["id", "content_hash", "answer"])
    .where("token_id", "=", tokenId)
    .where("idempotency_key", "=", key)
    .executeTakeFirst();
  if (known && known.content_hash !== hash) {
    throw new AppError(
      "idempotency_key_reused",
      "This Idempotency-Key was used for another request. Make a new key for each action.",
    );
  }
  if (known?.answer) return { answer: known.answer };
  const taken = await database.query
    .updateTable("castellan.api_requests")
    .set(lease)
    .where("token_id", "=", tokenId)
    .where("idempotency_key", "=", key)
    .where("answer", "is", null)
    .where(isUnleased(clock))
    .returning("id")
    .executeTakeFirst();
  if (taken) return { id: taken.id, isRetry: true, lease: lease.lease_token };
  throw new AppError(
    "request_in_progress",
    "This request is still being worked on. Send it again in a moment.",
  );
}

async function listCasesOf({ database }: Parts, requestId: number): Promise<Case[]> {
  const rows = await database.query
    .selectFrom("castellan.cases")
    .selectAll()
    .where("api_request_id", "=", requestId)
    .orderBy("id")
    .execute();
  return rows.map(toCase);
}
