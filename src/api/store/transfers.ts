import { sql, type Selectable } from "kysely";
import type { Transfer } from "../../contract/registry.ts";
import type { Queryable } from "../../database/database.ts";
import type { NetworkTables } from "../../database/tables/network.ts";

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

/** A transfer as the contract has it, as JSON text made by the database. What is null is left out. */
export const transferJson = sql<string>`concat(
  '{"id":', id,
  ',"timestamp":', timestamp,
  ',"username":', to_json(username),
  ',"owner":', to_json(owner),
  ',"from":', from_fid,
  ',"to":', to_fid,
  ',"user_signature":' || to_json(user_signature)::text,
  ',"server_signature":' || to_json(server_signature)::text,
  '}'
)`;

/** The transfer by which a registered name came to whom it belongs now. */
export async function findCurrentTransfer(
  db: Queryable,
  { name, fid }: { name?: string; fid?: number },
): Promise<Transfer | undefined> {
  // Asked more often than anything else of the registry: building this statement took a third of the call.
  const { rows } = await sql<TransferRow>`
    select transfers.* from network.names join network.transfers on transfers.id = names.transfer_id
    where ${fid === undefined ? sql`names.name = ${name}` : sql`names.fid = ${fid}`}
  `.execute(db);
  return rows[0] && toTransfer(rows[0]);
}
