import type { BotContext } from "../../bot-context.ts";
import type { Tx } from "../../database/database.ts";
import type { CodeOutcome } from "../../database/tables/moderation.ts";
import { asAppError } from "../../errors.ts";
import { request } from "../../outbox/request.ts";
import { findChannel } from "../find-target.ts";
import { staffOf } from "../staff.ts";
import { confirmKey } from "./confirm.ts";
import { spendCode } from "./link-codes.ts";
import { recordProof, tryCustody } from "./staff-proofs.ts";

/** Casts with codes still to be judged, with the purpose of each code. */
function openCasts({ database }: BotContext) {
  return database.query
    .selectFrom("castellan.code_casts as cast")
    .innerJoin("castellan.link_codes as asked", "asked.code", "cast.code")
    .select(["cast.cast_hash", "cast.fid", "cast.merged_at", "cast.is_exact", "cast.signer"])
    .select([
      "asked.code",
      "asked.guild_id",
      "asked.channel_id",
      "asked.user_id",
      "asked.room_id",
      "asked.expires_at_ms",
    ])
    .where("cast.judged_at_ms", "is", null)
    .orderBy("cast.merged_at")
    .orderBy("cast.cast_hash");
}
type OpenCast = Awaited<ReturnType<ReturnType<typeof openCasts>["execute"]>>[number];

/** Whether a cast with a code is waiting to be judged. */
export async function hasProofs({ database }: BotContext): Promise<boolean> {
  const open = await database.query
    .selectFrom("castellan.code_casts")
    .select("cast_hash")
    .where("judged_at_ms", "is", null)
    .limit(1)
    .executeTakeFirst();
  return open !== undefined;
}

/**
 * Judges casts with codes: a code proves its owner's rights if it was cast in time, with no other text, from an account
 * that owns or moderates the channel. One that cannot be judged yet delays no other; its error is thrown at the end.
 */
export async function judgeCodeCasts(context: BotContext): Promise<void> {
  const failures: unknown[] = [];
  for (const cast of await openCasts(context).execute()) {
    try {
      await judge(context, cast);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

async function judge(context: BotContext, cast: OpenCast): Promise<void> {
  const found = await findOutcome(context, cast);
  const custody = found === "proven" ? await tryCustody(context, cast.fid) : undefined;
  await context.database.transaction(async (tx) => {
    const held = await lockOpen(tx, cast.cast_hash);
    if (!held) return;
    const outcome = await settle(context, tx, cast, held.is_removed ? "removed" : found);
    const now = context.clock.now();
    await tx
      .updateTable("castellan.code_casts")
      .set({ outcome, judged_at_ms: now })
      .where("cast_hash", "=", cast.cast_hash)
      .execute();
    // A code that was used before is not announced.
    if (outcome !== "spent") {
      const { cast_hash: key, room_id: destination } = cast;
      await request(tx, [{ kind: "proof", key, destination, requestedAtMs: now }]);
    }
    const about = { channelId: cast.channel_id, fid: cast.fid, castHash: cast.cast_hash, outcome };
    if (outcome === "forged") context.log.error(about, "a hub returned a cast that its author did not sign");
    else context.log.info(about, "a code was cast");
    if (outcome !== "proven") return;
    await recordProof(context, tx, {
      guildId: cast.guild_id,
      channelId: cast.channel_id,
      userId: cast.user_id,
      fid: cast.fid,
      method: "cast",
      castHash: cast.cast_hash,
      custodyAddress: custody ?? null,
    });
  });
}

/** The outcome by the cast and the network's data. Throws network errors. */
async function findOutcome(context: BotContext, cast: OpenCast): Promise<CodeOutcome> {
  const { merged_at, expires_at_ms, is_exact, fid, channel_id } = cast;
  // By the hub's merge time, because a late read is not the author's fault.
  if (merged_at * 1000 > expires_at_ms) return "late";
  if (!is_exact) return "inexact";
  const channel = await findChannel(context, channel_id);
  if (!channel) return "unknown channel";
  if (fid === context.botFid || !staffOf(channel).includes(fid)) return "stranger";
  return findAuthorship(context, cast);
}

/** A hub that does not respond is retried until this long after the code's expiry, in milliseconds. */
const giveUpAfterMs = 15 * 60_000;

/** Whether the named author cast it: the key that signed it is one of theirs, by a source other than this hub. */
async function findAuthorship(
  context: BotContext,
  { fid, signer, expires_at_ms }: OpenCast,
): Promise<"proven" | "forged" | "unconfirmed"> {
  // With a network in this process, the operator casts for users who have no keys.
  if (!context.live) return "proven";
  if (signer === null) return "forged";
  try {
    const verdict = await confirmKey(context, fid, signer);
    if (verdict === "confirmed") return "proven";
    return verdict === "denied" ? "forged" : "unconfirmed";
  } catch (error) {
    if (!asAppError(error) || context.clock.now() < expires_at_ms + giveUpAfterMs) throw error;
    return "unconfirmed";
  }
}

/** The cast while it is not judged, locked until the commit; its author may have removed it meanwhile. */
async function lockOpen(tx: Tx, castHash: string): Promise<{ is_removed: boolean } | undefined> {
  return tx
    .selectFrom("castellan.code_casts")
    .select("is_removed")
    .where("cast_hash", "=", castHash)
    .where("judged_at_ms", "is", null)
    .forUpdate()
    .executeTakeFirst();
}

/** Proving something uses the code up; a used code proves nothing further. */
async function settle(
  context: BotContext,
  tx: Tx,
  { code }: OpenCast,
  found: CodeOutcome,
): Promise<CodeOutcome> {
  if (found === "proven") return (await spendCode(tx, code, context.clock.now())) ? found : "spent";
  const { used_at_ms } = await tx
    .selectFrom("castellan.link_codes")
    .select("used_at_ms")
    .where("code", "=", code)
    .executeTakeFirstOrThrow();
  return used_at_ms === null ? found : "spent";
}
