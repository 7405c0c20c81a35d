import { ChannelType, GatewayIntentBits, OverwriteType } from "discord-api-types/v10";
import { botMay } from "../world/permissions.ts";
import type { Guild, Member, Role, Room, Thread, User, World } from "../world/world.ts";

export function userPayload(user: User) {
  return {
    id: user.id,
    username: user.username,
    global_name: user.displayName,
    discriminator: user.bot ? "0000" : "0",
    avatar: null,
    bot: user.bot,
    public_flags: 0,
    flags: 0,
    primary_guild: null,
  };
}

export function memberPayload(member: Member, user: User) {
  return {
    user: userPayload(user),
    nick: null,
    avatar: null,
    banner: null,
    roles: member.roleIds,
    joined_at: "2024-01-01T00:00:00.000Z",
    premium_since: null,
    communication_disabled_until: null,
    deaf: false,
    mute: false,
    pending: false,
    flags: 0,
  };
}

export function rolePayload(role: Role) {
  return {
    id: role.id,
    name: role.name,
    color: role.color,
    colors: { primary_color: role.color, secondary_color: null, tertiary_color: null },
    hoist: false,
    icon: null,
    unicode_emoji: null,
    position: role.position,
    permissions: role.permissions,
    managed: false,
    mentionable: role.mentionable ?? false,
    flags: 0,
  };
}

export function roomPayload(world: World, room: Room) {
  const newest = world.messages.get(room.id)?.findLast((message) => message.visibleTo === null);
  const last_message_id = newest?.id ?? null;
  if (room.guildId === null) {
    const recipient = world.users.get(room.recipientId ?? "");
    return {
      id: room.id,
      type: ChannelType.DM,
      flags: 0,
      last_message_id,
      recipients: recipient ? [userPayload(recipient)] : [],
    };
  }
  if (room.thread) return threadPayload(world, room, room.thread, last_message_id);
  const denied = { id: world.applicationId, type: OverwriteType.Member, allow: "0", deny: room.botDenied };
  return {
    id: room.id,
    type: room.type ?? ChannelType.GuildText,
    flags: 0,
    guild_id: room.guildId,
    name: room.name,
    topic: room.topic || null,
    position: room.position,
    parent_id: null,
    nsfw: false,
    rate_limit_per_user: room.slowMode ?? 0,
    permission_overwrites: room.botDenied === "0" ? [] : [denied],
    last_message_id,
  };
}

function threadPayload(world: World, room: Room, thread: Thread, last_message_id: string | null) {
  const count = world.messages.get(room.id)?.length ?? 0;
  return {
    id: room.id,
    type: ChannelType.PublicThread,
    flags: 0,
    guild_id: room.guildId,
    name: room.name,
    parent_id: thread.parentId,
    owner_id: world.guilds.get(room.guildId ?? "")?.ownerId,
    rate_limit_per_user: room.slowMode ?? 0,
    last_message_id,
    message_count: count,
    member_count: 1,
    total_message_sent: count,
    thread_metadata: {
      archived: thread.archived,
      locked: thread.locked,
      auto_archive_duration: 4320,
      archive_timestamp: new Date(thread.createdAt).toISOString(),
      create_timestamp: new Date(thread.createdAt).toISOString(),
    },
  };
}

export function guildPayload(guild: Guild) {
  return {
    id: guild.id,
    name: guild.name,
    icon: null,
    description: null,
    home_header: null,
    splash: null,
    discovery_splash: null,
    features: [],
    banner: null,
    owner_id: guild.ownerId,
    application_id: null,
    region: "deprecated",
    afk_channel_id: null,
    afk_timeout: 300,
    system_channel_id: null,
    system_channel_flags: 0,
    widget_enabled: false,
    widget_channel_id: null,
    verification_level: 0,
    roles: guild.roles.map(rolePayload),
    default_message_notifications: 0,
    mfa_level: 0,
    explicit_content_filter: 0,
    max_presences: null,
    max_members: 500_000,
    max_stage_video_channel_users: 50,
    max_video_channel_users: 25,
    vanity_url_code: null,
    premium_tier: 0,
    premium_subscription_count: 0,
    preferred_locale: "en-US",
    rules_channel_id: null,
    safety_alerts_channel_id: null,
    public_updates_channel_id: null,
    premium_progress_bar_enabled: false,
    nsfw: false,
    nsfw_level: 0,
    emojis: [],
    stickers: [],
    incidents_data: null,
  };
}

/** A guild as the gateway sends it: with its rooms, and without the members intent only the bot as a member. */
export function guildCreatePayload(world: World, guild: Guild, intents: number) {
  const seesMembers = (intents & GatewayIntentBits.GuildMembers) !== 0;
  const members = guild.members.filter((member) => seesMembers || member.userId === world.applicationId);
  return {
    ...guildPayload(guild),
    joined_at: "2024-01-01T00:00:00.000Z",
    large: false,
    unavailable: false,
    member_count: guild.members.length,
    voice_states: [],
    members: members.flatMap((member) => {
      const user = world.users.get(member.userId);
      return user ? [memberPayload(member, user)] : [];
    }),
    channels: guildRooms(world, guild.id).map((room) => roomPayload(world, room)),
    threads: activeThreads(world, guild.id).map((room) => roomPayload(world, room)),
    presences: [],
    stage_instances: [],
    guild_scheduled_events: [],
    soundboard_sounds: [],
  };
}

export function guildRooms(world: World, guildId: string): Room[] {
  return [...world.rooms.values()]
    .filter((room) => room.guildId === guildId && !room.thread)
    .toSorted((a, b) => a.position - b.position);
}

export function activeThreads(world: World, guildId: string): Room[] {
  return [...world.rooms.values()].filter(
    (room) =>
      room.guildId === guildId && room.thread?.archived === false && botMay(world, room, "ViewChannel"),
  );
}
