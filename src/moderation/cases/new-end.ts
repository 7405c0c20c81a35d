import { sql } from "kysely";
import type { Queryable, Tx } from "../../database/database.ts";
import { showNumber } from "../../text/numbered.ts";
import { isBanKind, type Case, type CaseKind, type Outcome } from "./case.ts";
import { readStandingBan, type StandingBan } from "./standing-bans.ts";
import { isInForce } from "../../database/tables/case-states.ts";

/*
 * The network's bans do not expire, so Castellan stores the expiry. A `change_expiry` case sets a new one for its server;
 * other servers' bans stay as they are, and the longest counts.
 */

/** The columns that settling writes, besides the outcome. */
type Settled = Outcome & { kind?: CaseKind; previous_expiry_ms?: number | null };

/**
 * The result of a case that found the user already banned: another expiry, or nothing. A ban requested without knowing the
 * existing one can extend but never shorten it; a ban in a bulk changes no expiry. Call it with the target locked.
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

/** The effective expiry, in UNIX milliseconds, if a server sets `untilMs`; null if permanent. */
export async function readEndAfter(
  query: Queryable,
  subject: Pick<Case, "target" | "guildId">,
  untilMs: number | null,
): Promise<number | null> {
  return later(untilMs, await readEndOfOthers(query, subject));
}

/** The expiry of other servers' bans: null if permanent, and long ago if there are none. */
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

/** The later of two expiries; null is permanent. */
function later(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : Math.max(one, other);
}

/** The ban in force whose expiry a case's number refers to, or why there is none. */
export async function findEnd(query: Queryable, subject: Case): Promise<StandingBan | { refusal: string }> {
  const name = showNumber("case", subject.number);
  if (!isBanKind(subject.kind)) {
    return { refusal: `${name} is not a ban, so it has no expiry to change.` };
  }
  const standing = isInForce(subject.state) ? await readStandingBan(query, subject.target) : undefined;
  return standing ?? { refusal: `${name} is not in force, so there is no expiry to change.` };
}
