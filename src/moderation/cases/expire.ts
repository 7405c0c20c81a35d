import { sql } from "kysely";
import { mapLimited } from "../../async.ts";
import type { BotContext } from "../../bot-context.ts";
import type { Tx } from "../../database/database.ts";
import { applyCase } from "./apply.ts";
import { banKinds, inForce, lockTarget, toCase, type Case } from "./case.ts";
import { proposeCase } from "./propose.ts";
import { readStandingBan } from "./standing-bans.ts";
import { showNumber } from "../../text/numbered.ts";

/** The minimum pause after a failed unban, in milliseconds. */
const pauseAfterFailure = 15 * 60_000;

/**
 * Lifts expired bans and returns how many. A user's ban ends when the last of the bans in force on them has expired: a
 * permanent one beats a timed one, a longer one a shorter one. Castellan does not lift bans that it did not set (the user
 * was already banned by somebody).
 */
export async function expireBans(context: BotContext): Promise<number> {
  // Each user gets their turn, even if others fail.
  const unbans = await mapLimited(await findTargetsOver(context), 1, (target) =>
    expireBansOf(context, target),
  );
  return unbans.filter((unban) => unban !== undefined).length;
}

/** The same for one user, at once: lifts a ban without duration. */
export async function expireBansOf(context: BotContext, target: string): Promise<Case | undefined> {
  const unban = await proposeUnban(context, target);
  return unban && applyCase(context, unban.id);
}

export async function hasBansToEnd(context: BotContext): Promise<boolean> {
  return (await findTargetsOver(context)).length > 0;
}

/** Users whose bans have expired, as far as Castellan knows, as keys of `targetKey`. */
async function findTargetsOver({ database, clock }: BotContext): Promise<string[]> {
  const now = clock.now();
  // The offset makes PostgreSQL evaluate the view per target, instead of for all targets ever.
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
    // Locked before reading: a worker that waited for another must see the unban that the other proposed.
    await lockTarget(tx, target);
    const standing = await readStandingBan(tx, target);
    // Checked again under the lock: a stronger ban may have come since the target was found.
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
      publicReason: `Case ${showNumber("case", last.number)} has expired.`,
    });
  });
}

/** The ban whose expiry a case sets; the case itself if the ban is unknown. */
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
