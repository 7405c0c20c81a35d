// @ts-nocheck
import { channelMembers } from "../../contract/membership.ts";
import type { Contract } from "../../contract/index.ts";
import { read, type Operations } from "../operation.ts";
import { given, readChannelPage } from "../store/paging.ts";

export const channelMembersOperations: Operations<Contract>["channelMembers"] = {
  list: read(channelMembers.list, async ({ db }, { channelId, fid, ...page }) => {
    const memberships = db
      .selectFrom("network.memberships")
      .select(["fid", "member_at as memberAt"])
      .where("channel_id", "=", channelId)
      .where((eb) => eb.and(given({ fid })));
    const { rows, next } = await readChannelPage(db, channelId, memberships, {
      listing: [channelMembers.list.path, channelId, fid],
      order: ["member_at", "id"],
      ...page,
    });
    return { result: { members: rows }, ...next };
  }),
};
