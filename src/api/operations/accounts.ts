import { primaryAddresses } from "../../contract/primary-addresses.ts";
import { accountVerifications, type Platform } from "../../contract/verifications.ts";
import { AppError } from "../../errors.ts";
import { implement, read } from "../operation.ts";
import { readPrimaryAddresses } from "../store/accounts.ts";
import { given, listing } from "../store/paging.ts";

export const accountVerificationsOperations = implement(accountVerifications, {
  list: read(async ({ db }, { fid, platform, ...page }) => {
    const { rows, next } = await listVerifications(db, { platform, fid }, page);
    return { result: { verifications: rows }, ...next };
  }),
});

interface VerificationFilter {
  platform: Platform;
  fid: number | undefined;
}

const listVerifications = listing({
  path: accountVerifications.list.path,
  order: ["verified_at", "id"],
  select: (db, { platform, fid }: VerificationFilter) =>
    db
      .selectFrom("network.verifications")
      .select([
        "fid",
        "platform",
        "platform_id as platformId",
        "platform_username as platformUsername",
        "verified_at as verifiedAt",
      ])
      .where((eb) => eb.and(given({ platform, fid }))),
});

export const primaryAddressesOperations = implement(primaryAddresses, {
  get: read(async ({ db }, { fid, protocol }) => {
    const [address] = await readPrimaryAddresses(db, { fids: [fid], protocol });
    if (!address) throw new AppError("not_found", `User ${fid} has no primary ${protocol} address.`);
    return { address };
  }),

  list: read(async ({ db }, { fids, protocol }) => {
    const found = new Map(
      (await readPrimaryAddresses(db, { fids, protocol })).map((address) => [address.fid, address]),
    );
    return {
      addresses: fids.map((fid) => {
        const address = found.get(fid);
        return { fid, success: address !== undefined, ...(address && { address }) };
      }),
    };
  }),
});
