import type { FastifyInstance } from "fastify";
import type { Context } from "../context.ts";
import { missingAccess, unknown } from "../discord-error.ts";
import { guildPayload, guildRooms, memberPayload, rolePayload, roomPayload } from "../payloads/guild.ts";
import { compareIds } from "../snowflake.ts";
import { botIsIn } from "../world/permissions.ts";
import type { Guild, World } from "../world/world.ts";

interface InGuild {
  Params: { guild: string };
  Querystring: { after?: string; limit?: string };
}

/** Guilds, their members, rooms and roles. */
export function addGuildRoutes(api: FastifyInstance, { world }: Context): void {
  api.get<InGuild>("/guilds/:guild", async ({ params }) => guildPayload(findGuild(world, params.guild)));
  api.get<InGuild>("/guilds/:guild/channels", async ({ params }) =>
    guildRooms(world, findGuild(world, params.guild).id).map((room) => roomPayload(world, room)),
  );
  api.get<InGuild>("/guilds/:guild/roles", async ({ params }) =>
    findGuild(world, params.guild).roles.map(rolePayload),
  );
  api.get<InGuild>("/guilds/:guild/members", async ({ params, query: { after = "0", limit = 1 } }) =>
    listMembers(world, params.guild)
      .filter(({ user }) => compareIds(user.id, after) > 0)
      .slice(0, Number(limit)),
  );
  api.get<{ Params: { guild: string; user: string } }>("/guilds/:guild/members/:user", async ({ params }) => {
    const member = listMembers(world, params.guild).find(({ user }) => user.id === params.user);
    if (!member) throw unknown("Member");
    return member;
  });
}

function findGuild(world: World, id: string): Guild {
  const guild = world.guilds.get(id);
  if (!guild) throw unknown("Guild");
  if (!botIsIn(world, id)) throw missingAccess();
  return guild;
}

function listMembers(world: World, guildId: string) {
  return findGuild(world, guildId)
    .members.toSorted((a, b) => compareIds(a.userId, b.userId))
    .flatMap((member) => {
      const user = world.users.get(member.userId);
      return user ? [memberPayload(member, user)] : [];
    });
}
