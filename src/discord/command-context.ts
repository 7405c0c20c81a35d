import { GuildMember, MessageFlags, PermissionFlagsBits, type BaseInteraction, type Guild } from "discord.js";
import type { Actor, BotContext, RoomAccess } from "../bot-context.ts";
import { withTimeout } from "../async.ts";
import { en, type Texts } from "../languages/en.ts";
import { textsFor } from "../languages/languages.ts";
import { TranslatedError } from "../languages/translated-error.ts";
import type { Drawer } from "../drawing/drawer.ts";
import type { Rooms } from "../feed/rooms.ts";
import { onBehalfOf } from "../contract/on-behalf.ts";
import type { RuleThreads } from "../rules/threads/rule-threads.ts";
import {
  explainSilentMention,
  findMissing,
  kindOfRoom,
  ownPermissions,
  type SilentMention,
} from "./room-permissions.ts";
import type { View } from "./view.ts";

/** Shared by all commands. */
export interface DiscordContext extends BotContext {
  rooms: Rooms;
  ruleThreads: RuleThreads;
  drawer: Drawer;
  /** Discord's ids of commands such as "feed add", as far as known. Texts use them to mention commands. */
  commandIds?: ReadonlyMap<string, string>;
  /** Milliseconds for creating a form, if different from Discord's documented value. */
  formTimeoutMs?: number;
}

/** The shared context and the data of one interaction. */
export interface CommandContext extends DiscordContext {
  actor: Actor;
  /** In the actor's language. */
  texts: Texts;
  /** The actor's and the bot's present permissions in a room; undefined for a room outside this server. */
  roomAccess(roomId: string): RoomAccess | undefined;
  /** Why Discord would notify nobody if the bot mentioned a role in a room; undefined if it would, or if this is unknown. */
  silentMention(roomId: string, roleId: string): SilentMention | undefined;
  /** A room's name, as far as Discord has reported it; undefined for a room outside this server. */
  roomName(roomId: string): string | undefined;
  /** A person's name in this server, or else in Discord; undefined if Discord does not return it in time. */
  personName(userId: string): Promise<string | undefined>;
  /** Whether only the actor sees the answer, as for a typed command. */
  isPrivate: boolean;
  /** Shows the progress of a long answer in its place. Failures to show it are ignored. */
  showProgress(view: View): Promise<void>;
}

/** The context of the interaction's command. Throws `invalid_input` outside of servers. */
export function toCommandContext(
  context: DiscordContext,
  interaction: BaseInteraction,
  showProgress: CommandContext["showProgress"] = async () => {},
): CommandContext {
  const actor = readActor(interaction);
  return {
    ...onBehalf(context, actor),
    actor,
    texts: textsFor(interaction.locale),
    roomAccess: (roomId) => readRoomAccess(interaction, roomId),
    silentMention: (roomId, roleId) => readSilentMention(interaction, roomId, roleId),
    roomName: (roomId) => interaction.guild?.channels.cache.get(roomId)?.name,
    personName: (userId) => readPersonName(interaction, userId),
    isPrivate: !interaction.isMessageComponent() || interaction.message.flags.has(MessageFlags.Ephemeral),
    showProgress,
  };
}

/** Calls to the live network are counted for this person. */
export function onBehalf<Context extends BotContext>(context: Context, actor: Actor): Context {
  const { live, network, hasKnownRights } = context;
  if (!live) return context;
  const { guildId, userId } = actor;
  let known: Promise<boolean> | undefined;
  const hasRights = async () => {
    known ??= hasKnownRights(actor);
    // The network may have returned their name since.
    return (await known) || live.budget.askers.isStaff(guildId, userId);
  };
  return { ...context, network: onBehalfOf(network, { guildId, userId, hasRights }) };
}

/** Milliseconds that Discord has to return a name. */
const nameWithin = 2000;

async function readPersonName(
  { guild, client }: Pick<BaseInteraction, "guild" | "client">,
  userId: string,
): Promise<string | undefined> {
  const known = guild?.members.cache.get(userId);
  if (known) return known.displayName;
  // For someone who has left the server, use the account's name, if it was seen.
  const asked = guild?.members.fetch(userId).then(
    (member) => member.displayName,
    () => undefined,
  );
  const told = asked && (await withTimeout(asked, nameWithin, () => undefined));
  return told ?? client.users.cache.get(userId)?.displayName;
}

