import type { FastifyInstance } from "fastify";
import { sql } from "kysely";
import { mapLimited } from "../async.ts";
import type { BotContext } from "../bot-context.ts";
import type { CommandContext } from "../discord/command-context.ts";
import { listRights } from "../moderation/authorize.ts";
import type { ConsoleParts } from "./console-parts.ts";
import type { Limits } from "./limits.ts";
import type { Visits } from "./session-context.ts";

/** Maximum number of servers to check for a person, because each one takes a call to Discord. */
const maxAsked = 50;
/** If Castellan serves more servers than this, only those with records of the person are checked. */
const maxAnyway = 10;
/** Servers checked at once. */
const together = 4;

/** A server in which the person has any permission. */
export interface Server {
  id: string;
  name: string;
  /** The person's capabilities in each of its channels, by name. */
  channels: { id: string; may: readonly string[] }[];
}

/** The signed-in person and their permissions. */
export interface SignedIn {
  user: { id: string; name: string };
  /** Sent with each request that changes something. */
  csrf: string;
  servers: Server[];
  /** Whether some servers were not checked. */
  more: boolean;
}
export type Me = SignedIn | { user: null };

/** The person's identity and the servers with their permissions. */
export function addAccountRoutes(
  server: FastifyInstance,
  parts: ConsoleParts,
  visits: Visits,
  { limitServerLookups }: Limits,
): void {
  const { context, members } = parts;
  server.get("/console/api/me", async (request): Promise<Me> => {
    const session = await visits.readSession(request);
    if (!session) return { user: null };
    const { userId, csrf } = session;
    await limitServerLookups(request, userId);
    const linked = await findLinkedServers(context, userId);
    const here = members.servers().filter(({ id }) => linked.has(id));
    const known = here.filter(({ id }) => linked.get(id) === true || members.wasSeen(id, userId));
    const asked = (here.length > maxAnyway ? known : here).slice(0, maxAsked);
    const looked = await mapLimited(asked, together, async (one) =>
      describeServer(one, await members.look(one.id, userId)),
    );
    return {
      user: { id: userId, name: (await members.nameOf(userId)) ?? userId },
      csrf,
      servers: looked.flatMap((one) => one ?? []).toSorted((a, b) => a.name.localeCompare(b.name)),
      // The others can be opened by their address, /console/<server>.
      more: here.length > asked.length,
    };
  });
  server.get("/console/api/servers/:server", async (request) => {
    const entered = await visits.enter(request);
    const one = members.servers().find(({ id }) => id === entered.actor.guildId);
    return one && describeServer(one, entered);
  });
}

/** A server in which this person has any permission; undefined for any other. */
async function describeServer(
  { id, name }: { id: string; name: string },
  context: CommandContext | undefined,
): Promise<Server | undefined> {
  if (!context) return undefined;
  const rights = await listRights(context, context.actor);
  const channels = [...rights].flatMap(([channelId, may]) =>
    may.length > 0 ? [{ id: channelId, may }] : [],
  );
  return channels.length > 0 || context.actor.managesServer ? { id, name, channels } : undefined;
}

/** Servers with a link, and whether our rows mention this person there. */
async function findLinkedServers(
  { database }: BotContext,
  userId: string,
): Promise<ReadonlyMap<string, boolean>> {
  const { rows } = await sql<{ guildId: string; names: boolean }>`
    select guild_id as "guildId", bool_or(linked_by = ${userId} or exists (
      select from castellan.staff_proofs as proof
      where proof.guild_id = link.guild_id and proof.user_id = ${userId})) as names
    from castellan.links as link group by guild_id
  `.execute(database.query);
  return new Map(rows.map(({ guildId, names }) => [guildId, names]));
}
