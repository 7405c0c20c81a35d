import type { Selectable } from "kysely";
import type { Transfer } from "../../contract/registry.ts";
import type { Queryable } from "../../database/database.ts";
import type { NetworkTables } from "../../database/tables/network.ts";

/** Transfers on a page. */
export const pageSize = 100;

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

/** The page after this id. */
export async function listTransfersAfter(db: Queryable, id: number): Promise<Transfer[]> {
  const query = db.selectFrom("network.transfers").selectAll().where("id", ">", id);
  const rows = await query.orderBy("id").limit(pageSize).execute();
  return rows.map(toTransfer);
}
