import type { Tx } from "../database/database.ts";
import { TranslatedError } from "../languages/translated-error.ts";

/**
 * Lets one of a server's members at a time send something to its moderators, because limits are counted, and the link
 * may have ended since it was read. Throws `not_proven` if it has.
 */
export async function lockLink(tx: Tx, guildId: string, channelId: string): Promise<void> {
  const links = await tx
    .selectFrom("castellan.links")
    .select(["channel_id", "suspended_at_ms"])
    .where("guild_id", "=", guildId)
    .orderBy("channel_id")
    .forUpdate()
    .execute();
  const linked = links.find(({ channel_id }) => channel_id === channelId);
  if (linked?.suspended_at_ms === null) return;
  throw new TranslatedError("not_proven", ({ links }) => links.ended(channelId));
}
