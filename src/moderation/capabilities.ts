import type { BotContext } from "../bot-context.ts";
import type { Tx } from "../database/database.ts";
import type { CaseKind } from "../database/tables/bot.ts";

/** The capabilities that a role can have in a channel; `authorize.ts` checks them. */
export const capabilities = [
  "view",
  "invite",
  "hide",
  "pin",
  "ban",
  "undo",
  "rules",
  "feeds",
  "link",
] as const;
export type Capability = (typeof capabilities)[number];

/** The capability that each action needs. */
export const neededFor: Record<CaseKind, Capability> = {
  hide: "hide",
  unhide: "hide",
  pin: "pin",
  unpin: "pin",
  ban: "ban",
  unban: "ban",
  change_expiry: "ban",
  invite: "invite",
  revoke_invite: "invite",
  remove_member: "invite",
};

/** The meaning of each capability, in words. */
export const meanings: Record<Capability, string> = {
  view: "view members, bans, invites, cases, reviews and people",
  invite: "invite members, withdraw invites, and remove members",
  hide: "hide casts and show them again, and decide reviews",
  pin: "pin and unpin casts, optionally with a notification to all followers",
  ban: "ban people and lift bans",
  undo: "undo other people's actions",
  rules: "see and change the rules, and pause them",
  feeds: "choose which events are posted in this server's rooms",
  link: "give others the capabilities they have themselves, and end the channel's link",
};

/** The capabilities of a server's roles in a channel. */
export async function listCapabilities(
  { database }: BotContext,
  guildId: string,
  channelId: string,
): Promise<{ roleId: string; capability: string }[]> {
  const rows = await database.query
    .selectFrom("castellan.capabilities")
    .select(["role_id", "capability"])
    .where("guild_id", "=", guildId)
    .where("channel_id", "=", channelId)
    .orderBy("role_id")
    .execute();
  return rows.map(({ role_id, capability }) => ({ roleId: role_id, capability }));
}

interface Grant {
  guildId: string;
  channelId: string;
  roleId: string;
  capabilities: readonly Capability[];
}

export async function giveCapabilities(tx: Tx, grant: Grant): Promise<void> {
  await tx
    .insertInto("castellan.capabilities")
    .values(grant.capabilities.map((capability) => ({ ...keyOf(grant), capability })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function takeCapabilities(tx: Tx, grant: Grant): Promise<void> {
  const { guild_id, channel_id, role_id } = keyOf(grant);
  await tx
    .deleteFrom("castellan.capabilities")
    .where("guild_id", "=", guild_id)
    .where("channel_id", "=", channel_id)
    .where("role_id", "=", role_id)
    .where("capability", "in", grant.capabilities)
    .execute();
}

function keyOf({ guildId, channelId, roleId }: Grant) {
  return { guild_id: guildId, channel_id: channelId, role_id: roleId };
}
