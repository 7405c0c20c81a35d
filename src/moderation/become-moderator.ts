import type { BotContext } from "../bot-context.ts";
import type { Channel } from "../contract/channels.ts";
import { asAppError } from "../errors.ts";
import { botModerates, noteBotRole, type WayIn } from "./channel-links.ts";

/**
 * Does what Castellan itself can do to moderate a channel that is linked: follows it, which the network asks of whoever is to
 * be invited, and accepts the invites to it. Notes on the channel's links that it moderates it, once it does. Throws what the
 * network answers.
 */
export async function becomeModerator(context: BotContext, channel: Channel): Promise<WayIn> {
  const { network, botFid } = context;
  if (botModerates(botFid, channel)) return moderates(context, channel);
  const channelId = channel.id;
  const { following } = await network.channelFollows.status({ fid: botFid, channelId });
  if (!following) await network.channelFollows.follow({ channelId });
  const { result } = await network.channelInvites.list({ channelId, fid: botFid });
  const own = result.invites.filter(
    (invite) => invite.channelId === channelId && invite.invitedFid === botFid,
  );
  for (const role of ["member", "moderator"] as const) {
    if (!own.some((invite) => invite.role === role) || !(await accept(context, channelId, role))) continue;
    if (role === "moderator") return moderates(context, (await network.channels.get({ channelId })).channel);
  }
  const { result: found } = await network.channelMembers.list({ channelId, fid: botFid });
  return found.members.some(({ fid }) => fid === botFid) ? "member" : "follower";
}

async function moderates(context: BotContext, channel: Channel): Promise<WayIn> {
  await noteBotRole(context, channel);
  return "moderator";
}

/** False where the invite was taken back, or answered before. */
async function accept(
  { network, log }: BotContext,
  channelId: string,
  role: "member" | "moderator",
): Promise<boolean> {
  try {
    await network.channelInvites.answer({ channelId, role, accept: true });
    log.info({ channelId, role }, "an invite was accepted");
    return true;
  } catch (error) {
    const { code } = asAppError(error) ?? {};
    if (code !== "no_active_invite" && code !== "invite_already_answered") throw error;
    return false;
  }
}

/** Linked channels that Castellan does not moderate, whose link works. */
function unmoderated({ database }: BotContext) {
  return database.query
    .selectFrom("castellan.links")
    .select("channel_id")
    .distinct()
    .where("bot_role_lost_at_ms", "is not", null)
    .where("suspended_at_ms", "is", null)
    .where("guild_id", "not in", (query) => query.selectFrom("castellan.absent_servers").select("guild_id"));
}

export async function hasUnmoderated(context: BotContext): Promise<boolean> {
  return (await unmoderated(context).limit(1).executeTakeFirst()) !== undefined;
}

/** Where each call counts, so many are gone on with at a run. */
const mostAtOnce = 2;

/** Goes on with each of them, or by turns. One that cannot be read, or does not let Castellan in, holds up no other. */
export async function becomeModerators(context: BotContext): Promise<void> {
  const all = await unmoderated(context).orderBy("channel_id").execute();
  const turns = context.live ? Math.ceil(all.length / mostAtOnce) : 1;
  const turn = Math.floor(context.clock.now() / 60_000) % turns;
  const own = all.filter((_, index) => index % turns === turn);
  for (const { channel_id: channelId } of own) {
    try {
      const { channel } = await context.network.channels.get({ channelId });
      await becomeModerator(context, channel);
    } catch (err) {
      context.log.warn({ err, channelId }, "Castellan could not go on to moderate a channel");
    }
  }
}
