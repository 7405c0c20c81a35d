import type { Tx } from "../database/database.ts";
import { AppError } from "../errors.ts";
import { opposite } from "../moderation/cases/case.ts";
import { showNumber } from "../text/numbered.ts";
import { isNetworkAction, type Action, type NetworkAction } from "../rules/actions/action.ts";
import { carryOut, type ActContext } from "../rules/decide/carry-out.ts";
import {
  actionsOf,
  originOf,
  type DecidedItem,
  type Decider,
  type ReviewAction,
  type ReviewDecision,
} from "./decide-item.ts";
import type { ReviewItem } from "./review-items.ts";

const decisionOf = {
  approved: "approve",
  hidden: "hide",
  banned: "ban",
  dismissed: "dismiss",
} as const satisfies Record<Exclude<ReviewItem["state"], "open">, ReviewDecision>;

/** What was decided; nothing for what is open. */
export function decidedActions(item: ReviewItem): ReviewAction[] {
  return item.state === "open" ? [] : actionsOf(item, decisionOf[item.state]);
}

/** What takes an action back on the network; undefined where nothing does. */
export function oppositeOf(action: Action): NetworkAction | undefined {
  switch (action.kind) {
    case "hide":
    case "unhide":
    case "pin":
      return { kind: opposite[action.kind], castHash: action.castHash };
    case "ban":
      return { kind: opposite.ban, fid: action.fid };
    default:
      return undefined;
  }
}

/**
 * Takes a decision back: what it did on the network is undone where it was this that did it, its strikes and notes count
 * no more, and the item waits anew. Gives the cases to be applied, and in `impossible` what stays. Throws `already_answered` where it is
 * open, or was taken back already.
 */
export async function reopenItem(
  tx: Tx,
  context: ActContext,
  itemId: number,
  decider: Decider,
): Promise<DecidedItem> {
  const item = await tx
    .selectFrom("castellan.review_items")
    .selectAll()
    .where("id", "=", itemId)
    .where("state", "<>", "open")
    .forUpdate()
    .executeTakeFirst();
  if (!item) {
    throw new AppError("already_answered", `Review ${showNumber("review", itemId)} is open already.`);
  }
  const undone: DecidedItem = { caseIds: [], events: [], impossible: [] };
  for (const decided of decidedActions(item)) {
    const stays = await takeBack(tx, context, item, decided, decider, undone);
    if (stays !== undefined) undone.impossible.push(stays);
  }
  await tx
    .updateTable("castellan.review_items")
    .set({
      state: "open",
      decided_by: null,
      decided_at_ms: null,
      claimed_by: null,
      claimed_at_ms: null,
      undone_by: decider.userId,
      undone_at_ms: context.clock.now(),
      round: item.round + 1,
    })
    .where("id", "=", itemId)
    .execute();
  return undone;
}

/** Gives what stays as it is, in words. */
async function takeBack(
  tx: Tx,
  context: ActContext,
  item: ReviewItem,
  decided: ReviewAction,
  decider: Decider,
  undone: DecidedItem,
): Promise<string | undefined> {
  const { action, actionIndex } = decided;
  const { eventId, guildId, channelId, ruleId, reviewRound, actionSource } = originOf(item, decided);
  const done = tx
    .selectFrom("castellan.cases")
    .select(["number", "state"])
    .where("cause_event_id", "=", eventId)
    .where("guild_id", "=", guildId)
    .where("channel_id", "=", channelId)
    .where("rule_id", "=", ruleId)
    .where("review_round", "=", reviewRound)
    .where("action_source", "=", actionSource)
    .where("action_index", "=", actionIndex);
  if (isNetworkAction(action)) {
    const subject = await done.executeTakeFirst();
    if (!subject || subject.state === "failed" || subject.state === "reverted") return undefined;
    const number = showNumber("case", subject.number);
    if (subject.state === "already") return `${number} stays: it was so before.`;
    const back = oppositeOf(action);
    if (!back) return `${number} stays: nothing takes it back by itself.`;
    const backOrigin = { ...originOf(item, { actionSource: "undo", actionIndex }), approvedBy: decider };
    const { caseId, impossible, noChange } = await carryOut(tx, context, backOrigin, item.fid, back);
    if (caseId !== null) undone.caseIds.push(caseId);
    return impossible ?? noChange;
  }
  if (action.kind === "alert") return "What was told to a room stays told.";
  // What was given stays known, as taken back: rules judge the past by what counted then.
  await tx
    .updateTable(action.kind === "strike" ? "castellan.strikes" : "castellan.user_notes")
    .set({ removed_by: decider.userId, removed_at_ms: context.clock.now() })
    .where("removed_at_ms", "is", null)
    .where("event_id", "=", eventId)
    .where("guild_id", "=", guildId)
    .where("channel_id", "=", channelId)
    .where("rule_id", "=", ruleId)
    .where("review_round", "=", reviewRound)
    .where("action_source", "=", actionSource)
    .where("action_index", "=", actionIndex)
    .execute();
  return undefined;
}
