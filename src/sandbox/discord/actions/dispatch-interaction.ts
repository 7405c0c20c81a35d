import type { Context } from "../context.ts";
import type { Interaction } from "../interactions/interactions.ts";
import { interactionType } from "../numbers.ts";
import { roomPayload } from "../payloads/guild.ts";
import { messagePayload } from "../payloads/message.ts";
import { memberPayload, userPayload } from "../payloads/user.ts";
import { botPermissions, memberPermissions } from "../world/permissions.ts";
import type { Guild, Message, Room, User } from "../world/world.ts";

interface Deed {
  type: number;
  user: User;
  room: Room;
  guild: Guild | null;
  /** Full name of the command, for commands. */
  name: string | null;
  source: Message | null;
  opener?: Interaction;
  data: unknown;
}

/** Tells the bot what a person did, and the person that it is under way. */
export function dispatchInteraction(context: Context, deed: Deed): Interaction {
  const { type, user, room, guild, name, source, opener = null } = deed;
  const guildId = guild?.id ?? null;
  const interaction = context.interactions.open({
    type,
    userId: user.id,
    roomId: room.id,
    guildId,
    name,
    source,
    opener,
  });
  if (type !== interactionType.autocomplete) {
    const { id: interactionId } = interaction;
    context.happened.tell({ kind: "interaction", userId: user.id, interactionId, state: "sent" });
  }
  context.gateway.dispatch(guildId, "INTERACTION_CREATE", interactionPayload(context, interaction, deed));
  return interaction;
}

function interactionPayload({ world, origin }: Context, interaction: Interaction, deed: Deed) {
  const { user, room, guild, source } = deed;
  const permissions = String(botPermissions(world, room));
  return {
    id: interaction.id,
    application_id: world.applicationId,
    type: interaction.type,
    token: interaction.token,
    version: 1,
    data: deed.data,
    channel_id: room.id,
    channel: { ...roomPayload(world, room), permissions },
    app_permissions: permissions,
    locale: "en-US",
    entitlements: [],
    attachment_size_limit: 10_485_760,
    ...(source && { message: messagePayload(world, source, origin()) }),
    ...(guild
      ? guildPart(guild, user)
      : { user: userPayload(user), context: 1, authorizing_integration_owners: {} }),
  };
}

function guildPart(guild: Guild, user: User) {
  return {
    guild_id: guild.id,
    guild: { id: guild.id, locale: "en-US", features: [] },
    guild_locale: "en-US",
    member: memberIn(guild, user),
    context: 0,
    authorizing_integration_owners: { 0: guild.id },
  };
}

/** A person as a member, with what they may do, as interactions carry them. */
export function memberIn(guild: Guild, user: User) {
  const member = guild.members.find(({ userId }) => userId === user.id) ?? { userId: user.id, roleIds: [] };
  return { ...memberPayload(member, user), permissions: String(memberPermissions(guild, user.id)) };
}
