import { GatewayCloseCodes, GatewayOpcodes } from "discord-api-types/v10";
import { AppError } from "../../src/errors.ts";
import type { Context } from "../../src/sandbox/discord/context.ts";
import {
  guildCreatePayload,
  memberPayload,
  rolePayload,
  roomPayload,
} from "../../src/sandbox/discord/payloads/guild.ts";
import { changeThread, denyBot, findRoom, saveRoom } from "../../src/sandbox/discord/world/change-room.ts";
import { botMay, type PermissionName } from "../../src/sandbox/discord/world/permissions.ts";
import {
  botRoleName,
  type GuildPlan,
  type Person,
  type RolePlan,
  seedGuild,
} from "../../src/sandbox/discord/world/seed-world.ts";
import {
  globalScope,
  type CommandAccess,
  type Guild,
  type Role,
  type Thread,
} from "../../src/sandbox/discord/world/world.ts";

/** After these a session can be resumed. */
const resumableCodes: ReadonlySet<number> = new Set([
  GatewayCloseCodes.UnknownError,
  GatewayCloseCodes.UnknownOpcode,
  GatewayCloseCodes.DecodeError,
  GatewayCloseCodes.AlreadyAuthenticated,
  GatewayCloseCodes.RateLimited,
]);

export type DiscordControls = ReturnType<typeof createDiscordControls>;

