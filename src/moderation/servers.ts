import type { BotContext } from "../bot-context.ts";
import type { Tx } from "../database/database.ts";
import { announceLink } from "./channel-links.ts";

/** The reason on links of a server that removed the bot; they are restored when it returns. */
const removed = "Castellan was removed from the server.";

/**
 * The bot is no longer in these servers: their links are suspended, so that none of their rules acts, and nothing is
 * posted in their rooms. Timed bans still expire, as banned people were told. Returns the servers that it has just left.
 */
export async function leaveServers(context: BotContext, guildIds: readonly string[]): Promise<string[]> {
  if (guildIds.length === 0) return [];
  const since_ms = context.clock.now();
  return context.database.transaction(async (tx) => {
    const left = await tx
      .insertInto("castellan.absent_servers")
      .values(guildIds.map((guild_id) => ({ guild_id, since_ms })))
      .onConflict((conflict) => conflict.doNothing())
      .returning("guild_id")
      .execute();
    const suspended = await tx
      .updateTable("castellan.links")
      .set({ suspended_at_ms: since_ms, suspended_reason: removed })
      .where("guild_id", "in", guildIds)
      .where("suspended_at_ms", "is", null)
      .returning(["guild_id", "channel_id"])
      .execute();
    await announce(context, tx, suspended, "suspended", removed);
    return left.map(({ guild_id }) => guild_id);
  });
}

/** The bot is in these servers: links suspended by its removal work again. Returns the servers that it has just joined. */
export async function enterServers(context: BotContext, guildIds: readonly string[]): Promise<string[]> {
  if (guildIds.length === 0) return [];
  return context.database.transaction(async (tx) => {
    const back = await tx
      .deleteFrom("castellan.absent_servers")
      .where("guild_id", "in", guildIds)
      .returning("guild_id")
      .execute();
    if (back.length === 0) return [];
    const entered = back.map(({ guild_id }) => guild_id);
    const restored = await tx
      .updateTable("castellan.links")
      .set({ suspended_at_ms: null, suspended_reason: null })
      .where("guild_id", "in", entered)
      .where("suspended_reason", "=", removed)
      .returning(["guild_id", "channel_id"])
      .execute();
    await announce(context, tx, restored, "restored", "");
    return entered;
  });
}

async function announce(
  context: BotContext,
  tx: Tx,
  links: readonly { guild_id: string; channel_id: string }[],
  change: "suspended" | "restored",
  reason: string,
): Promise<void> {
  for (const { guild_id: guildId, channel_id: channelId } of links) {
    await announceLink(context, tx, { guildId, channelId, change, reason });
  }
}

/** Servers with a link, a feed or a recorded absence. */
export async function findKnownServers({ database }: BotContext): Promise<string[]> {
  const rows = await database.query
    .selectFrom("castellan.links")
    .select("guild_id")
    .union((query) => query.selectFrom("castellan.feeds").select("guild_id"))
    .union((query) => query.selectFrom("castellan.absent_servers").select("guild_id"))
    .execute();
  return rows.map(({ guild_id }) => guild_id);
}

/**
 * Removes the capabilities of roles that the server no longer has. `hasRole` is called after the rows were read, so that a
 * role keeps capabilities given while it is being created.
 */
export async function removeDeletedRoles(
  { database }: BotContext,
  guildId: string,
  hasRole: (roleId: string) => boolean,
): Promise<void> {
  const rows = await database.query
    .selectFrom("castellan.capabilities")
    .select("role_id")
    .distinct()
    .where("guild_id", "=", guildId)
    // The @everyone role has the server's own id.
    .where("role_id", "!=", guildId)
    .execute();
  const gone = rows.map(({ role_id }) => role_id).filter((roleId) => !hasRole(roleId));
  if (gone.length === 0) return;
  await database.query
    .deleteFrom("castellan.capabilities")
    .where("guild_id", "=", guildId)
    .where("role_id", "in", gone)
    .execute();
}
