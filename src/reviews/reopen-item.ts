import type { Doer } from "../bot-context.ts";
import type { Clock } from "../clock.ts";
import type { Tx } from "../database/database.ts";
import { AppError } from "../errors.ts";
import { lockCases, planUndo } from "../moderation/bulks/plan-undo.ts";
import { proposeCase } from "../moderation/cases/propose.ts";
import { isNetworkAction } from "../rules/actions/action.ts";
import { showNumber } from "../text/numbered.ts";
import { actionsOf, type DecidedItem, type ReviewAction, type ReviewDecision } from "./decide-item.ts";
import type { ReviewItem } from "./review-items.ts";
import { requestedOrInForce } from "../database/tables/case-states.ts";

const decisionOf = {
  approved: "approve",
  hidden: "hide",
  banned: "ban",
  dismissed: "dismiss",
} as const satisfies Record<Exclude<ReviewItem["state"], "open">, ReviewDecision>;

/** The actions of the decision; none if the item is open. */
export function decidedActions(item: ReviewItem): ReviewAction[] {
  return item.state === "open" ? [] : actionsOf(item, decisionOf[item.state]);
}

type Reopened = Pick<DecidedItem, "caseIds" | "impossible">;

/**
 * Undoes a decision: its own effects on the network are undone, its strikes and notes stop counting, and the item is
 * open again. Returns the cases to apply, and in `impossible` what remains. Throws `already_answered` if it is open, or
 * was already undone. `round` is that of the decision to undo: if there has been another since, that one stays.
 */
export async function reopenItem(
  tx: Tx,
  { clock }: { clock: Clock },
  { id: itemId, round }: Pick<ReviewItem, "id" | "round">,
  decider: Doer,
): Promise<Reopened> {
  const item = await tx
    .selectFrom("castellan.review_items")
    .selectAll()
    .where("id", "=", itemId)
    .where("state", "<>", "open")
    .forUpdate()
    .executeTakeFirst();
  if (item && item.round !== round) throw changedSince(itemId);
  if (!item) {
    throw new AppError("already_answered", `Review ${showNumber("review", itemId)} is already open.`);
  }
  const caseIds: number[] = [];
  const remaining: string[] = [];
  for (const decided of decidedActions(item)) {
    const { kind } = decided.action;
    if (isNetworkAction(decided.action)) caseIds.push(...(await findCases(tx, item, decided)));
    else if (kind === "alert") remaining.push("Messages already posted in a room remain.");
    else {
      await removeMarks(tx, kind === "strike" ? "strikes" : "user_notes", item, decided, {
        removed_by: decider.userId,
        removed_at_ms: clock.now(),
      });
    }
  }
  const undone = await undoCases(tx, clock, caseIds, decider);
  await tx
    .updateTable("castellan.review_items")
    .set({
      state: "open",
      decided_by: null,
      decided_token: null,
      decided_at_ms: null,
      claimed_by: null,
      claimed_at_ms: null,
      undone_by: decider.userId,
      undone_at_ms: clock.now(),
      round: item.round + 1,
    })
    .where("id", "=", itemId)
    .execute();
  return { caseIds: undone.caseIds, impossible: [...undone.impossible, ...remaining] };
}

/** Somebody has decided or reopened the review since the actor saw it. */
export function changedSince(headId: number): AppError {
  const review = `Review ${showNumber("review", headId)}`;
  return new AppError(
    "already_answered",
    `${review} has changed since, so nothing was undone. Look at it again.`,
  );
}

/** The cases of an action that are still in force: also the hides that came with a ban, which have no key of their own. */
async function findCases(tx: Tx, item: ReviewItem, decided: ReviewAction): Promise<number[]> {
  const { action_source, action_index, ...origin } = originColumns(item, decided);
  const hidesToo = decided.action.kind === "ban" && decided.action.hideCasts === true;
  const rows = await tx
    .selectFrom("castellan.cases")
    .select("id")
    .where((is) => is.and({ cause_event_id: item.event_id, ...origin }))
    .where((is) => {
      const own = is.and({ action_source, action_index });
      return hidesToo ? is.or([own, is("action_source", "is", null)]) : own;
    })
    .where("state", "in", requestedOrInForce)
    .execute();
  return rows.map(({ id }) => id);
}

/** The rows remain, marked as undone, because rules judge the past by the values at the time. */
async function removeMarks(
  tx: Tx,
  table: "strikes" | "user_notes",
  item: ReviewItem,
  decided: ReviewAction,
  removed: { removed_by: string; removed_at_ms: number },
): Promise<void> {
  await tx
    .updateTable(`castellan.${table}`)
    .set(removed)
    .where("removed_at_ms", "is", null)
    .where((is) => is.and({ event_id: item.event_id, ...originColumns(item, decided) }))
    .execute();
}

/** Columns that distinguish an item's action from all others about the same event. */
function originColumns(item: ReviewItem, { actionSource, actionIndex }: ReviewAction) {
  return {
    guild_id: item.guild_id,
    channel_id: item.channel_id,
    rule_id: item.rule_id,
    review_round: item.round,
    action_source: actionSource,
    action_index: actionIndex,
  };
}

async function undoCases(tx: Tx, clock: Clock, caseIds: readonly number[], actor: Doer): Promise<Reopened> {
  const plan = await planUndo({ clock }, tx, await lockCases(tx, caseIds), { underWayToo: true });
  const undone: Reopened = {
    caseIds: [],
    impossible: plan.stays.map(
      ({ subject, why }) => `${showNumber("case", subject.number)} stays, because ${why}.`,
    ),
  };
  for (const {
    undone: { guildId, channelId },
    action,
  } of plan.steps) {
    const { id } = await proposeCase(tx, clock, { ...action, guildId, channelId, actor });
    undone.caseIds.push(id);
  }
  return undone;
}
