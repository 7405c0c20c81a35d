import { sql } from "kysely";
import type { Actor, BotContext } from "../bot-context.ts";
import type { Requester } from "../contract/endpoint.ts";

/**
 * Whether somebody has rights in the server by what is known without asking the network: by a role, by a proof, by having linked a
 * channel, by Manage Server where one is linked, or because the network named them lately. Rights of everybody count for
 * nobody.
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

/** A server as a whole, for what it has to know of its own channels' staff: kept for a minute, whoever wants to know. */
export function serverRequester(guildId: string): Requester {
  return { guildId, hasRights: async () => true };
}

/** An answer of the live network, of a minute ago at most. */
export function recall<T>(
  { live }: Pick<BotContext, "live">,
  key: string,
  load: () => Promise<T>,
): Promise<T> {
  return live ? live.budget.askers.recall(key, load) : load();
}
