import { operator } from "../../contract/operator.ts";
import { AppError } from "../../errors.ts";
import { step } from "../domain/membership.ts";
import { normalizeKey } from "../domain/token.ts";
import { exportNetwork } from "../network-file/export-network.ts";
import { importNetwork } from "../network-file/import-network.ts";
import { implement, read, readText, unmanaged, write } from "../operation.ts";
import { requireAccount } from "../store/accounts.ts";
import { lockChannel, requireChannel } from "../store/channels.ts";
import { changeStanding } from "./membership.ts";
import { operatorCastOperations } from "./operator-casts.ts";

const maxNotifications = 1000;

export const operatorGroupOperations = implement(operator, {
  importNetwork: unmanaged(({ context }, input) => importNetwork(context, input)),

  exportNetwork: readText(({ db }) => exportNetwork(db)),

  ...operatorCastOperations,

  join: write(async (scope, { channelId, fid }) => {
    await requireAccount(scope.db, fid);
    return changeStanding(scope, channelId, fid, (standing) => step(standing, "joinByLink"));
  }),

  notifications: read(async ({ db }, { channelId }) => {
    await requireChannel(db, channelId);
    const notifications = await db
      .selectFrom("network.announcements")
      .select(["channel_id as channelId", "cast_hash as castHash", "recipients", "announced_at as at"])
      .where("channel_id", "=", channelId)
      .orderBy("announced_at", "desc")
      .orderBy("id", "desc")
      .limit(maxNotifications)
      .execute();
    return { notifications };
  }),

  revokeKey: unmanaged(async ({ authenticator, db, now }, { fid, key }) => {
    const revoked = await db
      .updateTable("network.app_keys")
      // A second revocation does not change the time of the first.
      .set((eb) => ({ revoked_at: eb.fn.coalesce("revoked_at", eb.val(now)) }))
      .where("fid", "=", fid)
      .where("key", "=", normalizeKey(key))
      .returning("key")
      .executeTakeFirst();
    if (!revoked) throw new AppError("not_found", `fid ${fid} has no key ${key}.`);
    authenticator.forgetTokens();
    return { success: true };
  }),

  deleteChannel: write(async ({ db }, { id }) => {
    await lockChannel(db, id);
    // Everything in the channel is deleted with it, except its casts, which remain without a channel.
    await db.deleteFrom("network.channels").where("id", "=", id).execute();
    return { success: true };
  }),
});
