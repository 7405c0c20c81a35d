import type { ButtonHandler, Ephemeral } from "../../src/discord/command.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { textView, type View } from "../../src/discord/view.ts";
import { AppError } from "../../src/errors.ts";
import { requestEditsOf } from "../../src/feed/request-edits.ts";
import { readReviews } from "../../src/feed/render/held-reviews.ts";
import { reviewButtonId } from "../../src/feed/render/review.ts";
import { authorize } from "../../src/moderation/authorize.ts";
import { lastsAfterBan } from "../../src/moderation/cases/outcome.ts";
import { newEvent } from "../../src/observe/events.ts";
import {
  actionsOf,
  requireFree,
  reviewDecisions,
  type ReviewDecision,
} from "../../src/reviews/decide-item.ts";
import { claimantOf, claimReview, escalateReview, releaseReview } from "../../src/reviews/claims.ts";
import { readWholeReview } from "../../src/reviews/review.ts";
import { requireItemByTag, type ReviewItem } from "../../src/reviews/review-items.ts";
import { inlineCode } from "../../src/text/message-text.ts";
import { showNumber } from "../../src/text/numbered.ts";
import { askBanOfReview } from "./decide.ts";
import { decideAndApply, mayDecideAsOwner, requireDecidable, undoDecision } from "./decide-review.ts";
import { showItem } from "./show.ts";

/** The buttons of a held item; a click carries the item's tag and the decision. */
export const reviewButtons: ButtonHandler = {
  needs: { any: ["hide", "ban"] },
  console: true,
  async click(context, [tag = "", choice = "", seen]) {
    const item = await requireItemByTag(context.database.query, context.actor.guildId, tag);
    if (choice === "keep") return keep(item);
    if (choice === "undo") {
      // Posts of earlier versions do not say what they show.
      const changes = seen === undefined ? undefined : Number(seen);
      return showEverywhere(context, item, await undoDecision(context, item, changes));
    }
    const handle = handling[choice];
    if (handle) return showEverywhere(context, item, await handle(context, item));
    const decision = reviewDecisions.find((one) => choice === one || choice === confirmed(one));
    if (!decision) throw new AppError("expired", "This button is from an older version. Use /review show.");
    if (decision === "ban") return { ephemeral: await askBanOfReview(context, item) };
    const asks = choice === decision && decision === "approve" && bansForGood(item);
    if (asks) return confirmApproval(context, item);
    return showEverywhere(context, item, await decideAndApply(context, item, { decision }));
  },
};

/** The confirmation that a second click gives, after the first has shown what would happen. */
const confirmed = (decision: ReviewDecision) => `${decision}-sure`;

type Handle = (context: CommandContext, item: ReviewItem) => Promise<string[]>;
const handling: Readonly<Record<string, Handle>> = {
  claim,
  release,
  escalate,
};

/** Makes sure that the actor may decide something about an item. Throws as `requireDecidable` does. */
async function requireHandler(context: CommandContext, item: ReviewItem) {
  const review = await readWholeReview(context.database.query, item);
  const allowed = await requireDecidable(context, review, "dismiss");
  return { head: review.head, allowed };
}

async function claim(context: CommandContext, item: ReviewItem): Promise<string[]> {
  const { head, allowed } = await requireHandler(context, item);
  const { database, clock, actor } = context;
  // A review that was left to the owner is not for others to keep from them.
  requireFree(head, actor.userId, await mayDecideAsOwner(context, head, allowed), clock.now());
  if (await claimReview(database.query, head.id, actor.userId, clock.now())) return [];
  throw new AppError(
    "already_answered",
    `Somebody else has claimed or decided review ${showNumber("review", head.id)}.`,
  );
}

/** Ends a claim: one's own, or another's with the right to undo others' actions. */
async function release(context: CommandContext, item: ReviewItem): Promise<string[]> {
  const { head } = await requireHandler(context, item);
  const { database, clock, actor } = context;
  const claimant = claimantOf(head, clock.now());
  if (claimant === undefined) return [];
  if (claimant !== actor.userId) await authorize(context, actor, item.channel_id, "undo");
  await releaseReview(database.query, head.id, claimant);
  return [];
}

async function escalate(context: CommandContext, item: ReviewItem): Promise<string[]> {
  const { head } = await requireHandler(context, item);
  const { database, clock, actor, appendEvents } = context;
  const now = clock.now();
  // Escalating twice does no harm, but a claim is somebody's work.
  requireFree(head, actor.userId, true, now);
  await database.transaction(async (tx) => {
    if (!(await escalateReview(tx, head.id, actor.userId, now))) return;
    const told = { guildId: actor.guildId, itemId: head.id, queue: head.queue, userId: actor.userId };
    const sourceKey = `escalated ${head.id} ${head.round} ${now}`;
    await appendEvents(tx, [
      newEvent(now, { sourceKey, kind: "review.escalated", channelId: head.channel_id, data: told }),
    ]);
  });
  return [];
}

/** Approving a permanent ban takes a second click, like Ban; approving one that ends acts at once. */
function bansForGood(item: ReviewItem): boolean {
  return actionsOf(item, "approve").some(({ action }) => action.kind === "ban" && action.forSeconds === null);
}

/** A permanent ban among a rule's actions takes a second click. The case records what could not be done. */
async function confirmApproval(context: CommandContext, item: ReviewItem): Promise<Ephemeral> {
  const review = await readWholeReview(context.database.query, item);
  await requireDecidable(context, review, "approve");
  const held = (await readReviews(context.database.query, [item.id], context.clock.now())).get(item.id);
  const sentences = held?.sentences.map((sentence) => `- ${inlineCode(sentence, 80)}`) ?? [];
  const description = [
    "This will be done in your name:",
    ...sentences,
    `**This includes a permanent ban.** ${lastsAfterBan}`,
  ].join("\n");
  const { id, tag } = review.head;
  const buttons: View["buttons"] = [
    [
      { customId: reviewButtonId(tag, confirmed("approve")), label: "Approve", style: "danger" },
      { customId: reviewButtonId(tag, "keep"), label: "Cancel", style: "secondary" },
    ],
  ];
  const title = `Approve review ${showNumber("review", id)}?`;
  return { ephemeral: { ...textView("warning", description, { title }), buttons } };
}

function keep({ id, head_id }: ReviewItem): View {
  const number = showNumber("review", head_id ?? id);
  return textView("plain", `Nothing was done. Review ${number} is unchanged.`);
}

/** Shows the review's state and outcome here, and soon in every room with a post about it. A post that has not been edited yet answers a click with the state. */
export async function showEverywhere(
  context: CommandContext,
  item: ReviewItem,
  lines: readonly string[],
): Promise<View> {
  const headId = item.head_id ?? item.id;
  const now = context.clock.now();
  await context.database.transaction((tx) => requestEditsOf(tx, [`held ${headId}`], now, lines));
  await context.wake("send-outbox");
  return showItem(context, headId, context.isPrivate, lines);
}
