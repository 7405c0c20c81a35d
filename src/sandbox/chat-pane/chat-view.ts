import { PermissionFlagsBits } from "discord-api-types/v10";
import { offeredCommands } from "../discord/actions/run-command.ts";
import type { Context } from "../discord/context.ts";
import { guildRooms } from "../discord/payloads/guild.ts";
import { messagePayload } from "../discord/payloads/message.ts";
import type { PermissionName } from "../discord/world/permissions.ts";
import type { Guild, Message, Room } from "../discord/world/world.ts";

/** Everything that the chat pane shows besides messages, as one person sees it. */
export function chatView(context: Context, userId: string, tour: boolean) {
  const { world, gateway, grants } = context;
  const bot = world.users.get(world.applicationId);
  const guilds = [...world.guilds.values()];
  const direct = [...world.rooms.values()].filter((room) => room.recipientId === userId);
  // The console has registered the address to which it wants people back.
  const [redirectUri] = grants.redirectUris;
  return {
    bot: { id: world.applicationId, name: bot?.displayName ?? "", online: gateway.online() },
    people: chatPeople(context),
    guilds: guilds.map((guild) => ({
      id: guild.id,
      name: guild.name,
      roles: guild.roles.map(({ id, name, color }) => ({ id, name, color })),
      rooms: guildRooms(world, guild.id).map(roomView),
      commands: offeredCommands(world, guild, userId),
    })),
    directRooms: direct.map(roomView),
    console: redirectUri && new URL("/console", redirectUri).href,
    /** Whether the first room begins with the steps through the sample network. */
    tour,
  };
}
export type ChatView = ReturnType<typeof chatView>;
export type ChatGuild = ChatView["guilds"][number];
export type ChatRoom = ChatGuild["rooms"][number];
export type ChatPerson = ChatView["people"][number];

/** All people you can act as or meet, in their given order. */
export function chatPeople({ world }: Context) {
  const guilds = [...world.guilds.values()];
  const members = new Set(guilds.flatMap((guild) => guild.members.map(({ userId }) => userId)));
  return [...world.users.values()]
    .filter(({ id, bot }) => !bot && members.has(id))
    .map(({ id, username, displayName }) => ({
      id,
      username,
      displayName,
      roles: rolesOf(guilds, id),
      roleIds: guilds.flatMap((guild) => guild.members.find((member) => member.userId === id)?.roleIds ?? []),
    }));
}

function rolesOf(guilds: readonly Guild[], userId: string): string[] {
  const owned = guilds.some((guild) => guild.ownerId === userId) ? ["Owner"] : [];
  const named = guilds.flatMap((guild) => {
    const ids = guild.members.find((member) => member.userId === userId)?.roleIds ?? [];
    return guild.roles.filter(({ id }) => ids.includes(id)).map(({ name }) => name);
  });
  return [...new Set([...owned, ...named])];
}

/** The bot's permissions that the page can switch off in a room. */
export const switchable = ["ViewChannel", "SendMessages", "EmbedLinks"] as const satisfies PermissionName[];

function roomView({ id, name, topic, botDenied, recipientId }: Room) {
  const denied = switchable.filter((one) => BigInt(botDenied) & PermissionFlagsBits[one]);
  return { id, name, topic, denied, direct: recipientId !== null };
}

export function messageView(context: Context, message: Message) {
  return { ...messagePayload(context.world, message, ""), visible_to: message.visibleTo };
}
export type ChatMessage = ReturnType<typeof messageView>;