/** The same for a member who uses the console instead of a Discord room. */
export function asMember(context: DiscordContext, member: GuildMember): CommandContext {
  const { guild } = member;
  const actor = {
    userId: member.id,
    guildId: guild.id,
    roomId: "",
    roleIds: roleIdsOf(member),
    managesServer: member.permissions.has(PermissionFlagsBits.ManageGuild),
  };
  return {
    ...onBehalf(context, actor),
    actor,
    texts: en,
    roomAccess: (roomId) => readAccessIn(guild, member, roomId),
    silentMention: (roomId, roleId) => silentMentionIn(guild, roleId, ownPermissions(guild, roomId)),
    roomName: (roomId) => guild.channels.cache.get(roomId)?.name,
    personName: (userId) => readPersonName(member, userId),
    isPrivate: true,
    showProgress: async () => {},
  };
}

/** The actor of an interaction, using only its signed data and nothing from our cache. */
function readActor(interaction: BaseInteraction): Actor {
  const { guildId, channelId, member } = interaction;
  if (!guildId || !channelId || !member) {
    throw new TranslatedError("invalid_input", ({ errors }) => errors.onlyInServers);
  }
  return {
    userId: interaction.user.id,
    guildId,
    roomId: channelId,
    roleIds: readRoleIds(member),
    managesServer: interaction.memberPermissions?.has(PermissionFlagsBits.ManageGuild) ?? false,
  };
}

/**
 * Role ids from the payload. The members of discord.js expose only roles in its cache; the ids are in a private field.
 */
function readRoleIds(member: NonNullable<BaseInteraction["member"]>): readonly string[] {
  return member instanceof GuildMember ? roleIdsOf(member) : member.roles;
}

function roleIdsOf(member: GuildMember): readonly string[] {
  // GuildMember#_roles in discord.js 14: the member's role ids in this payload.
  const { _roles: roleIds } = member as unknown as { _roles: readonly string[] };
  return roleIds;
}

/**
 * The permissions that the actor and the bot lack for posting in a room of the actor's server. For the current room
 * the interaction contains them. For others they are computed from roles and overwrites, which the gateway keeps
 * current.
 */
function readRoomAccess(interaction: BaseInteraction, roomId: string): RoomAccess | undefined {
  const { guild, member, memberPermissions, appPermissions } = interaction;
  if (roomId === interaction.channelId) {
    const kind = kindOfRoom(interaction.channel);
    return {
      actorLacks: findMissing(memberPermissions, kind, "posting"),
      botLacks: findMissing(appPermissions, kind, "feeding"),
    };
  }
  return guild && member instanceof GuildMember ? readAccessIn(guild, member, roomId) : undefined;
}

function readAccessIn(guild: Guild, member: GuildMember, roomId: string): RoomAccess | undefined {
  const room = guild.channels.cache.get(roomId);
  if (!room) return undefined;
  const kind = kindOfRoom(room);
  return {
    actorLacks: findMissing(room.permissionsFor(member), kind, "posting"),
    botLacks: findMissing(ownPermissions(guild, roomId), kind, "feeding"),
  };
}

/** The interaction contains the chosen role, and the bot's permissions in its room. */
function readSilentMention(
  interaction: BaseInteraction,
  roomId: string,
  roleId: string,
): SilentMention | undefined {
  const { guild, channelId, appPermissions } = interaction;
  const held = roomId === channelId ? appPermissions : guild && ownPermissions(guild, roomId);
  const chosen = interaction.isChatInputCommand()
    ? interaction.options.resolved?.roles?.get(roleId)
    : undefined;
  if (chosen) return explainSilentMention(held, chosen);
  return guild ? silentMentionIn(guild, roleId, held) : undefined;
}

function silentMentionIn(
  guild: Guild,
  roleId: string,
  held: ReturnType<typeof ownPermissions>,
): SilentMention | undefined {
  const role = guild.roles.cache.get(roleId);
  // During an outage the server's roles are unknown.
  return role || guild.available ? explainSilentMention(held, role) : undefined;
}
