import type { Clock } from "../../clock.ts";
import type { Queryable, Tx } from "../../database/database.ts";

/** Why rules do not act in a channel now; read in the transaction that would act. */
export async function findPause(
  db: Queryable,
  clock: Clock,
  { guildId, channelId, roleLost }: { guildId: string; channelId: string; roleLost: boolean },
): Promise<string | undefined> {
  if (roleLost) return `The bot no longer moderates /${channelId}.`;
  const row = await runningPauses(db, clock)
    .where("guild_id", "=", guildId)
    .where("channel_id", "=", channelId)
    .executeTakeFirst();
  return row && "Rules are paused here. /status shows by whom and until when.";
}

/** The channels with paused rules. */
export function runningPauses(db: Queryable, clock: Clock) {
  return db
    .selectFrom("castellan.automod_pauses")
    .selectAll()
    .where((is) => is.or([is("until_ms", "is", null), is("until_ms", ">", clock.now())]));
}

interface NewPause {
  guildId: string;
  channelId: string;
  /** Discord user id. */
  pausedBy: string;
  reason: string | null;
  /** UNIX milliseconds; null until somebody resumes. */
  until: number | null;
}

/** Stops rules from acting in a channel; replaces a running pause. */
export async function pauseRules(tx: Tx, clock: Clock, pause: NewPause): Promise<void> {
  const { guildId, channelId, pausedBy, reason, until } = pause;
  const values = { paused_by: pausedBy, reason, paused_at_ms: clock.now(), until_ms: until };
  await tx
    .insertInto("castellan.automod_pauses")
    .values({ guild_id: guildId, channel_id: channelId, ...values })
    .onConflict((conflict) => conflict.columns(["guild_id", "channel_id"]).doUpdateSet(values))
    .execute();
}

/** Lets rules act again; false if they were not paused. */
export async function resumeRules(
  tx: Tx,
  clock: Clock,
  guildId: string,
  channelId: string,
): Promise<boolean> {
  const ended = await tx
    .deleteFrom("castellan.automod_pauses")
    .where("guild_id", "=", guildId)
    .where("channel_id", "=", channelId)
    .returning("until_ms")
    .executeTakeFirst();
  return ended !== undefined && (ended.until_ms === null || ended.until_ms > clock.now());
}
