import { AppError } from "../../../errors.ts";
import type { Context } from "../context.ts";
import { guildCreatePayload, rolePayload } from "../payloads/guild.ts";
import { botRoleName, type GuildPlan, type Person, type RolePlan, settleGuild } from "./settle-world.ts";
import type { Guild } from "./world.ts";

/** What happens to whole guilds: by their owners, and by Discord's outages. */
export interface GuildChanges {
  /** Makes another guild of these people, with the bot in it; gives its id and its rooms' ids by name. */
  addGuild: (
    plan: GuildPlan,
    people: readonly Omit<Person, "displayName">[],
  ) => { guildId: string; rooms: Record<string, string> };
  /** Throws the bot out; its messages and commands stay. */
  removeBot: (guildId: string) => void;
  inviteBot: (guildId: string) => void;
  /** The guild is unavailable: also to a client that starts during it. */
  startOutage: (guildId: string) => void;
  endOutage: (guildId: string) => void;
  /** Makes a role, gives it to these user ids, and gives back its id. */
  addRole: (
    guildId: string,
    plan: Pick<RolePlan, "name" | "permissions">,
    holders: readonly string[],
  ) => string;
  removeRole: (guildId: string, roleId: string) => void;
}

export function changeGuild(context: Context): GuildChanges {
  const { world, gateway } = context;
  const find = (id: string): Guild => {
    const guild = world.guilds.get(id);
    if (!guild) throw new AppError("invalid_input", "There is no such server.");
    return guild;
  };
  const keep = (guild: Guild) => {
    context.record({ kind: "guild", guild });
    context.happened.tell({ kind: "rooms" });
  };
  const announce = (id: string) =>
    gateway.dispatch(id, "GUILD_CREATE", (intents) => guildCreatePayload(world, find(id), intents));
  return {
    addGuild(plan, people) {
      const users = [...world.users.values()];
      const members = people.flatMap((person) => {
        const user = users.find(({ username, bot }) => username === person.username && !bot);
        return user ? [{ person: { ...person, displayName: user.displayName }, user }] : [];
      });
      const guildId = settleGuild(context, plan, members, context.nextId);
      announce(guildId);
      context.happened.tell({ kind: "rooms" });
      const rooms = [...world.rooms.values()].filter((room) => room.guildId === guildId);
      return { guildId, rooms: Object.fromEntries(rooms.map(({ name, id }) => [name, id])) };
    },
    removeBot(guildId) {
      const guild = find(guildId);
      gateway.dispatch(guildId, "GUILD_DELETE", { id: guildId });
      keep({ ...guild, members: guild.members.filter(({ userId }) => userId !== world.applicationId) });
    },
    inviteBot(guildId) {
      const guild = find(guildId);
      const roleIds = guild.roles.filter(({ name }) => name === botRoleName).map(({ id }) => id);
      const others = guild.members.filter(({ userId }) => userId !== world.applicationId);
      keep({ ...guild, members: [...others, { userId: world.applicationId, roleIds }] });
      announce(guildId);
    },
    startOutage(guildId) {
      gateway.dispatch(guildId, "GUILD_DELETE", { id: guildId, unavailable: true });
      gateway.outages.add(guildId);
    },
    endOutage(guildId) {
      if (gateway.outages.delete(guildId)) announce(guildId);
    },
    addRole(guildId, { name, permissions = 0n }, holders) {
      const guild = find(guildId);
      const role = { id: context.nextId(), name, permissions: String(permissions), color: 0, position: 1 };
      const members = guild.members.map((member) =>
        holders.includes(member.userId) ? { ...member, roleIds: [...member.roleIds, role.id] } : member,
      );
      keep({ ...guild, members, roles: [...guild.roles, role] });
      gateway.dispatch(guildId, "GUILD_ROLE_CREATE", { guild_id: guildId, role: rolePayload(role) });
      return role.id;
    },
    removeRole(guildId, roleId) {
      const guild = find(guildId);
      const members = guild.members.map((member) => ({
        ...member,
        roleIds: member.roleIds.filter((id) => id !== roleId),
      }));
      keep({ ...guild, members, roles: guild.roles.filter(({ id }) => id !== roleId) });
      gateway.dispatch(guildId, "GUILD_ROLE_DELETE", { guild_id: guildId, role_id: roleId });
    },
  };
}
