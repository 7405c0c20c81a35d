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

/** Casts with codes that are still to be judged, with what they were asked for. */
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

/** Whether a cast with a code waits to be judged. */
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
 * Judges what was cast: a code proves its owner's rights where it came in time, alone, from an account that owns or moderates
 * the channel. One that cannot be judged yet holds up no other; then it throws why, to be tried again.
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
    // What was used before is news to nobody.
    if (outcome !== "spent") {
      const { cast_hash: key, room_id: destination } = cast;
      await request(tx, [{ kind: "proof", key, destination, requestedAtMs: now }]);
    }
    const about = { channelId: cast.channel_id, fid: cast.fid, castHash: cast.cast_hash, outcome };
    if (outcome === "forged") context.log.error(about, "a hub told of a cast that its author did not sign");
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

/** What it amounts to as far as the cast and the network say. Throws what the network answers. */
async function findOutcome(context: BotContext, cast: OpenCast): Promise<CodeOutcome> {
  const { merged_at, expires_at_ms, is_exact, fid, channel_id } = cast;
  // By when the hub merged it: how late it is read is not its author's doing.
  if (merged_at * 1000 > expires_at_ms) return "late";
  if (!is_exact) return "inexact";
  const channel = await findChannel(context, channel_id);
  if (!channel) return "unknown channel";
  if (fid === context.botFid || !staffOf(channel).includes(fid)) return "stranger";
  return findAuthorship(context, cast);
}

/** A hub that does not answer is asked again until so long after the code's end, in milliseconds. */
const giveUpAfterMs = 15 * 60_000;

/** Whether it is by whom the hub names: the key that signed it is one of theirs, by the word of others than this hub. */
async function findAuthorship(
  context: BotContext,
  { fid, signer, expires_at_ms }: OpenCast,
): Promise<"proven" | "forged" | "unconfirmed"> {
  // In this process the operator casts for users whose keys nobody has.
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

/** The cast while it is not judged, locked until the commit; its author may have taken it back meanwhile. */
async function lockOpen(tx: Tx, castHash: string): Promise<{ is_removed: boolean } | undefined> {
  return tx
    .selectFrom("castellan.code_casts")
    .select("is_removed")
    .where("cast_hash", "=", castHash)
    .where("judged_at_ms", "is", null)
    .forUpdate()
    .executeTakeFirst();
}

/** A code that proves something is used up by it; once it is used, it says nothing any more. */
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
