import type { Context } from "../../context.ts";
import { missingAccess, unknown } from "../../discord-error.ts";
import { guildPayload, guildRooms, rolePayload, roomPayload } from "../../payloads/guild.ts";
import { memberPayload } from "../../payloads/user.ts";
import { compareIds } from "../../snowflake.ts";
import { botIsIn } from "../../world/permissions.ts";
import type { Guild } from "../../world/world.ts";
import { ok } from "../exchange.ts";
import { route } from "../route.ts";

function findGuild({ world }: Context, id: string): Guild {
  const guild = world.guilds.get(id);
  if (!guild) throw unknown("Guild");
  if (!botIsIn(world, id)) throw missingAccess();
  return guild;
}

function memberPayloads({ world }: Context, guild: Guild) {
  return guild.members
    .toSorted((a, b) => compareIds(a.userId, b.userId))
    .flatMap((member) => {
      const user = world.users.get(member.userId);
      return user ? [memberPayload(member, user)] : [];
    });
}

/** Guilds, and who and what is in them. */
export const guildRoutes = [
  route("GET", "/guilds/:guild", (context, { parameters }) =>
    ok(guildPayload(findGuild(context, parameters.guild))),
  ),
  route("GET", "/guilds/:guild/channels", (context, { parameters }) => {
    const guild = findGuild(context, parameters.guild);
    return ok(guildRooms(context.world, guild.id).map((room) => roomPayload(context.world, room)));
  }),
  route("GET", "/guilds/:guild/roles", (context, { parameters }) =>
    ok(findGuild(context, parameters.guild).roles.map(rolePayload)),
  ),
  route("GET", "/guilds/:guild/members", (context, { parameters, query }) => {
    const after = query.get("after") ?? "0";
    const limit = Number(query.get("limit") ?? 1);
    const members = memberPayloads(context, findGuild(context, parameters.guild));
    return ok(members.filter(({ user }) => compareIds(user.id, after) > 0).slice(0, limit));
  }),
  route("GET", "/guilds/:guild/members/search", (context, { parameters, query }) => {
    const start = (query.get("query") ?? "").toLowerCase();
    const members = memberPayloads(context, findGuild(context, parameters.guild));
    const found = members.filter(({ user }) => user.username.toLowerCase().startsWith(start));
    return ok(found.slice(0, Number(query.get("limit") ?? 1)));
  }),
  route("GET", "/guilds/:guild/members/:user", (context, { parameters }) => {
    const members = memberPayloads(context, findGuild(context, parameters.guild));
    const member = members.find(({ user }) => user.id === parameters.user);
    if (!member) throw unknown("Member");
    return ok(member);
  }),
];
