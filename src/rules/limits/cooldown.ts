import { sql } from "kysely";
import type { Clock } from "../../clock.ts";
import type { Queryable, Tx } from "../../database/database.ts";
import type { Occurrence } from "../evaluate/occurrence.ts";
import type { Rule } from "../evaluate/rule-set.ts";
import type { Cooldown } from "../language/rule-file.ts";

/**
 * Starts a rule's cooldown for the event's author, its channel, or the whole server. Returns undefined if it started, or
 * the end of the cooldown that is already running, in UNIX milliseconds: that one is never shortened, and only one of two
 * workers can start it.
 *
 * Time is the event's own, so that a rehearsal gets the same result; an event dated in the future counts as happening when
 * it was seen. The cooldowns of a rule in shadow are separate from those of the same rule in force.
 */
export async function beginCooldown(tx: Tx, rule: Rule, occurrence: Occurrence): Promise<number | undefined> {
  const { cooldown } = rule.limits;
  if (!cooldown) return undefined;
  const { event, guildId } = occurrence;
  const at = momentOf(event);
  const trial = rule.mode === "shadow" ? "trial " : "";
  const subject = `${trial}${cooldownSubject(cooldown.per, occurrence)}`;
  const begun = await tx
    .insertInto("castellan.rule_cooldowns")
    .values({
      guild_id: guildId,
      rule_id: rule.id,
      subject,
      until_ms: at + cooldown.for.seconds * 1000,
    })
    .onConflict((conflict) =>
      conflict
        .columns(["guild_id", "rule_id", "subject"])
        .doUpdateSet({ until_ms: sql`excluded.until_ms` })
        .where("castellan.rule_cooldowns.until_ms", "<=", at),
    )
    .executeTakeFirst();
  if (begun.numInsertedOrUpdatedRows !== 0n) return undefined;
  const { until_ms } = await tx
    .selectFrom("castellan.rule_cooldowns")
    .select("until_ms")
    .where("guild_id", "=", guildId)
    .where("rule_id", "=", rule.id)
    .where("subject", "=", subject)
    .executeTakeFirstOrThrow();
  return until_ms;
}

/** When an event is taken to have happened, in UNIX milliseconds: never later than it was observed. */
export function momentOf({ occurredAt, observedAt }: Pick<Occurrence["event"], "occurredAt" | "observedAt">) {
  return Math.min(occurredAt * 1000, observedAt);
}

/** The subject of the cooldown. */
export function cooldownSubject(
  per: Cooldown["per"],
  { channelId, authorFid }: Pick<Occurrence, "channelId" | "authorFid">,
): string {
  if (per === "rule") return "";
  // Without an author, the channel cools down.
  return per === "channel" || authorFid === null ? channelId : `${channelId} ${authorFid}`;
}

/** Events arrive late and out of order, so a cooldown stays stored for this long after its end, in milliseconds. */
const keptAfter = 24 * 3600_000;

/** Deletes cooldowns that no event can fall into. */
export async function pruneCooldowns(db: Queryable, clock: Clock): Promise<void> {
  await db
    .deleteFrom("castellan.rule_cooldowns")
    .where("until_ms", "<=", clock.now() - keptAfter)
    .execute();
}
