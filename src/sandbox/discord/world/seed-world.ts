import { type ChannelType, PermissionFlagsBits } from "discord-api-types/v10";
import type { Clock } from "../../../clock.ts";
import { compareIds, createSnowflakes, type Snowflakes } from "../snowflake.ts";
import type { Journal } from "./journal.ts";
import { allPermissions, botIsIn } from "./permissions.ts";
import type { Guild, Role, Room, User, World } from "./world.ts";

/** A person of the sandbox. Without an id they get one at the first start and keep it. */
export interface Person {
  id?: string;
  username: string;
  displayName: string;
  /** The names of the person's guild roles. */
  roles?: string[];
}

export interface RolePlan {
  id?: string;
  name: string;
  permissions?: bigint;
  color?: number;
  /** Whether anyone can mention it; false by default. */
  mentionable?: boolean;
}

export interface RoomPlan {
  id?: string;
  name: string;
  topic?: string;
  /** A text room by default. */
  type?: ChannelType;
}

export interface GuildPlan {
  id?: string;
  name: string;
  /** Username of its owner. */
  owner: string;
  roles?: RolePlan[];
  rooms: RoomPlan[];
  /** Opens commands to everybody under Integrations, regardless of their own permissions. */
  opensCommands?: boolean;
}

export interface WorldPlan {
  botName: string;
  people: readonly Person[];
  guilds: readonly GuildPlan[];
}

/** The role that the bot gets with its invitation. */
export const botRoleName = "Castellan";

const everyone =
  PermissionFlagsBits.ViewChannel |
  PermissionFlagsBits.SendMessages |
  PermissionFlagsBits.SendMessagesInThreads |
  PermissionFlagsBits.EmbedLinks |
  PermissionFlagsBits.AttachFiles |
  PermissionFlagsBits.ReadMessageHistory |
  PermissionFlagsBits.UseApplicationCommands;

/** Creates the plan's guilds, people and rooms, keeping ids, messages and permissions of earlier starts. */
export function seedWorld(journal: Journal, plan: WorldPlan, clock: Clock): Snowflakes {
  const { world } = journal;
  const boot = world.boot + 1;
  const nextId = createSnowflakes(clock, boot, largestId(world));
  const applicationId = world.applicationId === "0" ? nextId() : world.applicationId;
  journal.record({ kind: "boot", number: boot, applicationId });
  journal.record({
    kind: "user",
    user: { id: applicationId, username: plan.botName, displayName: "Castellan", bot: true },
  });
  const people = plan.people.map((person) => ({ person, user: seedPerson(journal, person, nextId) }));
  for (const guild of plan.guilds) seedGuild(journal, guild, people, nextId);
  return nextId;
}

function largestId(world: World): string {
  const newest = [...world.messages.values()].map((messages) => messages.at(-1)?.id ?? "0");
  return [world.applicationId, ...world.rooms.keys(), ...newest].toSorted(compareIds).at(-1) ?? "0";
}

function seedPerson({ world, record }: Journal, person: Person, nextId: Snowflakes): User {
  const known = [...world.users.values()].find((user) =>
    person.id === undefined ? user.username === person.username && !user.bot : user.id === person.id,
  );
  const id = person.id ?? known?.id ?? nextId();
  const { username, displayName } = person;
  const user = { ...known, id, username, displayName, bot: false };
  record({ kind: "user", user });
  return user;
}

/** Makes a guild as planned, and returns its id. */
export function seedGuild(
  { world, record }: Pick<Journal, "world" | "record">,
  plan: GuildPlan,
  people: { person: Person; user: User }[],
  nextId: Snowflakes,
): string {
  const known = [...world.guilds.values()].find((guild) =>
    plan.id ? guild.id === plan.id : guild.name === plan.name,
  );
  const id = plan.id ?? known?.id ?? nextId();
  const roles = seedRoles(id, plan.roles ?? [], known, nextId);
  const members = people.map(({ person, user }) => ({
    userId: user.id,
    roleIds: roles.filter((role) => person.roles?.includes(role.name)).map((role) => role.id),
  }));
  const botRole = roles.filter((role) => role.name === botRoleName).map((role) => role.id);
  // If the bot was kicked, it stays out until somebody invites it again.
  if (!known || botIsIn(world, id)) members.push({ userId: world.applicationId, roleIds: botRole });
  const ownerId = people.find(({ user }) => user.username === plan.owner)?.user.id ?? id;
  const access = plan.opensCommands ? [{ holderId: id, isAllowed: true }] : [];
  const { blockedWords = [], commandAccess = access } = known ?? {};
  const guild = { id, name: plan.name, ownerId, roles, members, blockedWords, commandAccess };
  record({ kind: "guild", guild });
  for (const [position, room] of plan.rooms.entries()) {
    record({ kind: "room", room: planRoom(world, id, room, position, nextId) });
  }
  return id;
}

function planRoom(world: World, guildId: string, plan: RoomPlan, position: number, nextId: Snowflakes): Room {
  const { name, topic = "", type } = plan;
  const known = [...world.rooms.values()].find(
    (other) => other.guildId === guildId && (plan.id ? other.id === plan.id : other.name === name),
  );
  const id = plan.id ?? known?.id ?? nextId();
  const { botDenied = "0", slowMode = 0 } = known ?? {};
  return {
    id,
    guildId,
    recipientId: null,
    name,
    topic,
    position,
    botDenied,
    slowMode,
    ...(type !== undefined && { type }),
  };
}

function seedRoles(guildId: string, plans: RolePlan[], known: Guild | undefined, nextId: Snowflakes): Role[] {
  const bot: RolePlan = {
    name: botRoleName,
    permissions: everyone | PermissionFlagsBits.ManageMessages,
    color: 0x5b8def,
  };
  const base: Role = { id: guildId, name: "@everyone", permissions: String(everyone), color: 0, position: 0 };
  const rest = [...plans, bot].map((plan, index) => {
    const old = known?.roles.find((role) => role.name === plan.name);
    return {
      id: plan.id ?? old?.id ?? nextId(),
      name: plan.name,
      permissions: String((plan.permissions ?? 0n) & allPermissions),
      color: plan.color ?? 0,
      position: index + 1,
      mentionable: plan.mentionable ?? old?.mentionable ?? false,
    };
  });
  return [base, ...rest];
}
