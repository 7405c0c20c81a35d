import { sql, type Selectable } from "kysely";
import type { Actor, BotContext } from "../bot-context.ts";
import type { Channel } from "../contract/channels.ts";
import { camelCased, type CamelCased } from "../database/camel-case.ts";
import type { Tx } from "../database/database.ts";
import type { BotTables } from "../database/tables/bot.ts";
import { AppError } from "../errors.ts";
import { TranslatedError } from "../languages/translated-error.ts";
import { newEvent, type LinkChange } from "../observe/events.ts";
import { escapeText } from "../text/message-text.ts";
import { suggest } from "../text/suggest.ts";
import { findChannelLately } from "./find-target.ts";
import { hasKnownRights } from "./known-rights.ts";

/** A server's link to a channel. */
export type Link = CamelCased<Selectable<BotTables["castellan.links"]>>;

/** A link, with the actor's rights by role in its channel. */
export interface Linked extends Link {
  byRole: readonly string[];
}

/** The channels linked to the actor's server, or those among the given ones, with the actor's rights by role. */
export async function readLinked(
  { database }: BotContext,
  actor: Actor,
  channelIds?: readonly string[],
): Promise<Linked[]> {
  // Discord leaves @everyone, whose id is the server's, out of a member's roles.
  const roles = [...actor.roleIds, actor.guildId];
  const rows = await database.query
    .selectFrom("castellan.links as link")
    .selectAll("link")
    .select(
      sql<string[]>`array(
        select distinct capability from castellan.capabilities as given
        where given.guild_id = link.guild_id and given.channel_id = link.channel_id
          and role_id = any(${roles}::text[]) order by capability
      )`.as("by_role"),
    )
    .where("guild_id", "=", actor.guildId)
    .$if(channelIds !== undefined, (query) => query.where("channel_id", "in", channelIds ?? []))
    .orderBy("channel_id")
    .execute();
  const held = rows.map(camelCased);
  const { token } = actor;
  if (!token) return held;
  return held.map((link) => ({
    ...link,
    byRole: link.byRole.filter((one) => token.capabilities.includes(one)),
  }));
}

/** The same for one channel. Throws `not_linked`. */
export async function requireLinked(context: BotContext, actor: Actor, channelId: string): Promise<Linked> {
  const [linked] = await readLinked(context, actor, [channelId]);
  if (linked) return linked;
  throw await explainUnlinked(context, actor, channelId);
}

/**
 * Why a named channel is not one of this server's: it does not exist, or it is not linked. On the live network, no call is
 * made for people who could do nothing with the answer.
 */
export async function explainUnlinked(
  context: BotContext,
  actor: Actor,
  channelId: string,
): Promise<AppError> {
  const { guildId } = actor;
  if (context.live && !(await hasKnownRights(context, actor))) return notLinkedTo(channelId);
  const found = await findChannelLately(context, channelId).catch((error: unknown) => {
    // If its existence cannot be determined, the error reports only what is known.
    context.log.warn({ err: error, channelId }, "could not read a channel from the network");
    return "unknown" as const;
  });
  if (found !== undefined) return notLinkedTo(channelId);
  const linked = await listLinkedChannels(context, guildId);
  const which = linked.length === 0 ? "" : ` This server is linked to ${linked.join(", ")}.`;
  return new AppError(
    "not_found",
    `There is no channel called ${channelId}${suggest(channelId, linked)}.${which}`.replace("?.", "?"),
  );
}

function notLinkedTo(channelId: string): AppError {
  return new AppError(
    "not_linked",
    `This server is not linked to ${channelId}. Someone who owns or moderates the channel and has Manage Server here can link it with /setup link.`,
  );
}

export function notLinked(): AppError {
  return new TranslatedError("not_linked", ({ links }) => links.none);
}

/** A server's links by channel, including suspended ones. */
export async function listLinks({ database }: BotContext, guildId: string): Promise<Link[]> {
  const rows = await database.query
    .selectFrom("castellan.links")
    .selectAll()
    .where("guild_id", "=", guildId)
    .orderBy("channel_id")
    .execute();
  return rows.map(camelCased);
}

/** Ids of the channels linked to a server; with `suspended: false` only those with a working link. */
export async function listLinkedChannels(
  { database }: BotContext,
  guildId: string,
  { suspended = true }: { suspended?: boolean } = {},
): Promise<string[]> {
  const rows = await database.query
    .selectFrom("castellan.links")
    .select("channel_id")
    .where("guild_id", "=", guildId)
    .$if(!suspended, (query) => query.where("suspended_at_ms", "is", null))
    .orderBy("channel_id")
    .execute();
  return rows.map((row) => row.channel_id);
}

/** Whether the bot itself owns or moderates the channel. */
export function botModerates(botFid: number, channel: Pick<Channel, "leadFid" | "moderatorFids">): boolean {
  return channel.leadFid === botFid || channel.moderatorFids.includes(botFid);
}

/** Castellan's progress towards moderating a channel. */
export type OnboardingStage = "moderator" | "member" | "follower";

/**
 * The steps that people must take until it moderates, following "Castellan does not moderate it: "; `refusal`: the
 * network's error at the last try; `quote` formats it, by default for Discord.
 */
export function describeOnboarding(
  botFid: number,
  way?: OnboardingStage | null,
  refusal?: string | null,
  quote: (text: string, most: number) => string = escapeText,
): string {
  const next =
    way === "member"
      ? `it is a member, and the owner has to invite fid ${botFid} as moderator.`
      : `the owner has to invite fid ${botFid}, as member and then as moderator.`;
  if (!refusal) return `${next} Castellan accepts automatically.`;
  const step = way ? "accept an invite" : "follow the channel, or see what it is invited to";
  return `it tried to ${step}, and the response was: "${quote(refusal, 300)}" Castellan tries again within the hour, and soon after /status. Once that works, ${next}`;
}

/**
 * Notes on every link of the channel whether the bot moderates it. A change is an event, so that the rooms get it; while
 * the role is lost, rules pause (`bot_role_lost_at_ms`).
 */
export async function noteBotRole(context: BotContext, channel: Channel): Promise<boolean> {
  const moderates = botModerates(context.botFid, channel);
  const now = context.clock.now();
  await context.database.transaction(async (tx) => {
    const changed = await tx
      .updateTable("castellan.links")
      .set({
        bot_role_lost_at_ms: moderates ? null : now,
        onboarding_stage: null,
        onboarding_error: null,
        onboarding_checked_at_ms: null,
        onboarding_checks: 0,
      })
      .where("channel_id", "=", channel.id)
      .where("bot_role_lost_at_ms", moderates ? "is not" : "is", null)
      .returning("guild_id")
      .execute();
    const change = moderates ? "bot_role_back" : "bot_role_lost";
    const reason = moderates
      ? ""
      : `Rules are paused and commands change nothing until the owner makes fid ${context.botFid} a moderator again.`;
    for (const { guild_id } of changed) {
      await announceLink(context, tx, { guildId: guild_id, channelId: channel.id, change, reason });
    }
  });
  return moderates;
}

/** Makes a link's change an event for its server's rooms. Last in its transaction, like every event. */
export async function announceLink(
  context: BotContext,
  tx: Tx,
  link: { guildId: string; channelId: string; change: LinkChange; reason: string },
): Promise<void> {
  const { guildId, channelId, change, reason } = link;
  const now = context.clock.now();
  await context.appendEvents(tx, [
    newEvent(now, {
      sourceKey: `link ${guildId} ${channelId} ${change} ${now}`,
      kind: "link.changed",
      channelId,
      data: { guildId, change, reason },
    }),
  ]);
}
