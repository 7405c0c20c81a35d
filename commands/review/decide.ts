import { z } from "zod";
import { confirm, oneOf, text, type Preview } from "../../src/discord/command.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { confirmFirst } from "../../src/discord/run-command.ts";
import { textView, type View } from "../../src/discord/view.ts";
import { AppError, asAppError } from "../../src/errors.ts";
import { authorizeIn } from "../../src/moderation/authorize-server.ts";
import { lastsAfterBan } from "../../src/moderation/cases/outcome.ts";
import { findName } from "../../src/moderation/find-target.ts";
import { listSavedReasons } from "../../src/moderation/saved-reasons.ts";
import type { RoomButton } from "../../src/feed/rooms.ts";
import { readReviews } from "../../src/feed/render/held-reviews.ts";
import { describeUser } from "../../src/observe/people.ts";
import { requireFree, reviewDecisions, type ReviewDecision } from "../../src/reviews/decide-item.ts";
import { readWholeReview, readWholeReviews } from "../../src/reviews/review.ts";
import { listOpenItems, requireItem, type ReviewItem } from "../../src/reviews/review-items.ts";
import { amount } from "../../src/text/amount.ts";
import { describeTime, escapeText, fitLinesOrCount, inlineCode } from "../../src/text/message-text.ts";
import { readNumber, showNumber } from "../../src/text/numbered.ts";
import { castLine } from "../../src/text/show-cast.ts";
import { askBanLength, chooseLength } from "../shared/ban-question.ts";
import { banLengthOption, reasonOption, optionalUser } from "../shared/options.ts";
import { previewBan } from "../shared/preview-ban.ts";
import { wideningButtons } from "../shared/leading-buttons.ts";
import { suggestedChannels } from "../shared/suggestions.ts";
import {
  authorizeDecision,
  decidableAmong,
  decideAndApply,
  requireDecidable,
  type AllowedItem,
} from "./decide-review.ts";
import { describeOutcome } from "./describe-decided.ts";
import { queueOption } from "./queue-option.ts";
import { showItem } from "./show.ts";

/** The most reviews that one click decides. */
const most = 100;
/** Milliseconds between two progress reports. */
const progressEvery = 2000;

const maxReason = 300;

const Plan = z.object({
  ids: z.array(z.int()),
  decision: z.enum(reviewDecisions),
  forSeconds: z.number().nullable(),
  reason: z.string().nullable(),
  /** These reviews were given by number, so deciding them does not need the right to list others. */
  named: z.boolean().default(false),
});
type Plan = z.infer<typeof Plan>;

export const decideReviews = confirm({
  description: "Decide one or many held items at once; for a ban, with duration and reason. Asks first",
  needs: "hide",
  console: true,
  options: {
    decision: oneOf(reviewDecisions, { description: "The decision for each of them", required: true }),
    reviews: text({
      description: "Their numbers, such as R-3 R-5 R-8; or choose them with the other options",
      maxLength: 900,
    }),
    queue: queueOption,
    rule: text({ description: "Only items held by this rule", maxLength: 40 }),
    user: optionalUser("Only items about this user", "case"),
    duration: banLengthOption("For a ban: the length, such as 7d or permanent; asked if left out"),
    reason: reasonOption("For a ban: the reason; the user may see it", { maxLength: maxReason }),
  },
  confirmLabel: "Decide",
  state: Plan,
  async preview(context, { decision, reviews, queue, rule, user, duration: typedLength, reason }) {
    if (decision !== "ban" && (typedLength !== undefined || reason !== undefined)) {
      throw new AppError("invalid_input", "Duration and reason are only for decision:ban.");
    }
    const saved = await listSavedReasons(context.database.query, context.actor.guildId);
    const forSeconds = decision === "ban" ? chooseLength(typedLength, reason, saved) : null;
    const filter = { queue, ruleId: rule?.trim().toLowerCase(), fid: user?.fid };
    const ids =
      reviews === undefined
        ? await findAll(context, await authorizeIn(context, context.actor, "view"), filter)
        : await readIds(context, reviews);
    const { decidable, left } = await sortOut(context, ids, decision);
    if (forSeconds === "asked") return previewBanOf(context, decidable, left, reason);
    const named = reviews !== undefined;
    const state = { ids: decidable, decision, forSeconds, reason: reason ?? null, named };
    return {
      view: await describePlan(context, state, left),
      state,
      confirmLabel: labelOf(decision, decidable.length),
    };
  },
  async act(context, { ids, decision, forSeconds, reason, named }) {
    if (!named) await authorizeIn(context, context.actor, "view");
    const failed: string[] = [];
    const notes: string[] = [];
    let first: AppError | undefined;
    let done = 0;
    let shown = performance.now();
    for (const [index, id] of ids.entries()) {
      try {
        const item = await requireItem(context.database.query, context.actor.guildId, id);
        const lines = await decideAndApply(context, item, { decision, terms: { forSeconds, reason } });
        notes.push(...lines.map((line) => `${showNumber("review", id)} · ${line}`));
        done += 1;
      } catch (error) {
        const refusal = asAppError(error);
        if (!refusal) throw error;
        first ??= refusal;
        failed.push(`${showNumber("review", id)} · ${refusal.message}`);
      }
      if (performance.now() - shown > progressEvery) {
        await context.showProgress({ content: `${index + 1} of ${ids.length} …` });
        shown = performance.now();
      }
    }
    if (done === 0 && first && ids.length === 1) throw first;
    const [only] = ids;
    if (ids.length === 1 && only !== undefined) {
      const view = await showItem(context, only, true, notes);
      const more = decision === "ban" ? await offerMore(context, only) : [];
      return more.length === 0 ? view : { ...view, buttons: [...(view.buttons ?? []), more] };
    }
    return describeOutcome({ done, failed, notes, decision });
  },
});

