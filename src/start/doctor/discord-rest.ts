import {
  ChannelType,
  DefaultRestOptions,
  DiscordAPIError,
  OverwriteType,
  PermissionFlagsBits,
  PermissionsBitField,
  REST,
  RESTJSONErrorCodes,
  Routes,
  type APIApplication,
  type APIChannel,
  type APIGuildMember,
  type APIRole,
  type APIThreadChannel,
} from "discord.js";
import type { Refusals } from "../../discord/count-refusals.ts";
import { explainRefusal } from "../../discord/explain-refusal.ts";
import {
  explainSilentMention,
  feedingPermissions,
  findMissing,
  type RoomKind,
  type SilentMention,
} from "../../discord/room-permissions.ts";
import { AppError } from "../../errors.ts";

/** The link with which a server's owner adds the bot, with the scopes and permissions that it needs. */
export function inviteLink(applicationId: string): string {
  return `https://discord.com/oauth2/authorize?client_id=${applicationId}&scope=bot+applications.commands&permissions=${feedingPermissions}`;
}

/** Discord reads for doctor, setup and imports, each once, without waiting or retries. */
export interface DiscordReader {
  /** Throws `invalid_configuration` for a token that Discord rejects, and `discord_unreachable`. */
  application(): Promise<Pick<APIApplication, "id" | "name" | "approximate_guild_count">>;
  /**
   * The bot's missing permissions in a room or thread of a server; undefined if the server has none with that id. Throws
   * `not_found` for a server without the bot.
   */
  lacksIn(guildId: string, roomId: string): Promise<string[] | undefined>;
  /** Why a mention of a role would notify nobody in an existing room; undefined if it notifies. */
  silentMentionIn(guildId: string, roomId: string, roleId: string): Promise<SilentMention | undefined>;
  /** Throws like `lacksIn`. */
  hasRole(guildId: string, roleId: string): Promise<boolean>;
  isUser(userId: string): Promise<boolean>;
}

/** Milliseconds. */
const timeoutMs = 10_000;

export function createDiscordReader({
  token,
  api,
  refusals,
}: {
  token: string;
  api: string;
  /** Counts the calls that Discord refuses. */
  refusals?: Pick<Refusals, "watch"> | undefined;
}): DiscordReader {
  const counted = refusals && { makeRequest: refusals.watch(DefaultRestOptions.makeRequest) };
  const rest = new REST({ api, version: "10", timeout: timeoutMs, retries: 0, ...counted }).setToken(token);
  const servers = new Map<string, Promise<Server>>();
  const rooms = new Map<string, Promise<KnownRoom | undefined>>();

  // Each route's response has the documented shape.
  const get = (route: `/${string}`) =>
    rest.get(route).catch((error: unknown) => {
      throw explainRefusal(error);
    });
  /** undefined for an id that Discord does not know, or does not show the bot. */
  const find = (route: `/${string}`) =>
    get(route).catch((error: unknown) => {
      if (error instanceof AppError && isUnknown(error.cause)) return undefined;
      throw error;
    });

  const application = async () => (await get(Routes.currentApplication())) as APIApplication;

  async function readServer(guildId: string): Promise<Server> {
    const { id: botId } = (await get(Routes.user())) as { id: string };
    const [roles, member, rooms] = await Promise.all([
      find(Routes.guildRoles(guildId)) as Promise<APIRole[] | undefined>,
      find(Routes.guildMember(guildId, botId)) as Promise<APIGuildMember | undefined>,
      find(Routes.guildChannels(guildId)) as Promise<APIChannel[] | undefined>,
    ]);
    if (!roles || !member || !rooms) {
      throw new AppError("not_found", `Castellan is not in the Discord server ${guildId}.`);
    }
    return { guildId, botId, roles, member, rooms };
  }

  function findServer(guildId: string): Promise<Server> {
    const server = servers.get(guildId) ?? readServer(guildId);
    servers.set(guildId, server);
    return server;
  }

  async function readRoom(guildId: string, roomId: string): Promise<KnownRoom | undefined> {
    const server = await findServer(guildId);
    const room = server.rooms.find(({ id }) => id === roomId);
    if (room && !takesPosts(room)) return undefined;
    if (room) return { server, held: permissionsIn(server, room), kind: "room" };
    // Threads are not in the list of rooms.
    const thread = (await find(Routes.channel(roomId))) as APIThreadChannel | undefined;
    const parent = server.rooms.find(({ id }) => id === thread?.parent_id);
    return thread && parent && { server, held: permissionsIn(server, parent), kind: "thread" };
  }

  function findRoom(guildId: string, roomId: string): Promise<KnownRoom | undefined> {
    const key = `${guildId} ${roomId}`;
    const room = rooms.get(key) ?? readRoom(guildId, roomId);
    rooms.set(key, room);
    return room;
  }

  return {
    application,
    async lacksIn(guildId, roomId) {
      const room = await findRoom(guildId, roomId);
      return room && findMissing(room.held, room.kind, "feeding");
    },
    async silentMentionIn(guildId, roomId, roleId) {
      const room = await findRoom(guildId, roomId);
      return (
        room &&
        explainSilentMention(
          room.held,
          room.server.roles.find(({ id }) => id === roleId),
        )
      );
    },
    async hasRole(guildId, roleId) {
      const { roles } = await findServer(guildId);
      return roles.some(({ id }) => id === roleId);
    },
    isUser: async (userId) => (await find(Routes.user(userId))) !== undefined,
  };
}

