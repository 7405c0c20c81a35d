import type { Queryable } from "../database/database.ts";
import { AppError } from "../errors.ts";

/** Discord offers 25 choices, of 100 characters each. */
export const maxSavedReasons = 25;
export const maxSavedReason = 100;

/** A reason that a server's moderators can choose. */
export interface SavedReason {
  reason: string;
  /** The usual length of a ban for it; null to ask each time. */
  forSeconds: number | null;
}

export async function listSavedReasons(query: Queryable, guildId: string): Promise<SavedReason[]> {
  const rows = await query
    .selectFrom("castellan.saved_reasons")
    .select(["reason", "for_seconds"])
    .where("guild_id", "=", guildId)
    .orderBy("reason")
    .execute();
  return rows.map(({ reason, for_seconds }) => ({ reason, forSeconds: for_seconds }));
}

/** Saves a reason (true), or changes a saved one's usual length (false). Throws `invalid_input` if the list is full. */
export async function saveReason(
  query: Queryable,
  guildId: string,
  { reason, forSeconds }: SavedReason,
): Promise<boolean> {
  const saved = await listSavedReasons(query, guildId);
  const isNew = !saved.some((one) => one.reason === reason);
  if (saved.length >= maxSavedReasons && isNew) {
    throw new AppError(
      "invalid_input",
      `A server has at most ${maxSavedReasons} saved reasons. Remove one first.`,
    );
  }
  await query
    .insertInto("castellan.saved_reasons")
    .values({ guild_id: guildId, reason, for_seconds: forSeconds })
    .onConflict((conflict) =>
      conflict.columns(["guild_id", "reason"]).doUpdateSet({ for_seconds: forSeconds }),
    )
    .execute();
  return isNew;
}

/** False if there is no such reason. */
export async function removeSavedReason(query: Queryable, guildId: string, reason: string): Promise<boolean> {
  const { numDeletedRows } = await query
    .deleteFrom("castellan.saved_reasons")
    .where("guild_id", "=", guildId)
    .where("reason", "=", reason)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
