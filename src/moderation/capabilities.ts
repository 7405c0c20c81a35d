import type { BotContext } from "../bot-context.ts";
import type { Tx } from "../database/database.ts";
import type { CaseKind } from "../database/tables/bot.ts";

/** What a role can be given to do in a channel; `authorize.ts` decides who may. */
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

/** What somebody needs to have an action done in their name. */
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

/** What each lets somebody do, in the words of people. */
export const meanings: Record<Capability, string> = {
  view: "look at members, bans, invites, cases, reviews and people",
  invite: "invite members, take invites back, and remove members",
  hide: "hide casts and show them again, and decide reviews",
  pin: "pin and unpin casts, also with a notification to all followers",
  ban: "ban people and lift bans",
  undo: "undo what others did",
  rules: "see and change the rules, and pause them",
  feeds: "choose what rooms of this server are told",
  link: "pass on by this command what they have, and end the channel's link",
};

/** Which roles of a server may do what in a channel. */
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
