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

/** The custody addresses of those fids that have an account, in lowercase hex. */
export async function readCustodyAddresses(
  db: Queryable,
  fids: number[],
): Promise<Map<number, `0x${string}`>> {
  const rows = await db
    .selectFrom("network.accounts")
    .select(["fid", "custody_address"])
    .where("fid", "in", fids)
    .execute();
  // Stored addresses are 0x and hex digits.
  return new Map(rows.map((row) => [row.fid, row.custody_address.toLowerCase() as `0x${string}`]));
}
