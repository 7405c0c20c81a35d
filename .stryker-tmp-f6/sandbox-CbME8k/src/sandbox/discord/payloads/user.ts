// @ts-nocheck
import type { Member, User } from "../world/world.ts";

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
