// @ts-nocheck
import type { Queryable } from "../../database/database.ts";
import { AppError } from "../../errors.ts";

/** Refuses a fid that has no account. */
export async function requireAccount(db: Queryable, fid: number): Promise<void> {
  const account = await db
    .selectFrom("network.accounts")
    .select("fid")
    .where("fid", "=", fid)
    .executeTakeFirst();
  if (!account) throw new AppError("not_found", `There is no account with fid ${fid}.`);
}
