import { sql, type Selectable } from "kysely";
import type { Transfer } from "../../contract/registry.ts";
import type { Queryable } from "../../database/database.ts";
import type { NetworkTables } from "../../database/tables/network.ts";
import { given } from "./paging.ts";

export type TransferRow = Selectable<NetworkTables["network.transfers"]>;

export function toTransfer({
  from_fid,
  to_fid,
  id,
  timestamp,
  username,
  owner,
  ...signatures
}: TransferRow): Transfer {
  const { user_signature, server_signature } = signatures;
  return { id, timestamp, username, owner, from: from_fid, to: to_fid, user_signature, server_signature };
}

/** A transfer as the contract has it, as JSON text made by the database. */
export const transferJson = sql<string>`json_strip_nulls(json_build_object(
  'id', id,
  'timestamp', timestamp,
  'username', username,
  'owner', owner,
  'from', from_fid,
  'to', to_fid,
  'user_signature', user_signature,
  'server_signature', server_signature
))::text`;

/** The transfer by which a registered name came to whom it belongs now. */
export async function findCurrentTransfer(
  db: Queryable,
  { name, fid }: { name?: string; fid?: number },
): Promise<Transfer | undefined> {
  const row = await db
    .selectFrom("network.names as names")
    .innerJoin("network.transfers as transfers", "transfers.id", "names.transfer_id")
    .selectAll("transfers")
    .where((eb) => eb.and(given({ "names.name": name, "names.fid": fid })))
    .executeTakeFirst();
  return row && toTransfer(row);
}
