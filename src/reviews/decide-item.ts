import type { Doer } from "../bot-context.ts";
import type { Tx } from "../database/database.ts";
import { AppError } from "../errors.ts";
import { readEvidence } from "../observe/cast-body.ts";
import type { NewChannelEvent } from "../observe/events.ts";
import { request } from "../outbox/request.ts";
import type { Action, ActionOrigin, HeldAction } from "../rules/actions/action.ts";
import { carryOut, type ActContext } from "../rules/actions/carry-out.ts";
import { sourceOf } from "../text/review-sources.ts";
import { describeTime } from "../text/message-text.ts";
import { claimLasts } from "../limits/claim-lasts.ts";
import { claimantOf } from "./claims.ts";
import type { ReviewItem } from "./review-items.ts";
import { showNumber } from "../text/numbered.ts";

/** The possible decisions about a review item. */
export const reviewDecisions = ["approve", "hide", "ban", "dismiss"] as const;
export type ReviewDecision = (typeof reviewDecisions)[number];

const states = { approve: "approved", hide: "hidden", ban: "banned", dismiss: "dismissed" } as const;

/** The ban's length (null for permanent), and the reason that the user can see. */
export interface BanTerms {
  forSeconds: number | null;
  reason: string | null;
}

const forGood: BanTerms = { forSeconds: null, reason: null };

/** The result of a decision: cases to apply, events to append, and actions that were impossible. */
export interface DecidedItem {
  caseIds: number[];
  events: NewChannelEvent[];
  impossible: string[];
}

/** An action that a decision requires. */
export interface ReviewAction extends Pick<ActionOrigin, "actionSource" | "actionIndex"> {
  action: Action;
}

/** The actions of a decision. Throws `invalid_input` if there is nothing to act on. */
export function actionsOf(
  item: ReviewItem,
  decision: ReviewDecision,
  terms: BanTerms = forGood,
): ReviewAction[] {
  const { cast_hash: castHash, fid } = item;
  const chosen = { actionSource: "person", actionIndex: 0 } as const;
  if (decision === "dismiss") return [];
  if (decision === "approve") {
    return (JSON.parse(item.actions) as HeldAction[]).map(({ actionIndex, action }) => ({
      actionSource: "rule",
      actionIndex,
      action,
    }));
  }
  if (sourceOf(item.rule_id) === "appeal") {
    throw new AppError("invalid_input", "An appeal is granted (approve) or not (dismiss).");
  }
  if (decision === "hide" && castHash !== null) {
    return [{ ...chosen, action: { kind: "hide", castHash } }];
  }
  if (decision === "ban" && fid !== null) {
    return [{ ...chosen, action: { kind: "ban", fid, ...terms } }];
  }
  throw new AppError("invalid_input", "There is nothing here to act on.");
}

/** The origin of a review's action. */
function originOf(
  item: ReviewItem,
  { actionSource, actionIndex }: Pick<ActionOrigin, "actionSource" | "actionIndex">,
): ActionOrigin {
  return {
    guildId: item.guild_id,
    channelId: item.channel_id,
    eventId: item.event_id,
    ruleId: item.rule_id,
    ruleVersion: item.rule_version,
    actionIndex,
    actionSource,
    reviewRound: item.round,
    depth: item.depth,
    evidence: readEvidence({ evidence: item.evidence, evidenceExtras: item.evidence_extras }),
  };
}

/**
 * Decides on an item, once: of two people or two clicks, the second gets `already_answered`. The caller appends the
 * events at the end of the transaction, and applies the cases after it.
 */
export async function decideItem(
  tx: Tx,
  context: ActContext,
  itemId: number,
  decision: ReviewDecision,
  decider: Doer,
  terms: BanTerms = forGood,
): Promise<DecidedItem> {
  const item = await tx
    .updateTable("castellan.review_items")
    .set({
      state: states[decision],
      decided_by: decider.userId,
      decided_token: decider.token?.name ?? null,
      decided_at_ms: context.clock.now(),
    })
    .where("id", "=", itemId)
    .where("state", "=", "open")
    .returningAll()
    .executeTakeFirst();
  if (!item) throw decidedAlready(itemId);
  await requestAnswer(tx, item, context.clock.now());
  const decided: DecidedItem = { caseIds: [], events: [], impossible: [] };
  for (const asked of actionsOf(item, decision, terms)) {
    const origin = { ...originOf(item, asked), approvedBy: decider };
    const done = await carryOut(tx, context, origin, item.fid, asked.action);
    const { caseId, events, impossible, noChange } = done;
    if (caseId !== null) decided.caseIds.push(caseId);
    decided.impossible.push(...[impossible ?? noChange ?? []].flat());
    decided.events.push(...events);
  }
  return decided;
}

/** Requests a notice to the person who appealed, once per round. */
async function requestAnswer(tx: Tx, { id, round }: ReviewItem, requestedAtMs: number): Promise<void> {
  const appeal = await tx
    .selectFrom("castellan.appeals")
    .select("user_id")
    .where("item_id", "=", id)
    .executeTakeFirst();
  if (!appeal) return;
  await request(tx, [{ kind: "answer", key: `${id} ${round}`, destination: appeal.user_id, requestedAtMs }]);
}

/** An item of a review, and the person in whose name it is decided. */
interface ItemToDecide {
  itemId: number;
  decider: Doer;
}

/**
 * Decides on several items of one review: all or none. Throws `not_allowed` if somebody else has claimed it, or it was
 * left to the owner, and `already_answered`.
 */
export async function decideReview(
  tx: Tx,
  context: ActContext,
  headId: number,
  items: readonly ItemToDecide[],
  { decision, terms, isOwner }: { decision: ReviewDecision; terms?: BanTerms | undefined; isOwner: boolean },
): Promise<DecidedItem> {
  const head = await tx
    .selectFrom("castellan.review_items")
    .selectAll()
    .where("id", "=", headId)
    .forUpdate()
    .executeTakeFirst();
  const [first] = items;
  if (!head || !first) throw decidedAlready(headId);
  requireFree(head, first.decider.userId, isOwner, context.clock.now());
  const all: DecidedItem = { caseIds: [], events: [], impossible: [] };
  for (const { itemId, decider } of items) {
    const { caseIds, events, impossible } = await decideItem(tx, context, itemId, decision, decider, terms);
    all.caseIds.push(...caseIds);
    all.events.push(...events);
    all.impossible.push(...impossible);
  }
  return all;
}

/** Throws `not_allowed` if somebody else has to decide a review. */
export function requireFree(head: ReviewItem, userId: string, isOwner: boolean, now: number): void {
  const number = showNumber("review", head.id);
  const claimant = claimantOf(head, now);
  if (claimant !== undefined && claimant !== userId) {
    const end = describeTime(((head.claimed_at_ms ?? 0) + claimLasts) / 1000);
    throw new AppError(
      "not_allowed",
      `<@${claimant}> has claimed ${number} and will decide it. They can release it; otherwise their claim ends ${end}.`,
    );
  }
  if (head.escalated_by !== null && !isOwner) {
    throw new AppError(
      "not_allowed",
      `<@${head.escalated_by}> left ${number} to the owner. The channel's owner or anyone with Manage Server here can decide it.`,
    );
  }
}

/** Throws `already_answered` if an item is decided. */
export function requireOpen({ id, state }: ReviewItem): void {
  if (state !== "open") throw decidedAlready(id);
}

function decidedAlready(itemId: number): AppError {
  return new AppError(
    "already_answered",
    `Review ${showNumber("review", itemId)} has already been decided. /review show says by whom.`,
  );
}
