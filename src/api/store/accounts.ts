import { sql } from "kysely";
import type { Protocol } from "../../contract/primary-addresses.ts";
import type { Queryable } from "../../database/database.ts";
import { AppError } from "../../errors.ts";

/** Throws if a fid has no account. */
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

export async function readPrimaryAddresses(
  db: Queryable,
  { fids, protocol }: { fids: readonly number[]; protocol: Protocol },
) {
  return db
    .selectFrom("network.primary_addresses")
    .select(["fid", "protocol", "address"])
    .where("protocol", "=", protocol)
    .where(sql<boolean>`fid = any(${fids}::bigint[])`)
    .execute();
}

/** The bot's records on the embedded network besides its name. */
export interface BotAccount {
  fid: number;
  custodyAddress: string;
  appKey: string;
}

/** Whether all of them and a name exist. */
export async function isBotComplete(
  db: Queryable,
  { fid, custodyAddress, appKey }: BotAccount,
): Promise<boolean> {
  const { rows } = await sql<{ complete: boolean }>`
    select exists (select from network.accounts where fid = ${fid} and custody_address = ${custodyAddress})
      and exists (select from network.app_keys where fid = ${fid} and key = ${appKey})
      and exists (select from network.transfers where to_fid = ${fid})
      and exists (select from network.bot_allowlist where fid = ${fid}) as complete
  `.execute(db);
  return rows[0]?.complete === true;
}
