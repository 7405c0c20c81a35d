import { sql } from "kysely";
import type { ParsedInputOf } from "../../contract/endpoint.ts";
import { registryInfo, transfers, type Transfer } from "../../contract/registry.ts";
import type { Queryable } from "../../database/database.ts";
import { AppError } from "../../errors.ts";
import { implement, read, readText, unmanaged } from "../operation.ts";
import { findCurrentTransfer, toTransfer, transferJson } from "../store/transfers.ts";

/** Transfers per page. */
const pageSize = 100;

export const transfersOperations = implement(transfers, {
  list: readText(async ({ db }, input) => `{"transfers":[${await listTransferTexts(db, filterOf(input))}]}`),

  current: read(async ({ db }, { fid, ...names }) => {
    if (fid !== undefined && fid !== "") {
      return answerCurrent(await findTransferOfFid(db, fid), "Could not resolve current name");
    }
    const name = names.name ?? names.fname;
    const found = name === undefined ? findLatestTransfer(db) : findCurrentTransfer(db, { name });
    return answerCurrent(await found, "No transfer found");
  }),

  create: unmanaged(async ({ registryWriter }, input) => ({
    transfer: await registryWriter.transfer(input),
  })),
});

export const registryInfoOperations = implement(registryInfo, {
  signer: read(async ({ context: { registry } }) => ({ signer: registry.address, domain: registry.domain })),
  currentTime: read(async ({ now }) => ({ currentTime: now })),
  health: read(async () => ({ status: "ok" })),
});

function answerCurrent(transfer: Transfer | undefined, problem: string) {
  // Without a filter, the latest transfer may be a release, after which nobody has the name.
  if (!transfer || transfer.to === 0) throw new AppError("not_found", problem);
  return { transfers: [transfer], transfer };
}

async function findTransferOfFid(db: Queryable, given: number | string): Promise<Transfer | undefined> {
  const fid = Number(given);
  if (Number.isNaN(fid) || String(given).trim() === "") {
    throw new AppError("invalid_request", "fid: must be a number", { instancePath: "/fid" });
  }
  // A number that is not a fid matches nobody.
  return Number.isSafeInteger(fid) ? findCurrentTransfer(db, { fid }) : undefined;
}

/** A number outside the valid range matches nothing. */
interface TransferFilter {
  name?: string | undefined;
  /** Matches the fids on both sides. */
  fid?: number | undefined;
  /** Exclusive. */
  fromId?: number | undefined;
  /** Exclusive; orders by timestamp. */
  fromTimestamp?: number | undefined;
}

function filterOf(input: ParsedInputOf<typeof transfers.list>): TransferFilter {
  return {
    name: input.name ?? input.fname,
    fid: input.fid,
    fromId: input.from_id ?? input.fromId,
    fromTimestamp: input.from_ts,
  };
}

/** JSON texts, joined by commas. One row is received much faster than a hundred, and the texts are not read here. */
async function listTransferTexts(db: Queryable, filter: TransferFilter): Promise<string> {
  const { name, fid, fromId, fromTimestamp } = filter;
  const numbers = [fid, fromId, fromTimestamp].filter((number) => number !== undefined);
  if (!numbers.every((number) => Number.isSafeInteger(number) && number > 0)) return "";
  let query = db.selectFrom("network.transfers").select(["id", "timestamp", transferJson.as("json")]);
  if (name !== undefined) query = query.where("username", "=", name);
  if (fid !== undefined)
    query = query.where((eb) => eb.or([eb("from_fid", "=", fid), eb("to_fid", "=", fid)]));
  if (fromId !== undefined) query = query.where("id", ">", fromId);
  if (fromTimestamp !== undefined) query = query.where("timestamp", ">", fromTimestamp).orderBy("timestamp");
  const order = fromTimestamp === undefined ? sql`id` : sql`timestamp, id`;
  const { rows } = await sql<{ text: string }>`
    select coalesce(string_agg(json, ',' order by ${order}), '') as text
    from ${query.orderBy("id").limit(pageSize)} as page
  `.execute(db);
  return rows[0]?.text ?? "";
}

export async function findLatestTransfer(db: Queryable): Promise<Transfer | undefined> {
  const query = db.selectFrom("network.transfers").selectAll().orderBy("id", "desc").limit(1);
  const row = await query.executeTakeFirst();
  return row && toTransfer(row);
}
