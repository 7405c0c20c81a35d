import { sql, type Selectable } from "kysely";
import type { Transfer } from "../../contract/registry.ts";
import type { Queryable } from "../../database/database.ts";
import type { NetworkTables } from "../../database/tables/network.ts";
import type { HubEventDraft } from "../domain/hub-event.ts";
import { isName, type TransferFacts, type TransferRequest } from "../domain/name-transfer.ts";
import { draftRows, eventParts } from "./hub-events.ts";

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

/** What the registry knows of a request's name and parties. */
export interface SeenRegistry extends Pick<
  TransferFacts,
  "custodyAddress" | "claimed" | "latest" | "nameOfTarget"
> {
  /** The stream's last id: whoever writes next changes that. */
  head: number;
  /** The custody address of the fid that gives the name, lower-case. */
  giverAddress: `0x${string}` | undefined;
}

/** What a request is decided by, in one statement, so that a registration takes little longer than its signatures do. */
export async function readRegistry(db: Queryable, request: TransferRequest): Promise<SeenRegistry> {
  const { fid, from, to, owner, timestamp } = request;
  // What is not a name is refused whatever is registered, and may be text that the database does not take.
  const name = isName(request.name) ? request.name : "";
  const { rows } = await sql<{
    head: number;
    claimed: TransferRow | null;
    latest: TransferRow | null;
    name_of_target: string | null;
    custody: string | null;
    giver: `0x${string}` | null;
  }>`
    select last_id as head,
      (select to_jsonb(transfers) from network.transfers
         where owner = ${owner} and username = ${name} and timestamp = ${timestamp}) as claimed,
      (select to_jsonb(transfers) from network.transfers
         where username = ${name} order by id desc limit 1) as latest,
      (select name from network.names where fid = ${to} and name <> ${name}) as name_of_target,
      (select lower(custody_address) from network.accounts where fid = ${fid}) as custody,
      (select lower(custody_address) from network.accounts where fid = ${from}) as giver
    from network.stream_heads where stream = 'transfers'
  `.execute(db);
  const [row] = rows;
  if (!row) throw new Error("the stream of transfers has a head");
  return {
    head: row.head,
    custodyAddress: row.custody ?? undefined,
    giverAddress: row.giver ?? undefined,
    claimed: row.claimed ? toTransfer(row.claimed) : undefined,
    latest: row.latest ? toTransfer(row.latest) : undefined,
    nameOfTarget: row.name_of_target ?? undefined,
  };
}

/** A decided transfer, with the event that tells of it. */
interface DecidedTransfer {
  transfer: Omit<Transfer, "id">;
  event: HubEventDraft;
}

/**
 * Appends transfers and their events and lets the names follow, in one statement that does nothing, and gives nothing,
 * unless `head` is the stream's last id. None may concern another's name or holder. Ids become visible in order: who
 * writes holds both streams.
 */
export async function appendTransfers(
  db: Queryable,
  now: number,
  head: number,
  decided: DecidedTransfer[],
): Promise<Transfer[] | undefined> {
  const transfers = decided.map(({ transfer }) => transfer);
  const column = (key: keyof Omit<Transfer, "id">) => transfers.map((transfer) => transfer[key]);
  const released = transfers.filter(({ to }) => to === 0).map(({ username }) => username);
  const events = draftRows(decided.map(({ event }) => event));
  const { rows } = await sql<{ before: number }>`
    with head as (
      update network.stream_heads set last_id = last_id + ${decided.length}::bigint
      where stream = 'transfers' and last_id = ${head}
      returning last_id - ${decided.length}::bigint as before
    ),
    appended as (
      insert into network.transfers
        (id, timestamp, username, owner, from_fid, to_fid, user_signature, server_signature)
      select before + position, timestamp, username, owner, from_fid, to_fid, user_signature, server_signature
      from head, unnest(
        ${column("timestamp")}::bigint[], ${column("username")}::text[], ${column("owner")}::text[],
        ${column("from")}::bigint[], ${column("to")}::bigint[],
        ${column("user_signature")}::text[], ${column("server_signature")}::text[]
      ) with ordinality as given
        (timestamp, username, owner, from_fid, to_fid, user_signature, server_signature, position)
      order by position
      returning id, username, to_fid
    ),
    released as (
      delete from network.names where name = any (${released}::text[]) and exists (select from appended)
    ),
    held as (
      insert into network.names (name, fid, transfer_id)
      select username, to_fid, id from appended where to_fid <> 0
      on conflict (name) do update set fid = excluded.fid, transfer_id = excluded.transfer_id
    ),
    ${eventParts(now, decided.length, events, sql`exists (select from appended)`)}
    select before from head
  `.execute(db);
  const [appended] = rows;
  return appended && transfers.map((transfer, index) => ({ id: appended.before + 1 + index, ...transfer }));
}
