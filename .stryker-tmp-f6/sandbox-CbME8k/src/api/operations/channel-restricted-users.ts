// @ts-nocheck
import { channelRestrictedUsers } from "../../contract/membership.ts";
import type { Contract } from "../../contract/index.ts";
import { read, type Operations } from "../operation.ts";
import { given, readChannelPage } from "../store/paging.ts";

export const channelRestrictedUsersOperations: Operations<Contract>["channelRestrictedUsers"] = {
  list: read(channelRestrictedUsers.list, async ({ db }, { channelId, fid, ...page }) => {
    const restrictions = db
      .selectFrom("network.restrictions")
      .select(["fid", "channel_id as channelId", "restricted_at as restrictedAt"])
      .where((eb) => eb.and(given({ channel_id: channelId, fid })));
    const { rows, next } = await readChannelPage(db, channelId, restrictions, {
      listing: [channelRestrictedUsers.list.path, channelId, fid],
      order: ["restricted_at", "id"],
      ...page,
    });
    return { result: { restrictedUsers: rows }, ...next };
  }),
};
