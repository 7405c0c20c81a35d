import type { BotContext } from "../../bot-context.ts";
import { applyCase } from "./apply.ts";
import { inForce, lockTarget, toCase, type Case } from "./case.ts";
import { proposeCase } from "./propose.ts";
import { showNumber } from "../../text/numbered.ts";

/** An unban that failed is not tried again sooner than this, in milliseconds. */
const pauseAfterFailure = 15 * 60_000;

/**
 * Lifts the bans whose time is over and gives how many. A user's ban ends when the last of the bans in force on them
 * has ended: a permanent one beats a timed one, a longer one a shorter one. What Castellan did not set itself
 * (the user was banned already, by whoever) it does not lift.
 */
export async function expireBans(context: BotContext): Promise<number> {
  const unbans: Case[] = [];
  for (const target of await findTargetsOver(context)) {
    const unban = await proposeUnban(context, target);
    if (unban) unbans.push(unban);
  }
  for (const unban of unbans) await applyCase(context, unban.id);
  return unbans.length;
}

export async function hasBansToEnd(context: BotContext): Promise<boolean> {
  return (await findTargetsOver(context)).length > 0;
}

/** Users whose known bans are all over, at least one of which was set by us; as `targetKey` gives them. */
async function findTargetsOver({ database, clock }: BotContext): Promise<string[]> {
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

function proposeUnban({ database, clock }: BotContext, target: string): Promise<Case | undefined> {
  const now = clock.now();
  return database.transaction(async (tx) => {
    // Locked, then read: a worker that waited for another must see the unban that the other proposed.
    await lockTarget(tx, target);
    const rows = await tx
      .selectFrom("castellan.cases")
      .selectAll()
      .where("lane", "=", target)
      .where("kind", "in", ["ban", "unban"])
      .where((is) =>
        is.or([
          is("state", "in", [...inForce, "requested"]),
          is.and([is("state", "=", "failed"), is("settled_at_ms", ">", now - pauseAfterFailure)]),
        ]),
      )
      .orderBy("id")
      .execute();
    const last = findBanToEnd(rows.map(toCase), now);
    if (!last) return undefined;
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

/** The ban that ends last among those in force on one user, if all of them are over and nobody sees to it yet. */
function findBanToEnd(cases: readonly Case[], now: number): Case | undefined {
  if (cases.some(({ kind, state }) => state === "requested" || (kind === "unban" && state === "failed"))) {
    return undefined;
  }
  const bans = cases.filter(({ kind, state }) => kind === "ban" && inForce.some((one) => one === state));
  // Asked again of what is locked: a stronger ban may have come since the target was found.
  const areOver = bans.every((ban) => ban.dueAtMs !== null && ban.dueAtMs <= now);
  if (!areOver || bans.length === 0) return undefined;
  return bans.reduce((last, ban) => ((ban.dueAtMs ?? 0) >= (last.dueAtMs ?? 0) ? ban : last));
}
