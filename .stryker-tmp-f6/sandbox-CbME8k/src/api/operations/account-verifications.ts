// @ts-nocheck
import type { Contract } from "../../contract/index.ts";
import { accountVerifications } from "../../contract/verifications.ts";
import { read, type Operations } from "../operation.ts";
import { given, readPage } from "../store/paging.ts";

export const accountVerificationsOperations: Operations<Contract>["accountVerifications"] = {
  list: read(accountVerifications.list, async ({ db }, { fid, platform, ...page }) => {
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
};
