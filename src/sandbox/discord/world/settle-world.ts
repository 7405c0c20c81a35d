import { allPermissions, permission } from "../numbers.ts";
import { createSnowflakes, compareIds, type Snowflakes } from "../snowflake.ts";
import type { Clock } from "../../../clock.ts";
import { botIsIn } from "./permissions.ts";
import type { Journal } from "./journal.ts";
import type { Guild, Role, User, World } from "./world.ts";

/** A person of the sandbox. Without an id they get one at the first start and keep it. */
export interface Person {
  id?: string;
  username: string;
  displayName: string;
  /** Names of the guild's roles that they have. */
  roles?: string[];
}

export interface RolePlan {
  id?: string;
  name: string;
  permissions?: bigint;
  color?: number;
}

export interface RoomPlan {
  id?: string;
  name: string;
  topic?: string;
  /** A text room unless said. */
  type?: number;
}

export interface GuildPlan {
  id?: string;
  name: string;
  /** Username of its owner. */
  owner: string;
  roles?: RolePlan[];
  rooms: RoomPlan[];
}

export interface WorldPlan {
  botName: string;
  people: readonly Person[];
  guilds: readonly GuildPlan[];
}

/** The role that the bot gets with its invitation. */
export const botRoleName = "Castellan";

const everyone =
  permission.viewChannel |
  permission.sendMessages |
  permission.sendMessagesInThreads |
  permission.embedLinks |
  permission.attachFiles |
  permission.readMessageHistory |
  permission.useApplicationCommands;

/** Makes the world hold what the plan asks for, keeping ids, messages and permissions of earlier starts. */
export function settleWorld(journal: Journal, plan: WorldPlan, clock: Clock): Snowflakes {
  const { world } = journal;
  const boot = world.boot + 1;
  const nextId = createSnowflakes(clock, boot, largestId(world));
  const applicationId = world.applicationId === "0" ? nextId() : world.applicationId;
  journal.record({ kind: "boot", number: boot, applicationId });
  journal.record({
    kind: "user",
    user: { id: applicationId, username: plan.botName, displayName: "Castellan", bot: true },
  });
  const people = plan.people.map((person) => ({ person, user: settlePerson(journal, person, nextId) }));
  for (const guild of plan.guilds) settleGuild(journal, guild, people, nextId);
  return nextId;
}

function largestId(world: World): string {
  const newest = [...world.messages.values()].map((messages) => messages.at(-1)?.id ?? "0");
  return [world.applicationId, ...world.rooms.keys(), ...newest].toSorted(compareIds).at(-1) ?? "0";
}

function settlePerson({ world, record }: Journal, person: Person, nextId: Snowflakes): User {
  const known = [...world.users.values()].find((user) =>
    person.id === undefined ? user.username === person.username && !user.bot : user.id === person.id,
  );
  const id = person.id ?? known?.id ?? nextId();
  const user = { id, username: person.username, displayName: person.displayName, bot: false };
  record({ kind: "user", user });
  return user;
}

/** Makes a guild as it is planned, and gives its id. */
export function settleGuild(
  { world, record }: Pick<Journal, "world" | "record">,
  plan: GuildPlan,
  people: { person: Person; user: User }[],
  nextId: Snowflakes,
): string {
  const known = [...world.guilds.values()].find((guild) =>
    plan.id ? guild.id === plan.id : guild.name === plan.name,
  );
  const id = plan.id ?? known?.id ?? nextId();
  const roles = settleRoles(id, plan.roles ?? [], known, nextId);
  const members = people.map(({ person, user }) => ({
    userId: user.id,
    roleIds: roles.filter((role) => person.roles?.includes(role.name)).map((role) => role.id),
  }));
  const botRole = roles.filter((role) => role.name === botRoleName).map((role) => role.id);
  // Thrown out, it stays out until somebody invites it again.
  if (!known || botIsIn(world, id)) members.push({ userId: world.applicationId, roleIds: botRole });
  const ownerId = people.find(({ user }) => user.username === plan.owner)?.user.id ?? id;
  record({ kind: "guild", guild: { id, name: plan.name, ownerId, roles, members } });
  for (const [position, room] of plan.rooms.entries()) {
    const kept = [...world.rooms.values()].find(
      (other) => other.guildId === id && (room.id ? other.id === room.id : other.name === room.name),
    );
    const { name, topic = "" } = room;
    const type = room.type === undefined ? {} : { type: room.type };
    const roomId = room.id ?? kept?.id ?? nextId();
    const botDenied = kept?.botDenied ?? "0";
    record({
      kind: "room",
      room: { id: roomId, guildId: id, recipientId: null, name, topic, position, botDenied, ...type },
    });
  }
  return id;
}

function settleRoles(
  guildId: string,
  plans: RolePlan[],
  known: Guild | undefined,
  nextId: Snowflakes,
): Role[] {
  const bot: RolePlan = {
    name: botRoleName,
    permissions: everyone | permission.manageMessages,
    color: 0x5b8def,
  };
  const base: Role = { id: guildId, name: "@everyone", permissions: String(everyone), color: 0, position: 0 };
  const rest = [...plans, bot].map((plan, index) => ({
    id: plan.id ?? known?.roles.find((role) => role.name === plan.name)?.id ?? nextId(),
    name: plan.name,
    permissions: String((plan.permissions ?? 0n) & allPermissions),
    color: plan.color ?? 0,
    position: index + 1,
  }));
  return [base, ...rest];
}
