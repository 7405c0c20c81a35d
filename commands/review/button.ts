import type { ButtonHandler, Ephemeral } from "../../src/discord/command.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import type { View } from "../../src/discord/view.ts";
import { AppError } from "../../src/errors.ts";
import { refreshMessages } from "../../src/feed/deliver/edit-messages.ts";
import { readReviews } from "../../src/feed/render/lookups.ts";
import { reviewButtonId } from "../../src/feed/render/review.ts";
import { applyCase } from "../../src/moderation/cases/apply.ts";
import { authorize, authorizeAction } from "../../src/moderation/authorize.ts";
import type { Capability } from "../../src/moderation/capabilities.ts";
import { findName } from "../../src/moderation/find-target.ts";
import { lastsAfterBan } from "../../src/moderation/cases/effects.ts";
import { createProposeRuleAction } from "../../src/moderation/cases/propose.ts";
import type { Action } from "../../src/rules/actions/action.ts";
import {
  decideItem,
  actionsOf,
  requireOpen,
  reviewDecisions,
  type ReviewDecision,
} from "../../src/rules/review/decide-item.ts";
import { claimItem, requireItemByTag, type ReviewItem } from "../../src/rules/review/review-items.ts";
import { colors } from "../../src/text/colors.ts";
import { inlineCode } from "../../src/text/message-text.ts";
import { previewBan } from "../shared/preview.ts";
import { showItem } from "./show.ts";
import { showNumber } from "../../src/text/numbered.ts";

/** What somebody needs to be allowed for an action to happen in their name. */
const needs: Record<Action["kind"], Capability> = {
  hide: "hide",
  unhide: "hide",
  pin: "pin",
  unpin: "pin",
  ban: "ban",
  unban: "ban",
  invite: "invite",
  remove_member: "invite",
  strike: "ban",
  note: "ban",
  alert: "hide",
};

/** A click on a button of something that is held: its tag, and what to do. */
export const answerReviewButton: ButtonHandler = async (context, [tag = "", choice]) => {
  const item = await requireItemByTag(context.database.query, context.actor.guildId, tag);
  if (choice === "claim") return claim(context, item);
  if (choice === "keep") return keep(item);
  const decision = reviewDecisions.find((one) => choice === one || choice === confirmed(one));
  if (!decision) throw new AppError("expired", "This button is from an older version. Use /review show.");
  const banned = choice === decision ? bannedForGood(item, decision) : undefined;
  if (banned !== undefined && decision === "approve") return confirmApproval(context, item);
  if (banned !== undefined) return confirmBan(context, item, banned);
  return decide(context, item, decision);
};

/** What the second click asks for, after the first one has shown what it would do. */
const confirmed = (decision: ReviewDecision) => `${decision}-sure`;

/** The fid that a decision bans without an end. */
function bannedForGood(item: ReviewItem, decision: ReviewDecision): number | undefined {
  for (const { action } of actionsOf(item, decision)) {
    if (action.kind === "ban" && action.forSeconds === null) return action.fid;
  }
  return undefined;
}

async function claim(context: CommandContext, item: ReviewItem): Promise<View> {
  await authorize(context, context.actor, item.channel_id, "hide");
  const { database, clock, actor } = context;
  if (!(await claimItem(database.query, item.id, actor.userId, clock.now()))) {
    throw new AppError(
      "already_answered",
      `Somebody else is already on review ${showNumber("review", item.id)}, or has decided it.`,
    );
  }
  const view = await showItem(context, item.id);
  await showEverywhere(context, item.id, view);
  return view;
}

/** A ban for good takes a second click: shows the clicker alone whom it hits and what it does not give back. */
async function confirmBan(context: CommandContext, item: ReviewItem, fid: number): Promise<Ephemeral> {
  const { channel } = await authorizeAction(context, context.actor, item.channel_id, "ban");
  requireOpen(item);
  const user = { fid, name: await findName(context, fid) };
  const buttons = confirmButtons(item, "ban", "Ban");
  const { view, needless } = await previewBan(context, { channel, user });
  return { ephemeral: { ...view, ...(!needless && { buttons }) } };
}

/** The same for a rule's own actions, a ban for good among them. What cannot be done, its case says afterwards. */
async function confirmApproval(context: CommandContext, item: ReviewItem): Promise<Ephemeral> {
  await authorizeAction(context, context.actor, item.channel_id, "ban");
  requireOpen(item);
  const held = (await readReviews(context.database.query, [item.id], context.clock.now())).get(item.id);
  const sentences = held?.sentences.map((sentence) => `- ${inlineCode(sentence, 80)}`) ?? [];
  const description = [
    "In your name, this will:",
    ...sentences,
    `**This includes a permanent ban.** ${lastsAfterBan}`,
  ].join("\n");
  const title = `Approve review ${showNumber("review", item.id)}?`;
  const buttons = confirmButtons(item, "approve", "Approve");
  return { ephemeral: { embeds: [{ title, description, color: colors.warning }], buttons } };
}

function confirmButtons(
  { tag }: ReviewItem,
  decision: ReviewDecision,
  label: string,
): NonNullable<View["buttons"]> {
  return [
    [
      { customId: reviewButtonId(tag, confirmed(decision)), label, style: "danger" },
      { customId: reviewButtonId(tag, "keep"), label: "Keep", style: "secondary" },
    ],
  ];
}

function keep({ id }: ReviewItem): View {
  const description = `Nothing was done. Review ${showNumber("review", id)} is unchanged.`;
  return { embeds: [{ description, color: colors.plain }] };
}

async function decide(context: CommandContext, item: ReviewItem, decision: ReviewDecision): Promise<View> {
  const { database, clock, actor } = context;
  const actions = actionsOf(item, decision);
  const capabilities = new Set(actions.map(({ action }) => needs[action.kind]));
  // Dismissing, too, is for those who could have hidden it.
  const [first = "hide", ...others] = capabilities;
  const { by } = await authorizeAction(context, actor, item.channel_id, first, ...others);
  const tools = { clock, propose: createProposeRuleAction(clock) };
  const decided = await database.transaction(async (tx) => {
    const result = await decideItem(tx, tools, item.id, decision, by);
    if (result.events.length > 0) await context.appendEvents(tx, result.events);
    return result;
  });
  const lines = [...decided.impossible];
  for (const caseId of decided.caseIds) {
    const { number, answer } = await applyCase(context, caseId);
    lines.push(
      `Case ${showNumber("case", number)}: ${answer ?? "requested; the network has not answered yet."}`,
    );
  }
  const view = withLines(await showItem(context, item.id), lines);
  await showEverywhere(context, item.id, view);
  return view;
}

function withLines(view: View, lines: readonly string[]): View {
  const [embed] = view.embeds ?? [];
  return { ...view, embeds: [{ ...embed, description: [embed?.description, ...lines].join("\n") }] };
}

/** Shows how it stands in every room that was told of it. What cannot be edited says so when it is clicked. */
async function showEverywhere(
  context: CommandContext,
  itemId: number,
  { embeds = [], buttons = [] }: View,
): Promise<void> {
  await refreshMessages(context, `held ${itemId}`, { embeds, buttons });
}
