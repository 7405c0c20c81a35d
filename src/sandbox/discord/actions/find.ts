import { AppError } from "../../../errors.ts";
import { findMessage, type Guild, type Message, type Room, type User, type World } from "../world/world.ts";

/** The actor and the place: ids or names. */
export interface Actor {
  user: string;
  room: string;
}

export interface Place {
  room: Room;
  /** Null in a direct room. */
  guild: Guild | null;
}

/** A person by id or username. */
export function findPerson(world: World, named: string): User {
  const users = [...world.users.values()];
  const user = world.users.get(named) ?? users.find(({ username, bot }) => username === named && !bot);
  if (!user || user.bot) throw new AppError("invalid_input", `There is nobody called ${named} here.`);
  return user;
}

/** A room by id or name, with its guild. */
export function findPlace(world: World, named: string): Place {
  const rooms = [...world.rooms.values()];
  const room =
    world.rooms.get(named) ?? rooms.find(({ name, guildId }) => name === named && guildId !== null);
  if (!room) throw new AppError("invalid_input", `There is no room called ${named}.`);
  return { room, guild: room.guildId === null ? null : (world.guilds.get(room.guildId) ?? null) };
}

export function findActor(world: World, { user, room }: Actor): Place & { user: User } {
  return { user: findPerson(world, user), ...findPlace(world, room) };
}

/** A message that this person can see. */
export function findVisible(world: World, room: Room, user: User, messageId: string): Message {
  const message = findMessage(world, room.id, messageId);
  if (!message || (message.visibleTo !== null && message.visibleTo !== user.id)) {
    throw new AppError("invalid_input", "That message no longer exists.");
  }
  return message;
}
