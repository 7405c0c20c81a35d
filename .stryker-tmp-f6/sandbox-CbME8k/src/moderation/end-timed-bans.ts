// @ts-nocheck
import type { BotContext } from "../bot-context.ts";
import { applyCase } from "./apply-case.ts";
import { inForce, type Case } from "./case.ts";
import type { ModerationContext } from "./context.ts";
import { lockLane } from "./lock-lane.ts";
import { proposeCase } from "./propose-case.ts";
import { findEnding } from "./timed-bans.ts";

/** An ending that failed is not tried again sooner than this, in milliseconds. */
const pauseAfterFailure = 15 * 60_000;

/**
 * Lifts the bans whose time is over and gives how many. A user's ban ends when the last of the bans in force on them
 * has ended: a permanent one beats a timed one, a longer one a shorter one. What Castellan did not set itself
 * (the user was banned already, by whoever) it does not lift.
 */
export async function endTimedBans(context: ModerationContext): Promise<number> {
  const lanes = await findLanesOver(context);
  const endings: Case[] = [];
  for (const lane of lanes) {
    const ending = await proposeEnding(context, lane);
    if (ending) endings.push(ending);
  }
  for (const ending of endings) await applyCase(context, ending.id);
  return endings.length;
}

function proposeEnding({ database, clock }: BotContext, lane: string): Promise<Case | undefined> {
  const now = clock.now();
  return database.transaction(async (tx) => {
    // Locked, then read: a worker that waited for another must see the ending that the other proposed.
    await lockLane(tx, lane);
    const cases = await tx
      .selectFrom("castellan.cases")
      .selectAll()
      .where("lane", "=", lane)
      .where("kind", "in", ["ban", "unban"])
      .where((is) =>
        is.or([
          is("state", "in", [...inForce, "requested"]),
          is.and([is("state", "=", "failed"), is("settled_at_ms", ">", now - pauseAfterFailure)]),
        ]),
      )
      .orderBy("id")
      .execute();
    const last = findEnding(cases, now);
    if (!last) return undefined;
    const { guild_id: guildId, channel_id: channelId, target_fid } = last;
    return proposeCase(tx, clock, {
      guildId,
      channelId,
      kind: "unban",
      targetFid: target_fid ?? undefined,
      actor: { endOf: last },
      publicReason: `The time of case #${last.number} is over.`,
    });
  });
}

/** Users whose known bans are all over, at least one of which was set by us. */
async function findLanesOver({ database, clock }: BotContext): Promise<string[]> {
  const now = clock.now();
  const rows = await database.query
    .selectFrom("castellan.cases as ban")
    .select("ban.lane")
    .distinct()
    .where("ban.kind", "=", "ban")
    .where("ban.state", "in", ["applied", "already"])
    .where("ban.due_at_ms", "<=", now)
    .where((is) =>
      is.exists(
        is
          .selectFrom("castellan.cases as own")
          .select("own.id")
          .whereRef("own.lane", "=", "ban.lane")
          .where("own.kind", "=", "ban")
          .where("own.state", "=", "applied"),
      ),
    )
    .where((is) =>
      is.not(
        is.exists(
          is
            .selectFrom("castellan.cases as stronger")
            .select("stronger.id")
            .whereRef("stronger.lane", "=", "ban.lane")
            .where("stronger.kind", "=", "ban")
            .where("stronger.state", "in", inForce)
            .where((or) => or.or([or("stronger.due_at_ms", "is", null), or("stronger.due_at_ms", ">", now)])),
        ),
      ),
    )
    .limit(100)
    .execute();
  return rows.map((row) => row.lane);
}