/** Hides and bans in other channels are not part of a review, so they are offered once it is decided. */
async function offerMore(context: CommandContext, id: number): Promise<RoomButton[]> {
  const { fid, channel_id } = await requireItem(context.database.query, context.actor.guildId, id);
  if (fid === null) return [];
  return wideningButtons(String(fid), channel_id, {
    hide: (await suggestedChannels(context, "hide")).includes(channel_id),
    banEverywhere: (await suggestedChannels(context, "ban")).length > 1,
  });
}

async function findAll(
  { database, actor }: CommandContext,
  channelIds: readonly string[],
  filter: { queue: string | undefined; ruleId: string | undefined; fid: number | undefined },
): Promise<number[]> {
  if (Object.values(filter).every((value) => value === undefined)) {
    throw new AppError("invalid_input", "Choose the reviews by number, queue, rule or user.");
  }
  const asked = { guildId: actor.guildId, channelIds, ...filter, after: 0, limit: most + 1 };
  const found = await listOpenItems(database.query, asked);
  if (found.length === 0) throw new AppError("not_found", "No open review matches.");
  return found.slice(0, most).map(({ id }) => id);
}

/** The reviews with these numbers. Throws `invalid_input` for anything but a number, and `not_found`. */
async function readIds({ database, actor }: CommandContext, typed: string): Promise<number[]> {
  const words = typed.split(/[\s,;]+/).filter((word) => word !== "");
  if (words.length > most) throw new AppError("invalid_input", `At most ${most} at once.`);
  const ids = new Set<number>();
  for (const word of words) {
    const item = await requireItem(database.query, actor.guildId, readNumber("review", word));
    const { head } = await readWholeReview(database.query, item);
    ids.add(head.id);
  }
  if (ids.size === 0)
    throw new AppError("invalid_input", "Give the numbers as /review show lists them, such as R-3.");
  return [...ids];
}

/** The reviews for which the actor may make this decision, and why others are left out. Throws the first error if none is left. */
async function sortOut(
  context: CommandContext,
  ids: readonly number[],
  decision: ReviewDecision,
): Promise<{ decidable: number[]; left: string[] }> {
  const { database, actor, clock } = context;
  const reviews = await readWholeReviews(database.query, ids);
  const rights = await authorizeDecision(context, reviews, decision);
  const decidable: number[] = [];
  const left: string[] = [];
  let first: AppError | undefined;
  for (const review of reviews) {
    const { id } = review.head;
    try {
      decidableAmong(review, rights);
      // Ownership is checked when the decision is carried out.
      requireFree(review.head, actor.userId, true, clock.now());
      decidable.push(id);
    } catch (error) {
      const refusal = asAppError(error);
      if (!refusal) throw error;
      first ??= refusal;
      left.push(`${showNumber("review", id)} is left out: ${refusal.message}`);
    }
  }
  if (decidable.length === 0 && first) throw first;
  return { decidable, left };
}

const verbs: Record<ReviewDecision, string> = {
  approve: "Approve",
  hide: "Hide the casts of",
  ban: "Ban the authors of",
  dismiss: "Dismiss",
};

/** "Dismiss", "Dismiss both", "Dismiss all 5". */
function labelOf(decision: ReviewDecision, count: number): string {
  const [verb = ""] = verbs[decision].split(" ");
  return [verb, count > 2 ? `all ${count}` : count === 2 ? "both" : ""].join(" ").trimEnd();
}

/** The question under a review's Ban button: length and reason. */
export async function askBanOfReview(context: CommandContext, { id, head_id }: ReviewItem): Promise<View> {
  const { decidable } = await sortOut(context, [head_id ?? id], "ban");
  const preview = await previewBanOf(context, decidable, [], undefined);
  return confirmFirst(context, "review decide", { confirmLabel: "Ban" }, preview);
}