/** Changes of guilds, rooms and the bot: by their owners, and by Discord outages. */
export function createDiscordControls(context: Context) {
  const { world, gateway } = context;
  return {
    /** Creates another guild with these people and the bot. Returns its id, and its rooms' ids by name. */
    addGuild(plan: GuildPlan, people: readonly Omit<Person, "displayName">[]) {
      const users = [...world.users.values()];
      const members = people.flatMap((person) => {
        const user = users.find(({ username, bot }) => username === person.username && !bot);
        return user ? [{ person: { ...person, displayName: user.displayName }, user }] : [];
      });
      const guildId = seedGuild(context, plan, members, context.nextId);
      announceGuild(context, guildId);
      context.happened.emit({ kind: "rooms" });
      const rooms = [...world.rooms.values()].filter((room) => room.guildId === guildId);
      return { guildId, rooms: Object.fromEntries(rooms.map(({ name, id }) => [name, id])) };
    },
    /** Kicks the bot; its messages and commands stay. */
    removeBot(guildId: string) {
      const guild = findGuild(context, guildId);
      gateway.dispatch(guildId, "GUILD_DELETE", { id: guildId });
      const members = guild.members.filter(({ userId }) => userId !== world.applicationId);
      saveGuild(context, { ...guild, members });
    },
    inviteBot(guildId: string) {
      const guild = findGuild(context, guildId);
      const roleIds = guild.roles.filter(({ name }) => name === botRoleName).map(({ id }) => id);
      const others = guild.members.filter(({ userId }) => userId !== world.applicationId);
      saveGuild(context, { ...guild, members: [...others, { userId: world.applicationId, roleIds }] });
      announceGuild(context, guildId);
    },
    /** Makes the guild unavailable, also to a client that starts meanwhile. */
    startOutage(guildId: string) {
      gateway.dispatch(guildId, "GUILD_DELETE", { id: guildId, unavailable: true });
      gateway.outages.add(guildId);
    },
    endOutage(guildId: string) {
      if (gateway.outages.delete(guildId)) announceGuild(context, guildId);
    },
    /** Creates a role, gives it to these users, and returns its id. */
    addRole(
      guildId: string,
      { name, permissions = 0n }: Pick<RolePlan, "name" | "permissions">,
      holders: readonly string[],
    ) {
      const guild = findGuild(context, guildId);
      const role = { id: context.nextId(), name, permissions: String(permissions), color: 0, position: 1 };
      const members = guild.members.map((member) =>
        holders.includes(member.userId) ? { ...member, roleIds: [...member.roleIds, role.id] } : member,
      );
      saveGuild(context, { ...guild, members, roles: [...guild.roles, role] });
      gateway.dispatch(guildId, "GUILD_ROLE_CREATE", { guild_id: guildId, role: rolePayload(role) });
      return role.id;
    },
    removeRole(guildId: string, roleId: string) {
      const guild = findGuild(context, guildId);
      const members = guild.members.map((member) => ({
        ...member,
        roleIds: member.roleIds.filter((id) => id !== roleId),
      }));
      saveGuild(context, { ...guild, members, roles: guild.roles.filter(({ id }) => id !== roleId) });
      gateway.dispatch(guildId, "GUILD_ROLE_DELETE", { guild_id: guildId, role_id: roleId });
    },
    changeRole: (guildId: string, roleId: string, permissions: bigint) =>
      changeRole(context, guildId, roleId, { permissions: String(permissions) }),
    /** Lets anyone mention a role, or only people who can mention all roles. */
    setMentionable: (guildId: string, roleId: string, mentionable: boolean) =>
      changeRole(context, guildId, roleId, { mentionable }),
    /** Gives a member exactly these roles. */
    setRoles(guildId: string, userId: string, roleIds: readonly string[]) {
      const guild = findGuild(context, guildId);
      const user = world.users.get(userId);
      if (!user) throw new AppError("invalid_input", "No user has that id.");
      const member = { userId, roleIds: [...roleIds] };
      const members = guild.members.map((other) => (other.userId === userId ? member : other));
      saveGuild(context, { ...guild, members });
      // Events about other members require the members intent.
      if (!user.bot) return;
      const payload = { ...memberPayload(member, user), guild_id: guildId };
      gateway.dispatch(guildId, "GUILD_MEMBER_UPDATE", payload);
    },
    /** From now on AutoMod blocks messages with these words; an empty list turns it off. */
    setBlockedWords(guildId: string, words: readonly string[]) {
      saveGuild(context, { ...findGuild(context, guildId), blockedWords: [...words] });
    },
    /** Sets who can use commands, in the server's settings under Integrations. */
    setCommandAccess(guildId: string, access: readonly CommandAccess[]) {
      saveGuild(context, { ...findGuild(context, guildId), commandAccess: [...access] });
    },
    /** Deletes the application's commands, as another program with its token could. */
    dropCommands() {
      context.record({ kind: "commands", scope: globalScope, commands: [] });
      context.happened.emit({ kind: "commands" });
    },
    /** Seconds between two messages; 0 turns it off. Discord documents that bots are exempt, but here the bot is not. */
    setSlowMode(roomId: string, slowMode: number) {
      saveRoom(context, { ...findRoom(context, roomId), slowMode }, "CHANNEL_UPDATE");
    },
    denyBot: (roomId: string, denied: readonly PermissionName[]) => denyBot(context, roomId, denied),
    /** Removes a room with its threads, or one thread. */
    removeRoom(roomId: string) {
      const room = findRoom(context, roomId);
      const payload = roomPayload(world, room);
      const threads = [...world.rooms.values()].filter(({ thread }) => thread?.parentId === roomId);
      const isAnnounced = !room.thread || botMay(world, room, "ViewChannel");
      for (const { id } of [room, ...threads]) context.record({ kind: "room_removed", roomId: id });
      if (isAnnounced)
        gateway.dispatch(room.guildId, room.thread ? "THREAD_DELETE" : "CHANNEL_DELETE", payload);
      context.happened.emit({ kind: "rooms" });
    },
    /** Opens a public thread in a room, and returns its id. */
    addThread(parentId: string, name: string) {
      const parent = findRoom(context, parentId);
      const thread = { parentId, archived: false, locked: false, createdAt: context.clock.now() };
      const id = context.nextId();
      saveRoom(context, { ...parent, id, name, topic: "", botDenied: "0", thread }, "THREAD_CREATE");
      return id;
    },
    /** Terminates every socket without a close frame. */
    drop() {
      for (const connection of gateway.connections) connection.terminate();
    },
    /** Closes every socket with a code. Also deletes the sessions if the code ends them permanently. */
    closeAll(code: number, reason = "") {
      if (!resumableCodes.has(code)) gateway.sessions.clear();
      for (const connection of gateway.connections) connection.close(code, reason);
    },
    /** From now on IDENTIFY and RESUME are answered with this close code, or not at all. Returns a function that ends this. */
    refuseIdentify(how: number | "silence") {
      gateway.identifyRefusal = how;
      return () => void (gateway.identifyRefusal = null);
    },
    /** Asks every client to reconnect (op 7). */
    askReconnect() {
      for (const connection of gateway.connections)
        connection.send({ op: GatewayOpcodes.Reconnect, d: null });
    },
    /** Tells every client that its session is invalid (op 9). */
    invalidate(resumable: boolean) {
      for (const connection of gateway.connections)
        connection.send({ op: GatewayOpcodes.InvalidSession, d: resumable });
      if (!resumable) gateway.sessions.clear();
    },
    /** From now on only this token is valid. */
    rotateToken(token: string) {
      context.token = token;
    },
    changeThread: (threadId: string, change: Partial<Pick<Thread, "archived" | "locked">>) =>
      changeThread(context, findRoom(context, threadId), change),
  };
}

function changeRole(context: Context, guildId: string, roleId: string, change: Partial<Role>): void {
  const guild = findGuild(context, guildId);
  const changed = guild.roles.find(({ id }) => id === roleId);
  if (!changed) throw new AppError("invalid_input", "There is no such role.");
  const role: Role = { ...changed, ...change };
  const roles = guild.roles.map((other) => (other.id === roleId ? role : other));
  saveGuild(context, { ...guild, roles });
  context.gateway.dispatch(guildId, "GUILD_ROLE_UPDATE", { guild_id: guildId, role: rolePayload(role) });
}

function findGuild({ world }: Context, id: string): Guild {
  const guild = world.guilds.get(id);
  if (!guild) throw new AppError("invalid_input", "There is no such server.");
  return guild;
}

function saveGuild(context: Context, guild: Guild): void {
  context.record({ kind: "guild", guild });
  context.happened.emit({ kind: "rooms" });
}

function announceGuild({ world, gateway }: Context, id: string): void {
  const guild = world.guilds.get(id);
  if (guild) gateway.dispatch(id, "GUILD_CREATE", (intents) => guildCreatePayload(world, guild, intents));
}
