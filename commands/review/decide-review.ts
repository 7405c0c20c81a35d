import type { Tx } from "../../src/database/database.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { AppError } from "../../src/errors.ts";
import { requestEditsOf } from "../../src/feed/request-edits.ts";
import { applyCase } from "../../src/moderation/cases/apply.ts";
import { createProposeRuleAction } from "../../src/moderation/cases/propose-rule-action.ts";
import { authorizeEach, type AuthorizedAction } from "../../src/moderation/authorize.ts";
import { neededFor, type Capability } from "../../src/moderation/capabilities.ts";
import { findStaffFid } from "../../src/moderation/staff.ts";
import type { Action } from "../../src/rules/actions/action.ts";
import {
  actionsOf,
  decideReview,
  requireOpen,
  type BanTerms,
  type DecidedItem,
  type ReviewDecision,
} from "../../src/reviews/decide-item.ts";
import { openItems, readWholeReview, type Review } from "../../src/reviews/review.ts";
import { changedSince, decidedActions, reopenItem } from "../../src/reviews/reopen-item.ts";
import type { ReviewItem } from "../../src/reviews/review-items.ts";
import { sourceOf } from "../../src/text/review-sources.ts";
import { showNumber } from "../../src/text/numbered.ts";
import { answerOf } from "../shared/describe-case.ts";

/** The rights that an action in somebody's name needs. */
const needs: Record<Action["kind"], Capability> = {
  ...neededFor,
  strike: "ban",
  note: "ban",
  alert: "hide",
};

function neededTo(action: Action): Capability[] {
  const hidesToo = action.kind === "ban" && action.hideCasts;
  return [needs[action.kind], ...(hidesToo ? (["hide"] as const) : [])];
}

export interface Decision {
  decision: ReviewDecision;
  terms?: BanTerms | undefined;
}

export interface AllowedItem {
  item: ReviewItem;
  authorized: AuthorizedAction;
}

/** The actor's rights for each item, by the item's id; an error if they have none. */
type ItemRights = ReadonlyMap<number, AuthorizedAction | AppError>;

async function authorizeItems(
  context: CommandContext,
  items: readonly ReviewItem[],
  capabilitiesOf: (item: ReviewItem) => readonly Capability[],
): Promise<ItemRights> {
  const errors: [number, AppError][] = [];
  const wanted = items.flatMap((item) => {
    const found = capabilitiesOrError(item, capabilitiesOf);
    if (!(found instanceof AppError)) {
      const needed = found.length > 0 ? found : (["hide"] as const);
      return [{ key: item.id, channelId: item.channel_id, needed }];
    }
    errors.push([item.id, found]);
    return [];
  });
  return new Map([...errors, ...(await authorizeEach(context, context.actor, wanted))]);
}

