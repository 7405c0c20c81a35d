import { sql } from "kysely";
import { mapLimited } from "../../async.ts";
import type { BotContext } from "../../bot-context.ts";
import type { Tx } from "../../database/database.ts";
import { applyCase } from "./apply.ts";
import { banKinds, inForce, lockTarget, toCase, type Case } from "./case.ts";
import { proposeCase } from "./propose.ts";
import { readStandingBan } from "./standing-bans.ts";
import { showNumber } from "../../text/numbered.ts";

/** An unban that failed is not tried again sooner than this, in milliseconds. */
const pauseAfterFailure = 15 * 60_000;

/**
 * Lifts the bans whose time is over and gives how many. A user's ban ends when the last of the bans in force on them
 * has ended: a permanent one beats a timed one, a longer one a shorter one. What Castellan did not set itself
 * (the user was banned already, by whoever) it does not lift.
 */
export async function expireBans(context: BotContext): Promise<number> {
  // Each user has their turn, whatever becomes of the others.
  const unbans = await mapLimited(await findTargetsOver(context), 1, (target) =>
    expireBansOf(context, target),
  );
  return unbans.filter((unban) => unban !== undefined).length;
}

/** The same for one user, at once: what a ban of no length is lifted by. */
export async function expireBansOf(context: BotContext, target: string): Promise<Case | undefined> {
  const unban = await proposeUnban(context, target);
  return unban && applyCase(context, unban.id);
}

export async function hasBansToEnd(context: BotContext): Promise<boolean> {
  return (await findTargetsOver(context)).length > 0;
}

/** Users whose bans are over, by all that Castellan knows; as `targetKey` gives them. */
async function findTargetsOver({ database, clock }: BotContext): Promise<string[]> {
  const now = clock.now();
  // With an offset the view is asked about each target, instead of for all that there ever were.
  const { rows } = await sql<{ target_key: string }>`
    select due.target_key from (
      select distinct target_key from castellan.cases
      where kind in ('ban', 'change_expiry') and state in ('applied', 'already', 'outside') and due_at_ms <= ${now}
    ) as due
    cross join lateral (select until_ms from castellan.standing_bans where target_key = due.target_key offset 0) as standing
    where standing.until_ms <= ${now} limit 100
  `.execute(database.query);
  return rows.map((row) => row.target_key);
}

function proposeUnban({ database, clock }: BotContext, target: string): Promise<Case | undefined> {
  const now = clock.now();
  return database.transaction(async (tx) => {
    // Locked, then read: a worker that waited for another must see the unban that the other proposed.
    await lockTarget(tx, target);
    const standing = await readStandingBan(tx, target);
    // Asked again of what is locked: a stronger ban may have come since the target was found.
    if (standing?.untilMs == null || standing.untilMs > now) return undefined;
    const unsettled = await tx
      .selectFrom("castellan.cases")
      .select("id")
      .where("target_key", "=", target)
      .where("kind", "in", [...banKinds, "unban"])
      .where((is) =>
        is.or([
          is("state", "=", "requested"),
          is.and([
            is("kind", "=", "unban"),
            is("state", "=", "failed"),
            is("settled_at_ms", ">", now - pauseAfterFailure),
          ]),
        ]),
      )
      .limit(1)
      .executeTakeFirst();
    if (unsettled) return undefined;
    const last = await findBanOf(tx, standing.by);
    return proposeCase(tx, clock, {
      guildId: last.guildId,
      channelId: last.channelId,
      kind: "unban",
      targetFid: last.targetFid ?? undefined,
      actor: { endOf: last },
      publicReason: `The time of case ${showNumber("case", last.number)} is over.`,
    });
  });
}

/** The ban itself whose end a case says; that case where nobody knows whose it was. */
async function findBanOf(tx: Tx, by: Case): Promise<Case> {
  const ban = await tx
    .selectFrom("castellan.cases")
    .selectAll()
    .where("target_key", "=", by.target)
    .where("kind", "=", "ban")
    .where("state", "in", inForce)
    .where("guild_id", "=", by.guildId)
    .where("id", "<=", by.id)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return ban ? toCase(ban) : by;
}
