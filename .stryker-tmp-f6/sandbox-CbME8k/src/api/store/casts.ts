// @ts-nocheck
import type { Selectable } from "kysely";
import type { Queryable, Tx } from "../../database/database.ts";
import type { CastTable } from "../../database/tables/network.ts";
import { AppError } from "../../errors.ts";
import type { CastMarks } from "../domain/cast-marks.ts";

export type CastRow = Selectable<CastTable>;

/** A cast that is there: an unknown or removed one is `not_found`. */
export async function requireCast(db: Queryable, hash: string): Promise<CastRow> {
  const cast = await findCast(db, hash);
  if (!cast || cast.removed_at !== null) throw new AppError("not_found", `There is no cast ${hash}.`);
  return cast;
}

/** A cast, also a removed one. */
export function findCast(db: Queryable, hash: string): Promise<CastRow | undefined> {
  return db.selectFrom("network.casts").selectAll().where("hash", "=", hash).executeTakeFirst();
}

export function toMarks(cast: CastRow): CastMarks {
  return {
    hiddenByModeration: cast.hidden_by_moderation,
    hiddenByBan: cast.hidden_by_ban,
    hiddenOnEntry: cast.hidden_on_entry,
  };
}

export function fromMarks(marks: CastMarks) {
  return {
    hidden_by_moderation: marks.hiddenByModeration,
    hidden_by_ban: marks.hiddenByBan,
    hidden_on_entry: marks.hiddenOnEntry,
  };
}

export async function saveMarks(tx: Tx, hash: string, marks: CastMarks): Promise<void> {
  await tx.updateTable("network.casts").set(fromMarks(marks)).where("hash", "=", hash).execute();
}
