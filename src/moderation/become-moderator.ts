import { sql } from "kysely";
import type { BotContext } from "../bot-context.ts";
import type { Channel } from "../contract/channels.ts";
import type { CallOptions } from "../contract/endpoint.ts";
import type { Tx } from "../database/database.ts";
import { afterCommit } from "../database/transactions.ts";
import { asAppError } from "../errors.ts";
import type { ChannelEvent } from "../observe/events.ts";
import { botModerates, noteBotRole, type OnboardingStage } from "./channel-links.ts";

/** Castellan's onboarding stage, if known, and the network's error if it went no further. */
export interface WayReached {
  way: OnboardingStage | undefined;
  refusal: string | undefined;
}

/**
 * Takes Castellan's own steps towards moderating a linked channel: follows it, which the network requires before an
 * invite, and accepts the invites to it. Notes the stage on the channel's links.
 */
export async function becomeModerator(
  context: BotContext,
  channel: Channel,
  options: CallOptions = {},
): Promise<WayReached> {
  const reached: WayReached = { way: undefined, refusal: undefined };
  try {
    if (botModerates(context.botFid, channel)) reached.way = "moderator";
    else for await (const way of goOn(context, channel.id, options)) reached.way = way;
  } catch (error) {
    reached.refusal = describeRefusal(context, channel.id, error);
  }
  if (reached.way === "moderator") {
    // The channel's record may not yet show the role that was just accepted.
    const moderatorFids = [...new Set([...channel.moderatorFids, context.botFid])];
    await noteBotRole(context, { ...channel, moderatorFids });
  } else await noteWay(context, channel.id, reached);
  return reached;
}

/** Yields each stage that Castellan has reached. Throws network errors. */
async function* goOn(
  context: BotContext,
  channelId: string,
  options: CallOptions,
): AsyncGenerator<OnboardingStage> {
  const { network, botFid } = context;
  const { following } = await network.channelFollows.status({ fid: botFid, channelId }, options);
  if (!following) await network.channelFollows.follow({ channelId }, options);
  const { result: found } = await network.channelMembers.list({ channelId, fid: botFid }, options);
  yield found.members.some(({ fid }) => fid === botFid) ? "member" : "follower";
  const { result } = await network.channelInvites.list({ channelId, fid: botFid }, options);
  const own = result.invites.filter(
    (invite) => invite.channelId === channelId && invite.invitedFid === botFid,
  );
  for (const role of ["member", "moderator"] as const) {
    const isInvited = own.some((invite) => invite.role === role);
    if (isInvited && (await accept(context, channelId, role, options))) yield role;
  }
}

/** False if the invite was withdrawn, or already answered. */
async function accept(
  { network, log }: BotContext,
  channelId: string,
  role: "member" | "moderator",
  options: CallOptions,
): Promise<boolean> {
  try {
    await network.channelInvites.answer({ channelId, role, accept: true }, options);
    log.info({ channelId, role }, "accepted an invite");
    return true;
  } catch (error) {
    const { code } = asAppError(error) ?? {};
    if (code !== "no_active_invite" && code !== "invite_already_answered") throw error;
    return false;
  }
}

/** Undefined if there were too many calls just now, because that is no fault of the channel. */
function describeRefusal({ log }: BotContext, channelId: string, err: unknown): string | undefined {
  if (asAppError(err, "rate_limited")) return undefined;
  log.warn({ err, channelId }, "could not continue onboarding to a channel");
  return asAppError(err)?.message ?? "Something went wrong. The program's log has the cause.";
}

/** If nothing was found out, the earlier stage stays. Each check with the same result doubles the backoff. */
async function noteWay(
  { database, clock }: BotContext,
  channelId: string,
  { way, refusal }: WayReached,
): Promise<void> {
  await sql`
    update castellan.links set onboarding_stage = coalesce(${way ?? null}::text, onboarding_stage), onboarding_error = ${refusal ?? null},
      onboarding_checked_at_ms = ${clock.now()},
      onboarding_checks = case when ${way ?? null}::text is distinct from onboarding_stage and ${way ?? null}::text is not null
        then 0 else onboarding_checks + 1 end
    where channel_id = ${channelId}
  `.execute(database.query);
}

/** Milliseconds until the next check, doubled after each one, and at most. */
const [minBackoffMs, maxBackoffMs] = [60_000, 3600_000];

/**
 * Linked channels with a working link that Castellan does not moderate and that are due for a check; after a new invite,
 * at once.
 */
function dueChannels({ database, clock, botFid }: BotContext) {
  const isRested = sql<boolean>`coalesce(onboarding_checked_at_ms, 0)
    + least(${minBackoffMs}::bigint * (1 << least(onboarding_checks, 10)::int), ${maxBackoffMs}::bigint) <= ${clock.now()}`;
  const isInvited = sql<boolean>`exists (
    select from castellan.events where events.channel_id = links.channel_id and subject_fid = ${botFid}
      and kind = 'invite.created' and observed_at_ms >= onboarding_checked_at_ms)`;
  return database.query
    .selectFrom("castellan.links")
    .select("channel_id")
    .where("bot_role_lost_at_ms", "is not", null)
    .where("suspended_at_ms", "is", null)
    .where("guild_id", "not in", (query) => query.selectFrom("castellan.absent_servers").select("guild_id"))
    .where((eb) => eb.or([isRested, isInvited]))
    .groupBy("channel_id")
    .orderBy((eb) => eb.fn.coalesce(eb.fn.min("onboarding_checked_at_ms"), eb.val(0)))
    .orderBy("channel_id");
}

export async function hasUnmoderated(context: BotContext): Promise<boolean> {
  return (await dueChannels(context).limit(1).executeTakeFirst()) !== undefined;
}

/** Resets the backoff to that of a first check, because somebody wants to know. */
export async function lookAgainSoon(context: BotContext, channelIds: readonly string[]): Promise<void> {
  if (channelIds.length === 0) return;
  await context.database.query
    .updateTable("castellan.links")
    .set({ onboarding_checks: 0 })
    .where("channel_id", "in", [...channelIds])
    .execute();
  await context.wake("become-moderator");
}

/** Continues as soon as an invite to Castellan is known, because the inviter is waiting. Receives all events. */
export function createInviteListener({ botFid, wake }: Pick<BotContext, "botFid" | "wake">) {
  return async (_tx: Tx, events: readonly ChannelEvent[]): Promise<void> => {
    const isInvited = events.some(
      ({ kind, subjectFid }) => kind === "invite.created" && subjectFid === botFid,
    );
    if (isInvited) afterCommit(() => void wake("become-moderator"));
  };
}

/** A run ends after this many milliseconds; the remaining channels come first in the next run. */
const longestRun = 60_000;

/** On the live network, this many are processed per run. */
const maxConcurrent = 2;

/** Continues onboarding to each channel. A channel that fails delays no other. */
export async function becomeModerators(
  context: BotContext,
  { signal: ending }: { signal?: AbortSignal } = {},
): Promise<void> {
  const timeout = AbortSignal.timeout(longestRun);
  const signal = ending ? AbortSignal.any([ending, timeout]) : timeout;
  const due = await dueChannels(context)
    .$if(context.live !== undefined, (query) => query.limit(maxConcurrent))
    .execute();
  for (const { channel_id: channelId } of due) {
    if (signal.aborted) return;
    try {
      const { channel } = await context.network.channels.get({ channelId }, { signal });
      await becomeModerator(context, channel, { signal });
    } catch (error) {
      await noteWay(context, channelId, {
        way: undefined,
        refusal: describeRefusal(context, channelId, error),
      });
    }
  }
}
