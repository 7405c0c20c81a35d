import type { BotContext } from "../../bot-context.ts";
import type { Queryable, Tx } from "../../database/database.ts";
import type { CaseChangeTable } from "../../database/tables/bot.ts";
import { AppError } from "../../errors.ts";
import { showNumber } from "../../text/numbered.ts";
import { inForce, lockTarget, toCase, type Case } from "./case.ts";
import { readStandingBan, type StandingBan } from "./standing-bans.ts";

/** Who edits a case, and when, in UNIX milliseconds. */
interface Editor {
  userId: string;
  nowMs: number;
}

/** A case's new reason; the old one stays beside it. */
export async function changeReason(tx: Tx, subject: Case, reason: string, editor: Editor): Promise<void> {
  const before = await tx
    .selectFrom("castellan.cases")
    .select("public_reason")
    .where("id", "=", subject.id)
    .forUpdate()
    .executeTakeFirstOrThrow();
  await tx
    .updateTable("castellan.cases")
    .set({ public_reason: reason })
    .where("id", "=", subject.id)
    .execute();
  await writeChange(tx, subject, "reason", `before: ${before.public_reason ?? "none"}`, editor);
}

export async function addComment(tx: Tx, subject: Case, text: string, editor: Editor): Promise<void> {
  await writeChange(tx, subject, "comment", text, editor);
}

/**
 * Sets when a ban ends; null for good. To end sooner, every ban of this server on the user that would last longer gets the same
 * end. Gives what holds from now on, which other servers' bans may make longer. Throws `invalid_input` where none is in force.
 */
export async function changeEnd(
  { database }: Pick<BotContext, "database">,
  subject: Case,
  untilMs: number | null,
  { nowMs, userId }: Editor,
): Promise<StandingBan> {
  return database.transaction(async (tx) => {
    await lockTarget(tx, subject.target);
    const standing = await requireEnd(tx, subject);
    const rows = await tx
      .selectFrom("castellan.cases")
      .selectAll()
      .where("lane", "=", subject.target)
      .where("kind", "in", ["ban", "unban"])
      .where("state", "in", ["requested", ...inForce])
      .execute();
    if (rows.some(({ kind, state }) => kind === "unban" && state === "requested")) {
      throw new AppError("invalid_input", "The ban is being lifted at this moment.");
    }
    const changed = rows
      .map(toCase)
      .filter(({ kind, guildId }) => kind === "ban" && guildId === subject.guildId)
      .filter((ban) => ban.id === subject.id || (untilMs !== null && endOf(ban) > untilMs));
    for (const ban of changed) {
      await tx.updateTable("castellan.cases").set({ due_at_ms: untilMs }).where("id", "=", ban.id).execute();
      await writeChange(tx, ban, "end", describeEnds(standing.untilMs, untilMs), { nowMs, userId });
    }
    return requireEnd(tx, subject);
  });
}

function endOf({ dueAtMs }: Case): number {
  return dueAtMs ?? Infinity;
}

/** What stands of a ban whose end may be changed, or why there is none. */
export async function findEnd(query: Queryable, subject: Case): Promise<StandingBan | { refusal: string }> {
  const { id, kind, target } = subject;
  const name = showNumber("case", subject.number);
  if (kind !== "ban") return { refusal: `${name} is no ban, so it has no end to change.` };
  const row = await query
    .selectFrom("castellan.cases")
    .select("state")
    .where("id", "=", id)
    .executeTakeFirst();
  const isInForce = inForce.some((state) => state === row?.state);
  const standing = isInForce ? await readStandingBan(query, target) : undefined;
  return standing ?? { refusal: `${name} is not in force, so there is no end to change.` };
}

async function requireEnd(query: Queryable, subject: Case): Promise<StandingBan> {
  const found = await findEnd(query, subject);
  if ("refusal" in found) throw new AppError("invalid_input", found.refusal);
  return found;
}

function describeEnds(before: number | null, after: number | null): string {
  const show = (ms: number | null) => (ms === null ? "for good" : `until <t:${Math.floor(ms / 1000)}:f>`);
  return `was ${show(before)}, is ${show(after)}`;
}

async function writeChange(
  tx: Tx,
  { id }: Case,
  kind: CaseChangeTable["kind"],
  text: string,
  { userId, nowMs }: Editor,
): Promise<void> {
  await tx
    .insertInto("castellan.case_changes")
    .values({ case_id: id, kind, by_user: userId, at_ms: nowMs, text })
    .execute();
}

/** What was written beside a case, newest first. */
export function listCaseChanges(query: Queryable, caseId: number, limit: number) {
  return query
    .selectFrom("castellan.case_changes")
    .selectAll()
    .where("case_id", "=", caseId)
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}
