import { sql } from "kysely";
import type { Tx } from "../../database/database.ts";
import { findCastSigner } from "./cast-signer.ts";
import type { ArrivedCode, ArrivedRemoval } from "./parse-events.ts";

/** The text that a user casts to prove that the account is theirs. It tells readers its purpose. */
export function codeCastText(asked: { code: string; channelId: string; guildId: string }): string {
  return `Castellan may link /${asked.channelId} to Discord server ${asked.guildId}: ${asked.code}`;
}

/** Max casts stored per code: a code that was cast is public, so anybody can cast it again. */
const maxCastsOfCode = 5;

/** Stores casts with codes that we issued; true if there are any to judge. */
export async function storeCodeCasts(tx: Tx, arrived: readonly ArrivedCode[]): Promise<boolean> {
  if (arrived.length === 0) return false;
  const given = await tx
    .selectFrom("castellan.link_codes")
    .select(["code", "channel_id as channelId", "guild_id as guildId"])
    .where("code", "in", [...new Set(arrived.map(({ code }) => code))])
    .where("used_at_ms", "is", null)
    .where(
      sql<boolean>`(select count(*) from castellan.code_casts where code_casts.code = link_codes.code) < ${maxCastsOfCode}`,
    )
    .execute();
  const texts = new Map(given.map((asked) => [asked.code, codeCastText(asked)]));
  const rows = [...texts].flatMap(([given, text]) =>
    arrived
      .filter(({ code }) => code === given)
      .slice(0, maxCastsOfCode)
      .map(({ code, cast, isBare, mergedAt, message }) => {
        const is_exact = isBare && cast.text.replace(/\s+/g, " ").trim() === text;
        const signer = is_exact ? (findCastSigner(message) ?? null) : null;
        return { cast_hash: cast.hash, code, fid: cast.fid, merged_at: mergedAt, is_exact, signer };
      }),
  );
  if (rows.length === 0) return false;
  await tx
    .insertInto("castellan.code_casts")
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return true;
}

/** A cast that its author removed before it was judged proves nothing. */
export async function removeCodeCasts(tx: Tx, removals: readonly ArrivedRemoval[]): Promise<void> {
  if (removals.length === 0) return;
  await sql`
    update castellan.code_casts set is_removed = true
    where cast_hash = any(${removals.map(({ hash }) => hash)}::text[]) and judged_at_ms is null
  `.execute(tx);
}
