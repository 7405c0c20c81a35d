// @ts-nocheck
import { AppError } from "../../../errors.ts";
import type { Guild, Message, Room, User, World } from "../world/world.ts";
import { findMessage } from "../world/apply-change.ts";

/** A person by id or username. */
export function findPerson(world: World, named: string): User {
  const users = [...world.users.values()];
  const user = world.users.get(named) ?? users.find(({ username, bot }) => username === named && !bot);
  if (!user || user.bot) throw new AppError("invalid_input", `There is nobody called ${named} here.`);
  return user;
}

/** A room by id or name, with the guild that it is in. */
export function findPlace(world: World, named: string): { room: Room; guild: Guild | null } {
  const rooms = [...world.rooms.values()];
  const room =
    world.rooms.get(named) ?? rooms.find(({ name, guildId }) => name === named && guildId !== null);
  if (!room) throw new AppError("invalid_input", `There is no room called ${named}.`);
  return { room, guild: room.guildId === null ? null : (world.guilds.get(room.guildId) ?? null) };
}

/** A message that this person can see. */
export function findVisible(world: World, room: Room, user: User, messageId: string): Message {
  const message = findMessage(world, room.id, messageId);
  if (!message || (message.visibleTo !== null && message.visibleTo !== user.id)) {
    throw new AppError("invalid_input", "That message is not there any more.");
  }
  return message;
}
