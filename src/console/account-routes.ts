import type { FastifyInstance } from "fastify";
import type { BotContext } from "../bot-context.ts";
import { listRights } from "../moderation/authorize.ts";
import type { ConsoleParts } from "./console-parts.ts";
import type { Limits } from "./limits.ts";
import type { Visits } from "./visit.ts";

/** Servers in which somebody is looked for at once: Discord is asked about each. */
const mostAsked = 50;

interface Server {
  id: string;
  name: string;
  /** What one may do in each of its channels, by the capabilities' names. */
  channels: { id: string; may: readonly string[] }[];
}

/** Who one is, and where one may do what. */
export function addAccountRoutes(
  server: FastifyInstance,
  parts: ConsoleParts,
  visits: Visits,
  { requireSeldomLooked }: Limits,
): void {
  const { context, members } = parts;
  server.get("/console/api/me", async (request) => {
    const session = await visits.readSession(request);
    if (!session) return { user: null };
    const { userId, csrf } = session;
    await requireSeldomLooked(request, userId);
    const linked = await findLinkedServers(context);
    const here = members.servers().filter(({ id }) => linked.has(id));
    const looked = await Promise.all(here.slice(0, mostAsked).map((one) => lookIn(parts, one, userId)));
    return {
      user: { id: userId, name: (await members.nameOf(userId)) ?? userId },
      csrf,
      servers: looked.flatMap((one) => one ?? []).toSorted((a, b) => a.name.localeCompare(b.name)),
      // The others are reached by their address, /console/<server>.
      more: here.length > mostAsked,
    };
  });
  server.get("/console/api/servers/:server", async (request) => {
    const { actor } = await visits.enter(request);
    const one = members.servers().find(({ id }) => id === actor.guildId);
    return one && lookIn(parts, one, actor.userId);
  });
}

/** A server in which this person may do anything at all; undefined for any other. */
async function lookIn(
  { members }: ConsoleParts,
  { id, name }: { id: string; name: string },
  userId: string,
): Promise<Server | undefined> {
  const context = await members.enter(id, userId);
  if (!context) return undefined;
  const rights = await listRights(context, context.actor);
  const channels = [...rights].flatMap(([channelId, may]) =>
    may.length > 0 ? [{ id: channelId, may }] : [],
  );
  return channels.length > 0 || context.actor.managesServer ? { id, name, channels } : undefined;
}

async function findLinkedServers({ database }: BotContext): Promise<ReadonlySet<string>> {
  const rows = await database.query.selectFrom("castellan.links").select("guild_id").distinct().execute();
  return new Set(rows.map(({ guild_id }) => guild_id));
}
