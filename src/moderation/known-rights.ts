import { sql } from "kysely";
import type { Actor, BotContext } from "../bot-context.ts";
import type { Requester } from "../contract/endpoint.ts";

/**
 * Whether somebody has rights in the server, without asking the network: by a role, by a proof, by having linked a
 * channel, by Manage Server if a channel is linked, or because the network recently listed them. Rights that everyone has
 * do not count.
 */
export async function hasKnownRights(
  { database, live }: Pick<BotContext, "database" | "live">,
  { guildId, userId, roleIds, managesServer }: Actor,
): Promise<boolean> {
  if (live?.budget.askers.isStaff(guildId, userId)) return true;
  const { rows } = await sql<{ known: boolean }>`
    select exists (select from castellan.capabilities
        where guild_id = ${guildId} and role_id = any(${[...roleIds]}::text[]) and role_id <> guild_id)
      or exists (select from castellan.staff_proofs where guild_id = ${guildId} and user_id = ${userId})
      or exists (select from castellan.links
        where guild_id = ${guildId} and (linked_by = ${userId} or ${managesServer})) as known
  `.execute(database.query);
  return rows[0]?.known ?? false;
}

/** The server as the requester of its own channels' staff: cached for a minute for everybody. */
export function serverRequester(guildId: string): Requester {
  return { guildId, hasRights: async () => true };
}

/** A response of the live network, at most a minute old. */
export function recall<T>(
  { live }: Pick<BotContext, "live">,
  key: string,
  load: () => Promise<T>,
): Promise<T> {
  return live ? live.budget.askers.recall(key, load) : load();
}