/** What acting on an item needs, or why it is impossible: no reason to leave out the others. */
function capabilitiesOrError(
  item: ReviewItem,
  capabilitiesOf: (item: ReviewItem) => readonly Capability[],
): readonly Capability[] | AppError {
  try {
    return capabilitiesOf(item);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

/** The items that the actor may act on. Throws the first error if there are none. */
function allowedAmong(items: readonly ReviewItem[], rights: ItemRights): AllowedItem[] {
  const allowed: AllowedItem[] = [];
  let refusal: AppError | undefined;
  for (const item of items) {
    const authorized = rights.get(item.id);
    if (authorized instanceof AppError) refusal ??= authorized;
    else if (authorized) allowed.push({ item, authorized });
  }
  if (allowed.length === 0 && refusal) throw refusal;
  return allowed;
}

/** Whether the actor may make this decision about the open items. Dismissing takes the right to hide. */
export function authorizeDecision(
  context: CommandContext,
  reviews: readonly Review[],
  decision: ReviewDecision,
): Promise<ItemRights> {
  return authorizeItems(context, reviews.flatMap(openItems), (item) => {
    // Refusing an appeal takes the right to grant it.
    const asked = sourceOf(item.rule_id) === "appeal" && decision === "dismiss" ? "approve" : decision;
    return actionsOf(item, asked).flatMap(({ action }) => neededTo(action));
  });
}

/** The open items that the actor may decide by `rights`. Throws `already_answered`, or the first error. */
export function decidableAmong(review: Review, rights: ItemRights): AllowedItem[] {
  const open = openItems(review);
  if (open.length === 0) requireOpen(review.head);
  return allowedAmong(open, rights);
}

/** The open items for which the actor may make this decision. Throws as `decidableAmong` does. */
export async function requireDecidable(
  context: CommandContext,
  review: Review,
  decision: ReviewDecision,
): Promise<AllowedItem[]> {
  return decidableAmong(review, await authorizeDecision(context, [review], decision));
}

/**
 * Decides an item in each channel in which the actor may; elsewhere it stays open. Returns the outcome in lines. Throws
 * as `requireDecidable` and `decideReview` do.
 */
export async function decideAndApply(
  context: CommandContext,
  item: ReviewItem,
  { decision, terms }: Decision,
): Promise<string[]> {
  const review = await readWholeReview(context.database.query, item);
  const allowed = await requireDecidable(context, review, decision);
  const isOwner = await mayDecideAsOwner(context, review.head, allowed);
  const tools = { clock: context.clock, propose: createProposeRuleAction(context.clock) };
  const items = allowed.map(({ item, authorized }) => ({ itemId: item.id, decider: authorized.by }));
  const decided = await context.database.transaction(async (tx) => {
    const result = await decideReview(tx, tools, review.head.id, items, { decision, terms, isOwner });
    // Events before rooms, as wherever posts are queued.
    if (result.events.length > 0) await context.appendEvents(tx, result.events);
    await editPosts(context, tx, review.head);
    return result;
  });
  await context.wake("send-outbox");
  return [...decided.impossible, ...(await applyAll(context, decided))];
}

/** With the decision, so that no post shows what a review was before it. */
async function editPosts({ clock }: CommandContext, tx: Tx, { id }: ReviewItem): Promise<void> {
  await requestEditsOf(tx, [`held ${id}`], clock.now());
}

/** A review's decided items that the actor may open again. Throws `already_answered`, or the first error. */
export async function requireUndoable(
  context: CommandContext,
  item: ReviewItem,
): Promise<{ head: ReviewItem; allowed: AllowedItem[]; changes: number }> {
  const { head, items, changes } = await readWholeReview(context.database.query, item);
  const decided = items.filter(({ state }) => state !== "open");
  if (decided.length === 0) {
    throw new AppError(
      "already_answered",
      `Review ${showNumber("review", head.id)} is still open, so there is nothing to undo.`,
    );
  }
  const rights = await authorizeItems(context, decided, (one) => [
    ...(one.decided_by === context.actor.userId ? [] : ["undo" as const]),
    // Undoing an action takes the same right as the action.
    ...decidedActions(one).flatMap(({ action }) => neededTo(action)),
  ]);
  return { head, allowed: allowedAmong(decided, rights), changes };
}

/**
 * Takes back what was decided in each channel in which the actor may; nothing if the review has changed since the actor saw
 * it, with `seen` changes. Throws as `requireUndoable` does.
 */
export async function undoDecision(
  context: CommandContext,
  item: ReviewItem,
  seen?: number,
): Promise<string[]> {
  const { head, allowed, changes } = await requireUndoable(context, item);
  if (seen !== undefined && seen !== changes) throw changedSince(head.id);
  const undone = await context.database.transaction(async (tx) => {
    const all: Pick<DecidedItem, "caseIds" | "impossible"> = { caseIds: [], impossible: [] };
    for (const { item: one, authorized } of allowed) {
      const result = await reopenItem(tx, context, one, authorized.by);
      all.caseIds.push(...result.caseIds);
      all.impossible.push(...result.impossible);
    }
    await editPosts(context, tx, head);
    return all;
  });
  await context.wake("send-outbox");
  return [...undone.impossible, ...(await applyAll(context, undone))];
}

async function applyAll(
  context: CommandContext,
  { caseIds }: Pick<DecidedItem, "caseIds">,
): Promise<string[]> {
  const lines: string[] = [];
  for (const caseId of caseIds) {
    const subject = await applyCase(context, caseId);
    lines.push(`Case ${showNumber("case", subject.number)}: ${answerOf(subject)}`);
  }
  return lines;
}

/**
 * Whether a review was not left to the owner, or the actor counts as the owner in one of the channels.
 * Manage Server counts as the owner, because otherwise nobody could decide if the owner is not in this server. Items left
 * to the owner are for a person, so no token decides them.
 */
export async function mayDecideAsOwner(
  context: CommandContext,
  head: ReviewItem,
  allowed: readonly AllowedItem[],
): Promise<boolean> {
  if (head.escalated_by === null) return true;
  if (context.actor.token) return false;
  if (context.actor.managesServer) return true;
  for (const { authorized } of allowed) {
    const fid = await findStaffFid(context, authorized.channel, context.actor);
    if (fid !== undefined && fid === authorized.channel.leadFid) return true;
  }
  return false;
}
