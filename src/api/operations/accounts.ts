import { primaryAddresses, type PrimaryAddress, type Protocol } from "../../contract/primary-addresses.ts";
import { accountVerifications } from "../../contract/verifications.ts";
import type { Queryable } from "../../database/database.ts";
import { AppError } from "../../errors.ts";
import { implement, read } from "../operation.ts";
import { given, readPage } from "../store/paging.ts";

export const accountVerificationsOperations = implement(accountVerifications, {
  list: read(async ({ db }, { fid, platform, ...page }) => {
    const verifications = db
      .selectFrom("network.verifications")
      .select([
        "fid",
        "platform",
        "platform_id as platformId",
        "platform_username as platformUsername",
        "verified_at as verifiedAt",
      ])
      .where((eb) => eb.and(given({ platform, fid })));
    const { rows, next } = await readPage(verifications, {
      listing: [accountVerifications.list.path, platform, fid],
      order: ["verified_at", "id"],
      ...page,
    });
    return { result: { verifications: rows }, ...next };
  }),
});

export const primaryAddressesOperations = implement(primaryAddresses, {
  get: read(async ({ db }, { fid, protocol }) => {
    const [address] = await readAddresses(db, [fid], protocol);
    if (!address) throw new AppError("not_found", `User ${fid} has no primary ${protocol} address.`);
    return { address };
  }),

  list: read(async ({ db }, { fids, protocol }) => {
    const found = new Map((await readAddresses(db, fids, protocol)).map((address) => [address.fid, address]));
    return {
      addresses: fids.map((fid) => {
        const address = found.get(fid);
        return { fid, success: address !== undefined, ...(address && { address }) };
      }),
    };
  }),
});

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