/** Asks how long the authors in these reviews are to be banned. */
async function previewBanOf(
  context: CommandContext,
  ids: number[],
  left: readonly string[],
  reason: string | undefined,
): Promise<Preview<Plan>> {
  const planned = { ids, decision: "ban" as const, reason: reason ?? null, named: true };
  const { view, noChange } = await describeBans(context, planned, left);
  if (noChange) return { view };
  const reviews = ids.map((id) => showNumber("review", id)).join(" ");
  const saved = await listSavedReasons(context.database.query, context.actor.guildId);
  const stateFor = (forSeconds: number | null) => ({ ...planned, forSeconds });
  return {
    view,
    question: askBanLength({ raw: { decision: "ban", reviews }, reason, maxReason, saved, stateFor }),
  };
}

/** For one review, the usual preview of a ban; for several, the list of reviews. */
async function describeBans(
  context: CommandContext,
  plan: Omit<Plan, "forSeconds">,
  left: readonly string[],
): Promise<{ view: View; noChange?: boolean }> {
  const { database, actor } = context;
  const [only, another] = plan.ids;
  const forSeconds = "asked";
  if (only === undefined || another !== undefined)
    return { view: await describePlan(context, { ...plan, forSeconds }, left) };
  const review = await readWholeReview(
    database.query,
    await requireItem(database.query, actor.guildId, only),
  );
  const allowed = await requireDecidable(context, review, "ban");
  const { fid } = review.head;
  if (fid === null) throw new AppError("invalid_input", "There is nobody here to ban.");
  const { view, noChange } = await previewFirstChange(context, allowed, {
    user: { fid, name: await findName(context, fid) },
    forSeconds,
    reason: plan.reason ?? undefined,
    onlyLonger: true,
  });
  if (allowed.length === 1) return { view, noChange };
  const where = allowed.map(({ item: { channel_id: id } }) => `/${id}`).join(", ");
  const [embed] = view.embeds ?? [];
  return {
    view: { embeds: [{ ...embed, description: `**Bans from ${where}.**\n${embed?.description ?? ""}` }] },
    noChange,
  };
}

/** The ban's preview in the first channel where it changes something; if there is none, in the last. */
async function previewFirstChange(
  context: CommandContext,
  [first, ...others]: readonly AllowedItem[],
  ban: Omit<Parameters<typeof previewBan>[1], "channel">,
): ReturnType<typeof previewBan> {
  if (!first) throw new AppError("invalid_input", "There is nobody here to ban.");
  const preview = await previewBan(context, { ...ban, channel: first.authorized.channel });
  return preview.noChange && others.length > 0 ? previewFirstChange(context, others, ban) : preview;
}

async function describePlan(
  context: CommandContext,
  plan: Omit<Plan, "forSeconds"> & { forSeconds: Plan["forSeconds"] | "asked" },
  left: readonly string[],
): Promise<View> {
  const { ids, decision, forSeconds, reason } = plan;
  const { database, clock } = context;
  const reviews = await readReviews(database.query, ids, clock.now());
  const lines = ids.flatMap((id) => {
    const review = reviews.get(id);
    if (!review) return [];
    const { queue, fid, name, names, evidence, sentences, channels } = review;
    const whom = fid === null ? "" : ` · ${describeUser({ fid, name })}`;
    const does = decision === "approve" ? ` → ${sentences.join(", ") || "nothing to approve"}` : "";
    const where = channels
      .filter(({ state }) => state === "open")
      .map((channel) => escapeText(channel.name, 40));
    const said = evidence === null ? "" : ` ${inlineCode(castLine(evidence, names, 60), 60)}`;
    return [
      `**${showNumber("review", id)}** ${inlineCode(queue, 40)}${whom} · ${where.join(", ")}${said}${does}`,
    ];
  });
  const until = typeof forSeconds === "number" ? clock.now() / 1000 + forSeconds : undefined;
  const length =
    until === undefined
      ? forSeconds === null
        ? "Permanently."
        : `For how long? ${lastsAfterBan}`
      : `Until ${describeTime(until, "f")}.`;
  const ban =
    decision === "ban" ? [length, ...(reason === null ? [] : [`Reason: ${escapeText(reason)}`])] : [];
  const limit =
    ids.length === most ? [`At most ${most} reviews are decided at once. Run it again for more.`] : [];
  return textView(
    "warning",
    [
      fitLinesOrCount(lines, 2500),
      ...ban,
      ...limit,
      ...(left.length > 0 ? [fitLinesOrCount(left, 1000)] : []),
    ],
    { title: `${verbs[decision]} ${amount(ids.length, "review")}?` },
  );
}
