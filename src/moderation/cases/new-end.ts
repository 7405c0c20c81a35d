import { sql } from "kysely";
import type { Queryable, Tx } from "../../database/database.ts";
import { showNumber } from "../../text/numbered.ts";
import { inForce, isBanKind, type Case, type CaseKind, type Outcome } from "./case.ts";
import { readStandingBan, type StandingBan } from "./standing-bans.ts";

/*
 * The network knows bans without an end: when one ends is Castellan's to say. A case of kind `change_expiry` says it anew for its
 * server; other servers' bans stay as they are, and the longest counts.
 */

/** What settling writes of a case besides its outcome. */
type Settled = Outcome & { kind?: CaseKind; previous_expiry_ms?: number | null };

/**
 * What a case comes to that found the user banned: another end, or nothing. A ban that was asked for without a look at the one
 * that stands makes it longer and never shorter; one of many changes no end. To be asked with the target locked.
 */
export async function settleEnd(tx: Tx, subject: Case, outcome: Outcome): Promise<Settled> {
  const isBan = subject.kind === "ban" && outcome.state === "already" && subject.bulkId === null;
  if (!isBan && (subject.kind !== "change_expiry" || outcome.state !== "applied")) return outcome;
  const standing = await readStandingBan(tx, subject.target);
  if (isBan && !standing) return outcome;
  const before = standing?.untilMs ?? null;
  const after = later(subject.dueAtMs, await readEndOfOthers(tx, subject));
  if (after === before || (isBan && later(after, before) === before)) {
    return isBan
      ? outcome
      : { state: "already", outcome: "end_unchanged", outcome_detail: { untilMs: before } };
  }
  return {
    kind: "change_expiry",
    state: "applied",
    outcome: "end_changed",
    outcome_detail: { untilMs: after, beforeMs: before },
    previous_expiry_ms: before,
  };
}

/** UNIX milliseconds of what holds if a server says that a ban ends at `untilMs`; null for good. */
export async function readEndAfter(
  query: Queryable,
  subject: Pick<Case, "target" | "guildId">,
  untilMs: number | null,
): Promise<number | null> {
  return later(untilMs, await readEndOfOthers(query, subject));
}

/** Until when other servers ban: null for good, and long ago where none does. */
async function readEndOfOthers(
  query: Queryable,
  { target, guildId }: Pick<Case, "target" | "guildId">,
): Promise<number | null> {
  const row = await query
    .selectFrom("castellan.ban_expiries")
    .select([
      sql<number>`coalesce(max(due_at_ms), 0)`.as("last"),
      sql<boolean>`coalesce(bool_or(due_at_ms is null), false)`.as("forGood"),
    ])
    .where("target_key", "=", target)
    .where("guild_id", "<>", guildId)
    .where((is) => is.or([is("state", "=", "applied"), is("due_at_ms", "is not", null)]))
    .where("state", "<>", "already")
    .executeTakeFirstOrThrow();
  return row.forGood ? null : row.last;
}

/** The later of two ends; null is none. */
function later(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : Math.max(one, other);
}

/** What stands of a ban whose end a case's number means, or why there is none. */
export async function findEnd(query: Queryable, subject: Case): Promise<StandingBan | { refusal: string }> {
  const name = showNumber("case", subject.number);
  if (!isBanKind(subject.kind)) {
    return { refusal: `${name} is no ban, so it has no end to change.` };
  }
  const isInForce = inForce.some((state) => state === subject.state);
  const standing = isInForce ? await readStandingBan(query, subject.target) : undefined;
  return standing ?? { refusal: `${name} is not in force, so there is no end to change.` };
}
