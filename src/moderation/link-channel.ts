import { uncoverChannel } from "../outbox/request-webhooks.ts";
import { sql } from "kysely";
import type { Actor, BotContext } from "../bot-context.ts";
import type { Channel } from "../contract/channels.ts";
import { authorizeLink } from "./authorize.ts";
import { becomeModerator, type WayReached } from "./become-moderator.ts";
import { announceLink, botModerates } from "./channel-links.ts";
import { readChannel } from "./find-target.ts";
import { announceSetupChange, recordSetupChange } from "../observe/setup-changes.ts";
import { withdrawProofs } from "./proofs/staff-proofs.ts";

/**
 * Links a channel to the actor's server, or renews a suspended link; `way` is Castellan's onboarding stage, `refusal` the
 * network's error if it went no further. Throws `not_allowed`, `not_proven`, `not_found`, or network errors.
 */
export async function linkChannel(
  context: BotContext,
  actor: Actor,
  channelId: string,
): Promise<{ channel: Channel; renewed: boolean } & WayReached> {
  const channel = await readChannel(context, channelId);
  await authorizeLink(context, actor, channel);
  const now = context.clock.now();
  const proof = {
    channel_url: channel.url,
    channel_name: channel.name,
    linked_by: actor.userId,
    verified_at_ms: now,
    suspended_at_ms: null,
    suspended_reason: null,
    unreadable_since_ms: null,
    unreadable_at_ms: null,
    unreadable_tries: 0,
    bot_role_lost_at_ms: botModerates(context.botFid, channel) ? null : now,
  };
  const { added } = await context.database.transaction(async (tx) => {
    const link = await tx
      .insertInto("castellan.links")
      .values({ guild_id: actor.guildId, channel_id: channel.id, linked_at_ms: now, ...proof })
      .onConflict((conflict) => conflict.columns(["guild_id", "channel_id"]).doUpdateSet(proof))
      .returning(sql<boolean>`xmax = 0`.as("added"))
      .executeTakeFirstOrThrow();
    const { guildId, userId } = actor;
    const what = `${link.added ? "linked" : "renewed the link to"} /${channel.id}`;
    await recordSetupChange(context, tx, { guildId, channelId: channel.id, kind: "links", userId, what });
    return link;
  });
  // An unlinked channel was not read.
  await context.wake("poll-hub");
  return { channel, renewed: !added, ...(await becomeModerator(context, channel)) };
}

/**
 * What ends with a link. The next person who links the channel has not written the message to banned people and does not
 * know of a pause or a lockdown, and /setup link says that everything works.
 */
const ownedByLink = [
  "castellan.links",
  "castellan.capabilities",
  "castellan.notice_templates",
  "castellan.automod_pauses",
  "castellan.lockdowns",
] as const;

/** Ends a link with all that belongs to it, and its staff's proofs. Cases stay; timed bans still expire. */
export async function unlinkChannel(
  context: BotContext,
  { guildId, userId }: Pick<Actor, "guildId" | "userId">,
  channelId: string,
): Promise<void> {
  await context.database.transaction(async (tx) => {
    for (const table of ownedByLink) {
      await tx
        .deleteFrom(table)
        .where("guild_id", "=", guildId)
        .where("channel_id", "=", channelId)
        .execute();
    }
    await uncoverChannel(tx, guildId, channelId);
    const withdrawn = await withdrawProofs(tx, guildId, channelId);
    const change = {
      guildId,
      userId,
      channelId,
      kind: "links" as const,
      what: `ended the link to /${channelId}`,
    };
    await announceSetupChange(context, tx, change);
    if (withdrawn.length === 0) return;
    const whom = withdrawn.map(({ userId, fid }) => `<@${userId}> (fid ${fid})`).join(", ");
    const reason = `The link was ended, and with it the proofs of ${whom}.`;
    await announceLink(context, tx, { guildId, channelId, change: "staff_withdrawn", reason });
  });
}
