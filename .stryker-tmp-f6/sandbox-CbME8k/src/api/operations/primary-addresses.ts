// @ts-nocheck
import type { Contract } from "../../contract/index.ts";
import { primaryAddresses, type PrimaryAddress, type Protocol } from "../../contract/primary-addresses.ts";
import type { Queryable } from "../../database/database.ts";
import { AppError } from "../../errors.ts";
import { read, type Operations } from "../operation.ts";

export const primaryAddressesOperations: Operations<Contract>["primaryAddresses"] = {
  get: read(primaryAddresses.get, async ({ db }, { fid, protocol }) => {
    const [address] = await readAddresses(db, [fid], protocol);
    if (!address) throw new AppError("not_found", `User ${fid} has no primary ${protocol} address.`);
    return { address };
  }),

  list: read(primaryAddresses.list, async ({ db }, { fids, protocol }) => {
    const found = new Map((await readAddresses(db, fids, protocol)).map((address) => [address.fid, address]));
    return {
      addresses: fids.map((fid) => {
        const address = found.get(fid);
        return { fid, success: address !== undefined, ...(address && { address }) };
      }),
    };
  }),
};

function readAddresses(
  db: Queryable,
  fids: readonly number[],
  protocol: Protocol,
): Promise<PrimaryAddress[]> {
  return db
    .selectFrom("network.primary_addresses")
    .select(["fid", "protocol", "address"])
    .where("protocol", "=", protocol)
    .where("fid", "in", fids)
    .execute();
}
