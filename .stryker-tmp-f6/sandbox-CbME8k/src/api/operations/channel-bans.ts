// @ts-nocheck
import { channelBans } from "../../contract/membership.ts";
import type { Contract } from "../../contract/index.ts";
import { banUser, unbanUser } from "../domain/ban.ts";
import { read, write, type Operations } from "../operation.ts";
import { given, readChannelPage } from "../store/paging.ts";
import { changeStanding } from "./change-standing.ts";

export const channelBansOperations: Operations<Contract>["channelBans"] = {
  list: read(channelBans.list, async ({ db }, { channelId, fid, ...page }) => {
    const bans = db
      .selectFrom("network.bans")
      .select(["fid", "channel_id as channelId", "banned_at as bannedAt"])
      .where((eb) => eb.and(given({ channel_id: channelId, fid })));
    const { rows, next } = await readChannelPage(db, channelId, bans, {
      listing: [channelBans.list.path, channelId, fid],
      order: ["banned_at", "id"],
      ...page,
    });
    return { result: { bannedUsers: rows }, ...next };
  }),

  ban: write(channelBans.ban, (scope, { channelId, banFid }) =>
    changeStanding(scope, channelId, banFid, banUser),
  ),

  unban: write(channelBans.unban, (scope, { channelId, unbanFid, banFid }) =>
    changeStanding(scope, channelId, unbannedFid(unbanFid, banFid), unbanUser),
  ),
};

/** The schema lets no call through without either; `banFid` counts where `unbanFid` is absent. */
function unbannedFid(unbanFid: number | undefined, banFid: number | undefined): number {
  const fid = unbanFid ?? banFid;
  if (fid === undefined) throw new Error("an unban without a fid passed its schema");
  return fid;
}
