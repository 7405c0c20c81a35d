import { sql, type ExpressionBuilder } from "kysely";
import type { BotContext } from "../../bot-context.ts";
import type { Tables } from "../../database/tables/index.ts";
import type { OutcomeDetail } from "../../database/tables/bot.ts";
import { banKinds, readCase, type Case } from "./case.ts";
import type { Reading } from "./effects.ts";
import type { StoredOutcome } from "./outcome.ts";
import { readStandingBan } from "./standing-bans.ts";
import { inForce } from "../../database/tables/case-states.ts";

/** Why a case is dropped just before it is sent, by the network's state; undefined if nothing prevents it. */
export async function findObstacle(
  context: BotContext,
  subject: Case,
  { version }: Pick<Reading, "version">,
): Promise<StoredOutcome | undefined> {
  if (subject.endsCaseId !== null) {
    return subject.kind === "unban" ? findStrongerBan(context, subject) : undefined;
  }
  if (subject.kind === "change_expiry" && version === "") {
    return { outcome: "not_banned" };
  }
  if (subject.undoesCaseId !== null && subject.sentAtMs === null) {
    const holder = await findHolder(context, subject);
    if (holder) return { outcome: "done_by_another", outcome_detail: holder };
    const undone = await readCase(context, subject.undoesCaseId);
    if (changedNothing(undone)) {
      return { outcome: "nothing_to_undo", outcome_detail: { caseNumber: undone.number } };
    }
  }
  if (subject.actorKind !== "rule" || subject.sentAtMs !== null) return undefined;
  const { absent, linked, suspended, paused } = await context.database.query
    .selectNoFrom((is) => [
      is
        .exists(
          is
            .selectFrom("castellan.absent_servers")
            .select("since_ms")
            .where("guild_id", "=", subject.guildId),
        )
        .as("absent"),
      is.exists(linkOf(is, subject)).as("linked"),
      is.exists(linkOf(is, subject).where("suspended_at_ms", "is not", null)).as("suspended"),
      is
        .exists(
          is
            .selectFrom("castellan.automod_pauses")
            .select("paused_by")
            .where("guild_id", "=", subject.guildId)
            .where("channel_id", "=", subject.channelId)
            .where((ends) =>
              ends.or([ends("until_ms", "is", null), ends("until_ms", ">", context.clock.now())]),
            ),
        )
        .as("paused"),
    ])
    .executeTakeFirstOrThrow();
  if (absent) return { outcome: "server_left" };
  if (!linked) return { outcome: "link_removed" };
  if (suspended) return { outcome: "link_suspended" };
  return paused ? { outcome: "rules_paused" } : undefined;
}

function linkOf(is: ExpressionBuilder<Tables, never>, { guildId, channelId }: Case) {
  return is
    .selectFrom("castellan.links")
    .select("channel_id")
    .where("guild_id", "=", guildId)
    .where("channel_id", "=", channelId);
}

/** An undo may be requested before the case that it undoes is settled; that case comes first. */
function changedNothing({ state, outcome }: Case): boolean {
  return state === "already" || (state === "failed" && outcome !== "no_response");
}

/** Why an expired ban must not be lifted: a stronger one exists, or is about to. */
async function findStrongerBan(
  { database, clock }: BotContext,
  { target }: Case,
): Promise<StoredOutcome | undefined> {
  const { query } = database;
  const now = clock.now();
  const requested = await query
    .selectFrom("castellan.cases")
    .select("number")
    .where("target_key", "=", target)
    .where("kind", "in", banKinds)
    .where("state", "=", "requested")
    .where((is) => is.or([is("due_at_ms", "is", null), is("due_at_ms", ">", now)]))
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  const standing = await readStandingBan(query, target);
  const isOver = standing?.untilMs != null && standing.untilMs <= now;
  const number = requested?.number ?? (isOver ? undefined : standing?.by.number);
  return number === undefined
    ? undefined
    : { outcome: "banned_longer", outcome_detail: { caseNumber: number } };
}

/** A later case that did the same to the target of the case to undo. */
async function findHolder({ database }: BotContext, subject: Case): Promise<OutcomeDetail | undefined> {
  const holder = await database.query
    .selectFrom("castellan.cases as holder")
    .innerJoin("castellan.cases as undone", (join) =>
      join.onRef("undone.target_key", "=", "holder.target_key").onRef("undone.kind", "=", "holder.kind"),
    )
    .select(["holder.number", "holder.guild_id", "holder.kind"])
    .where("undone.id", "=", subject.undoesCaseId)
    .whereRef("holder.id", ">", "undone.id")
    .where("holder.state", "in", inForce)
    // Each server has its own expiry.
    .where("holder.kind", "<>", "change_expiry")
    // Others' outside changes are a case in every server.
    .where(sql<boolean>`(holder.event_id is null or holder.event_id is distinct from undone.event_id)`)
    .orderBy("holder.id")
    .limit(1)
    .executeTakeFirst();
  return (
    holder && {
      caseNumber: holder.guild_id === subject.guildId ? holder.number : null,
      kind: holder.kind,
    }
  );
}
