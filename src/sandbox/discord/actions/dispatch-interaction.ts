import { InteractionContextType, InteractionType } from "discord-api-types/v10";
import type { Context } from "../context.ts";
import type { Interaction } from "../interactions/interactions.ts";
import { memberPayload, rolePayload, roomPayload, userPayload } from "../payloads/guild.ts";
import { attachmentPayload, messagePayload } from "../payloads/message.ts";
import { botPermissions, memberPermissions } from "../world/permissions.ts";
import type { Attachment, Guild, Message, User } from "../world/world.ts";
import type { Place } from "./find.ts";

/** A person's action that the bot must answer. */
interface UserAction extends Place {
  type: InteractionType;
  user: User;
  /** The full name, for commands. */
  name?: string;
  /** The message that the action was taken on. */
  source?: Message | null;
  opener?: Interaction;
  data: unknown;
}

/** Sends a person's action to the bot, and shows the person that it is pending. */
export function dispatchInteraction(context: Context, action: UserAction): Interaction {
  const { type, user, room, guild, name = null, source = null, opener = null } = action;
  const guildId = guild?.id ?? null;
  const opening = { type, userId: user.id, roomId: room.id, guildId, name, source, opener };
  const interaction = context.interactions.open(opening);
  if (type !== InteractionType.ApplicationCommandAutocomplete) {
    const { id: interactionId } = interaction;
    context.happened.emit({ kind: "interaction", userId: user.id, interactionId, state: "sent" });
  }
  context.gateway.dispatch(guildId, "INTERACTION_CREATE", interactionPayload(context, interaction, action));
  return interaction;
}

function interactionPayload({ world, origin }: Context, interaction: Interaction, action: UserAction) {
  const { user, room, guild, source } = action;
  const permissions = String(botPermissions(world, room));
  return {
    id: interaction.id,
    application_id: world.applicationId,
    type: interaction.type,
    token: interaction.token,
    version: 1,
    data: action.data,
    channel_id: room.id,
    channel: { ...roomPayload(world, room), permissions },
    app_permissions: permissions,
    locale: user.locale ?? "en-US",
    entitlements: [],
    attachment_size_limit: 10_485_760,
    ...(source && { message: messagePayload(world, source, origin) }),
    ...(guild
      ? guildPart(guild, user)
      : {
          user: userPayload(user),
          context: InteractionContextType.BotDM,
          authorizing_integration_owners: {},
        }),
  };
}

function guildPart(guild: Guild, user: User) {
  return {
    guild_id: guild.id,
    guild: { id: guild.id, locale: "en-US", features: [] },
    guild_locale: "en-US",
    member: memberIn(guild, user),
    context: InteractionContextType.Guild,
    authorizing_integration_owners: { 0: guild.id },
  };
}

/** A person as a member with their permissions, in the form that interactions contain. */
function memberIn(guild: Guild, user: User) {
  const member = guild.members.find(({ userId }) => userId === user.id) ?? { userId: user.id, roleIds: [] };
  return { ...memberPayload(member, user), permissions: String(memberPermissions(guild, user.id)) };
}

/** Entities that an interaction's data refers to by id. */
export interface NamedThings {
  userIds?: readonly string[];
  roomIds?: readonly string[];
  roleIds?: readonly string[];
  files?: readonly Attachment[];
  message?: Message;
}

/** The entities for the ids in an interaction's data. Like Discord, it omits kinds without entries. */
export function resolveThings(
  { world, origin }: Context,
  guild: Guild | null,
  { userIds = [], roomIds = [], roleIds = [], files = [], message }: NamedThings,
): { resolved?: Record<string, object> } {
  const users = userIds.flatMap((id) => world.users.get(id) ?? []);
  const members = guild ? users.map((user) => ({ id: user.id, ...partOfMember(guild, user) })) : [];
  const rooms = roomIds.flatMap((id) => world.rooms.get(id) ?? []);
  const kinds = {
    users: users.map((user) => [user.id, userPayload(user)]),
    members: members.map(({ id, ...member }) => [id, member]),
    channels: rooms.map((room) => {
      // Discord sends a partial room here, without its overwrites.
      const { permission_overwrites: _, ...part } = {
        permission_overwrites: [],
        ...roomPayload(world, room),
      };
      return [room.id, { ...part, permissions: "0" }];
    }),
    roles: (guild?.roles ?? [])
      .filter(({ id }) => roleIds.includes(id))
      .map((role) => [role.id, rolePayload(role)]),
    attachments: files.map((file) => [file.id, attachmentPayload(file, origin)]),
    messages: message ? [[message.id, messagePayload(world, message, origin)]] : [],
  };
  const found = Object.entries(kinds).filter(([, entries]) => entries.length > 0);
  return found.length === 0
    ? {}
    : { resolved: Object.fromEntries(found.map(([kind, entries]) => [kind, Object.fromEntries(entries)])) };
}

function partOfMember(guild: Guild, user: User) {
  const { user: _, deaf: __, mute: ___, ...member } = memberIn(guild, user);
  return member;
}
