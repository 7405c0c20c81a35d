import type { Selectable } from "kysely";
import type { Transfer } from "../../contract/registry.ts";
import { pointRead, type Placeholders } from "../../database/compile-once.ts";
import type { Queryable } from "../../database/database.ts";
import type { NetworkTables } from "../../database/tables/network.ts";
import { given } from "./paging.ts";

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

/** The transfer by which a registered name came to whom it belongs now. */
export async function findCurrentTransfer(
  db: Queryable,
  by: { name: string } | { fid: number },
): Promise<Transfer | undefined> {
  const [row] = await findCurrent(db, by);
  return row && toTransfer(row);
}

const findCurrent = pointRead(
  (db, { name, fid }: Placeholders<{ name?: string | undefined; fid?: number | undefined }>) =>
    db
      .selectFrom("network.names as names")
      .innerJoin("network.transfers as transfers", "transfers.id", "names.transfer_id")
      .selectAll("transfers")
      .where((eb) => eb.and(given({ "names.name": name, "names.fid": fid }))),
);
