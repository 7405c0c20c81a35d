import { sql, type Selectable } from "kysely";
import type { Transfer } from "../../contract/registry.ts";
import type { Queryable, Tx } from "../../database/database.ts";
import type { NetworkTables } from "../../database/tables/network.ts";
import type { HubEventDraft } from "../domain/hub-event.ts";
import type { PartyAddresses, RegistryState, TransferRequest } from "../domain/name-transfer.ts";
import { draftRows, eventParts } from "./hub-events.ts";

type TransferRow = Selectable<NetworkTables["network.transfers"]>;

/** A number that nothing can have finds nothing. */
export interface TransferFilter {
  name?: string | undefined;
  /** Matches the fid that gives and the one that gets. */
  fid?: number | undefined;
  /** Exclusive. */
  fromId?: number | undefined;
  /** Exclusive; orders by timestamp. */
  fromTimestamp?: number | undefined;
  limit: number;
}

export async function listTransfers(db: Queryable, filter: TransferFilter): Promise<Transfer[]> {
  const { name, fid, fromId, fromTimestamp } = filter;
  const numbers = [fid, fromId, fromTimestamp].filter((number) => number !== undefined);
  if (!numbers.every((number) => Number.isSafeInteger(number) && number > 0)) return [];
  let query = db.selectFrom("network.transfers").selectAll();
  if (name !== undefined) query = query.where("username", "=", name);
  if (fid !== undefined)
    query = query.where((eb) => eb.or([eb("from_fid", "=", fid), eb("to_fid", "=", fid)]));
  if (fromId !== undefined) query = query.where("id", ">", fromId);
  if (fromTimestamp !== undefined) query = query.where("timestamp", ">", fromTimestamp).orderBy("timestamp");
  const rows = await query.orderBy("id").limit(filter.limit).execute();
  return rows.map(toTransfer);
}

/** The transfer by which a registered name came to whom it belongs now. */
export async function findCurrentTransfer(
  db: Queryable,
  by: { name: string } | { fid: number },
): Promise<Transfer | undefined> {
  const row = await db
    .selectFrom("network.names as names")
    .innerJoin("network.transfers as transfers", "transfers.id", "names.transfer_id")
    .selectAll("transfers")
    .where((eb) => ("name" in by ? eb("names.name", "=", by.name) : eb("names.fid", "=", by.fid)))
    .executeTakeFirst();
  return row && toTransfer(row);
}

export async function findLatestTransfer(db: Queryable): Promise<Transfer | undefined> {
  const query = db.selectFrom("network.transfers").selectAll().orderBy("id", "desc").limit(1);
  const row = await query.executeTakeFirst();
  return row && toTransfer(row);
}

/** Holds the registry until the transaction ends: nothing is decided about names meanwhile, so ids show in order. */
export async function lockRegistry(tx: Tx): Promise<void> {
  await sql`select from network.stream_heads where stream = 'transfers' for update`.execute(tx);
}

/** What a decision about a transfer needs, with the stream's last id: whoever writes next changes that. */
export interface SeenRegistry extends RegistryState {
  head: number;
  addresses: PartyAddresses;
}

/** In one statement, for a registration is to take little longer than its signatures do. */
export async function readRegistry(db: Queryable, request: TransferRequest): Promise<SeenRegistry> {
  const { name, fid, from, to, owner, timestamp } = request;
  const { rows } = await sql<{
    head: number;
    claimed: TransferRow | null;
    latest: TransferRow | null;
    name_of_target: string | null;
    asking: PartyAddresses["asking"] | null;
    giving: PartyAddresses["giving"] | null;
  }>`
    select last_id as head,
      (select to_jsonb(transfers) from network.transfers
         where owner = ${owner} and username = ${name} and timestamp = ${timestamp}) as claimed,
      (select to_jsonb(transfers) from network.transfers
         where username = ${name} order by id desc limit 1) as latest,
      (select name from network.names where fid = ${to} and name <> ${name}) as name_of_target,
      (select lower(custody_address) from network.accounts where fid = ${fid}) as asking,
      (select lower(custody_address) from network.accounts where fid = ${from}) as giving
    from network.stream_heads where stream = 'transfers'
  `.execute(db);
  const [row] = rows;
  if (!row) throw new Error("the stream of transfers has a head");
  return {
    head: row.head,
    claimed: row.claimed ? toTransfer(row.claimed) : undefined,
    latest: row.latest ? toTransfer(row.latest) : undefined,
    nameOfTarget: row.name_of_target ?? undefined,
    addresses: { asking: row.asking ?? undefined, giving: row.giving ?? undefined },
  };
}

/** A decided transfer, with the event that tells of it. */
export interface DecidedTransfer {
  transfer: Omit<Transfer, "id">;
  event: HubEventDraft;
  /** The stream's last id when it was decided. */
  head: number;
}

/**
 * Appends a transfer and its event and lets the name follow, in one statement that does nothing, and gives nothing, when
 * another transfer was written since this one was decided. Ids become visible in order: who writes holds both streams.
 */
export async function appendTransfer(
  db: Queryable,
  now: number,
  { transfer, event, head }: DecidedTransfer,
): Promise<Transfer | undefined> {
  const { timestamp, username, owner, from, to, user_signature, server_signature } = transfer;
  const { rows } = await sql<{ id: number }>`
    with head as (
      update network.stream_heads set last_id = last_id + 1
      where stream = 'transfers' and last_id = ${head}
      returning last_id
    ),
    appended as (
      insert into network.transfers
        (id, timestamp, username, owner, from_fid, to_fid, user_signature, server_signature)
      select last_id, ${timestamp}, ${username}, ${owner}, ${from}, ${to}, ${user_signature}, ${server_signature}
      from head
      returning id
    ),
    released as (
      delete from network.names using appended where name = ${username} and ${to}::bigint = 0
    ),
    held as (
      insert into network.names (name, fid, transfer_id)
      select ${username}, ${to}, id from appended where ${to}::bigint <> 0
      on conflict (name) do update set fid = excluded.fid, transfer_id = excluded.transfer_id
    ),
    ${eventParts(now, 1, draftRows([event]), sql`exists (select from appended)`)}
    select id from appended
  `.execute(db);
  const [appended] = rows;
  return appended && { id: appended.id, ...transfer };
}

function toTransfer({
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