const unknownCodes: readonly (string | number)[] = [
  RESTJSONErrorCodes.UnknownGuild,
  RESTJSONErrorCodes.UnknownMember,
  RESTJSONErrorCodes.UnknownUser,
  RESTJSONErrorCodes.UnknownChannel,
  RESTJSONErrorCodes.MissingAccess,
  // Not an id that Discord could have given.
  RESTJSONErrorCodes.InvalidFormBodyOrContentType,
];

function isUnknown(error: unknown): boolean {
  return error instanceof DiscordAPIError && unknownCodes.includes(error.code);
}

/** Categories and forums only contain others that do. */
function takesPosts({ type }: APIChannel): boolean {
  return ![
    ChannelType.GuildCategory,
    ChannelType.GuildForum,
    ChannelType.GuildMedia,
    ChannelType.GuildDirectory,
  ].includes(type);
}

interface Server {
  guildId: string;
  botId: string;
  roles: APIRole[];
  member: APIGuildMember;
  rooms: APIChannel[];
}

interface KnownRoom {
  server: Server;
  /** The bot's permissions there. */
  held: PermissionsBitField;
  kind: RoomKind;
}

/** As documented by Discord: roles, then the room's overwrites for everybody, for roles, for the member. */
function permissionsIn({ guildId, botId, roles, member }: Server, room: APIChannel): PermissionsBitField {
  const own = roles.filter(({ id }) => id === guildId || member.roles.includes(id));
  const granted = own.reduce((bits, { permissions }) => bits | BigInt(permissions), 0n);
  if ((granted & PermissionFlagsBits.Administrator) !== 0n)
    return new PermissionsBitField(PermissionsBitField.All);
  const overwrites = ("permission_overwrites" in room && room.permission_overwrites) || [];
  const steps = [
    overwrites.filter(({ id }) => id === guildId),
    overwrites.filter(
      ({ id, type }) => type === OverwriteType.Role && id !== guildId && member.roles.includes(id),
    ),
    overwrites.filter(({ id, type }) => type === OverwriteType.Member && id === botId),
  ];
  const held = steps.reduce((bits, step) => {
    const denied = step.reduce((all, { deny }) => all | BigInt(deny), 0n);
    const allowed = step.reduce((all, { allow }) => all | BigInt(allow), 0n);
    return (bits & ~denied) | allowed;
  }, granted);
  return new PermissionsBitField((held & PermissionFlagsBits.ViewChannel) === 0n ? 0n : held);
}
