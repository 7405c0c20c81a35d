import { GuildMember, MessageFlags, PermissionFlagsBits, type BaseInteraction, type Guild } from "discord.js";
import type { Actor, BotContext, RoomAccess } from "../bot-context.ts";
import { withTimeout } from "../async.ts";
import { AppError } from "../errors.ts";
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

/** What all commands work with. */
export interface DiscordContext extends BotContext {
  rooms: Rooms;
  ruleThreads: RuleThreads;
  drawer: Drawer;
  /** Discord's ids of what can be typed ("ban add"), as far as they are known: by them a text mentions a command. */
  commandIds?: ReadonlyMap<string, string>;
  /** Milliseconds in which a form has to be made, where Discord waits for another time than it says. */
  formTimeoutMs?: number;
}

/** What a command works with: the same, and what comes with the interaction. */
export interface CommandContext extends DiscordContext {
  actor: Actor;
  /** What actor and bot may do in a room, as Discord says at this moment; undefined for none of this server. */
  roomAccess(roomId: string): RoomAccess | undefined;
  /** Why Discord would notify nobody if the bot mentioned a role in a room; undefined where it would, or is not known to. */
  silentMention(roomId: string, roleId: string): SilentMention | undefined;
  /** How a room of this server is called, as far as Discord has told; undefined for none of it. */
  roomName(roomId: string): string | undefined;
  /** How a person is called in this server, or else in Discord; undefined where Discord does not say in time. */
  personName(userId: string): Promise<string | undefined>;
  /** Whether the actor alone sees what stands in the answer's place, as they do where a command is typed. */
  isPrivate: boolean;
  /** Shows how far a long answer is, in its place; what cannot be shown is let go. */
  showProgress(view: View): Promise<void>;
}

/** The context of a command that this interaction asks for. Throws `invalid_input` outside of servers. */
export function toCommandContext(
  context: DiscordContext,
  interaction: BaseInteraction,
  showProgress: CommandContext["showProgress"] = async () => {},
): CommandContext {
  const actor = readActor(interaction);
  return {
    ...onBehalf(context, actor),
    actor,
    roomAccess: (roomId) => readRoomAccess(interaction, roomId),
    silentMention: (roomId, roleId) => readSilentMention(interaction, roomId, roleId),
    roomName: (roomId) => interaction.guild?.channels.cache.get(roomId)?.name,
    personName: (userId) => readPersonName(interaction, userId),
    isPrivate: !interaction.isMessageComponent() || interaction.message.flags.has(MessageFlags.Ephemeral),
    showProgress,
  };
}

/** What the live network is asked is asked for this person: each call counts there. */
export function onBehalf<Context extends BotContext>(context: Context, actor: Actor): Context {
  const { live, network, hasKnownRights } = context;
  if (!live) return context;
  const { guildId, userId } = actor;
  let known: Promise<boolean> | undefined;
  const hasRights = async () => {
    known ??= hasKnownRights(actor);
    // The network may have named them since.
    return (await known) || live.budget.askers.isStaff(guildId, userId);
  };
  return { ...context, network: onBehalfOf(network, { guildId, userId, hasRights }) };
}

/** Milliseconds in which Discord has to tell a name. */
const nameWithin = 2000;

async function readPersonName(
  { guild, client }: Pick<BaseInteraction, "guild" | "client">,
  userId: string,
): Promise<string | undefined> {
  const known = guild?.members.cache.get(userId);
  if (known) return known.displayName;
  // Who has left is no member any more: then there is the name of the account, if it was seen.
  const asked = guild?.members.fetch(userId).then(
    (member) => member.displayName,
    () => undefined,
  );
  const told = asked && (await withTimeout(asked, nameWithin, () => undefined));
  return told ?? client.users.cache.get(userId)?.displayName;
}

/** The same for a member of a server who is in no room of Discord: at the console. */
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
    roomAccess: (roomId) => readAccessIn(guild, member, roomId),
    silentMention: (roomId, roleId) => silentMentionIn(guild, roleId, ownPermissions(guild, roomId)),
    roomName: (roomId) => guild.channels.cache.get(roomId)?.name,
    personName: (userId) => readPersonName(member, userId),
    isPrivate: true,
    showProgress: async () => {},
  };
}

/** Who stands behind an interaction, from what Discord signed into it and nothing that we cached. */
function readActor(interaction: BaseInteraction): Actor {
  const { guildId, channelId, member } = interaction;
  if (!guildId || !channelId || !member) {
    throw new AppError("invalid_input", "Castellan works in a server, not in private messages.");
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
 * Role ids as the payload has them. What discord.js makes of a member shows only the roles that its cache knows; the ids
 * themselves it keeps in a private field, which no public one gives.
 */
function readRoleIds(member: NonNullable<BaseInteraction["member"]>): readonly string[] {
  return member instanceof GuildMember ? roleIdsOf(member) : member.roles;
}

function roleIdsOf(member: GuildMember): readonly string[] {
  // GuildMember#_roles of discord.js 14: the ids of the member in this payload.
  const { _roles: roleIds } = member as unknown as { _roles: readonly string[] };
  return roleIds;
}

/**
 * What actor and bot lack for posting in a room of the actor's server. For the room that they are in Discord says it in the
 * interaction; for others it follows from roles and overwrites, which the gateway keeps current.
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

/** A role that was chosen in this interaction comes with it, and so do the bot's permissions in the room where it was typed. */
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
  // In an outage the server's roles are not known.
  return role || guild.available ? explainSilentMention(held, role) : undefined;
}
