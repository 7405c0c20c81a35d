import type { ListPage } from "../../src/discord/command.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { AppError } from "../../src/errors.ts";
import { authorize } from "../../src/moderation/authorize.ts";
import { authorizeIn } from "../../src/moderation/authorize-server.ts";
import { readEvidence } from "../../src/observe/cast-body.ts";
import { describeUser, readNames } from "../../src/observe/people.ts";
import { claimantOf } from "../../src/reviews/claims.ts";
import {
  isKnownQueue,
  listOpenItems,
  readLoad,
  type OpenReview,
  type ReviewLoad,
} from "../../src/reviews/review-items.ts";
import { formatDuration } from "../../src/text/duration.ts";
import { describeReviewSource } from "../../src/text/review-sources.ts";
import { describeTime, inlineCode } from "../../src/text/message-text.ts";
import { showNumber } from "../../src/text/numbered.ts";
import { castLine } from "../../src/text/show-cast.ts";
import { openReviewButtons } from "../shared/leading-buttons.ts";
import { readChannelId } from "../shared/options.ts";
import { textView } from "../../src/discord/view.ts";

const pageSize = 10;

/** Open reviews, oldest first. */
export async function listReviews(
  context: CommandContext,
  { queue, channel: given }: { queue: string | undefined; channel: string | undefined },
  cursor: string | undefined,
): Promise<ListPage> {
  const channelIds = await readChannels(context, given);
  const { database, clock, actor } = context;
  const { guildId } = actor;
  const load = await readLoad(database.query, guildId, channelIds, clock.now());
  await requireQueue(context, queue, load);
  const asked = { guildId, channelIds, queue, after: Number(cursor ?? 0), limit: pageSize + 1 };
  const items = await listOpenItems(database.query, asked);
  const shown = items.slice(0, pageSize);
  const names = await readNames(
    database.query,
    shown.flatMap(({ fid, evidenceExtras }) => [
      ...(fid === null ? [] : [fid]),
      ...(evidenceExtras?.mentions ?? []),
    ]),
  );
  const lines = shown.map((review) => describeOpenReview(review, names, clock.now()));
  const last = shown.at(-1);
  const where = given === undefined ? "" : ` in /${readChannelId(given)}`;
  return {
    view: {
      ...textView("plain", [...describeLoad(load), "", ...lines].join("\n").trim() || nothing, {
        title: `Held for review${where}${queue === undefined ? "" : `, queue ${queue}`}`,
        ...(last && { footer: "/review decide decides several" }),
      }),
      buttons: openReviewButtons(shown),
    },
    ...(last && items.length > pageSize && { next: String(last.id) }),
  };
}

const nothing = "Nothing is waiting for a decision.";

async function readChannels(context: CommandContext, given: string | undefined): Promise<string[]> {
  if (given === undefined) return authorizeIn(context, context.actor, "view");
  const channelId = readChannelId(given);
  await authorize(context, context.actor, channelId, "view");
  return [channelId];
}

/** Throws `not_found` for a queue that has never had an item, because a typo would look like an empty queue. */
async function requireQueue(
  { database, actor }: CommandContext,
  queue: string | undefined,
  { queues }: ReviewLoad,
): Promise<void> {
  if (queue === undefined || queues.some((one) => one.queue === queue)) return;
  if (await isKnownQueue(database.query, actor.guildId, queue)) return;
  const waiting = queues.slice(0, 10).map((one) => `${inlineCode(one.queue, 40)} (${one.waiting})`);
  const others = waiting.length === 0 ? nothing : `Queues with open reviews: ${waiting.join(", ")}.`;
  throw new AppError(
    "not_found",
    `There has never been a review in a queue ${inlineCode(queue, 40)}. ${others}`,
  );
}

function describeLoad({ queues, claimed, escalated, oldestMs, usualMs }: ReviewLoad): string[] {
  const span = formatDuration((usualMs ?? 0) / 1000, { minutesFrom: 0, hoursFrom: 120 });
  const usual = usualMs === null ? [] : [`usually decided within ${span} (the last 7 days)`];
  if (oldestMs === null) return [[nothing, ...usual].join(" · ")];
  const waiting = queues.reduce((sum, queue) => sum + queue.waiting, 0);
  const parts = [
    `**${waiting} waiting**, the oldest came ${describeTime(oldestMs / 1000)}`,
    queues
      .slice(0, 5)
      .map((queue) => `${inlineCode(queue.queue, 40)} ${queue.waiting}`)
      .join(", "),
    ...(claimed > 0 ? [`${claimed} claimed`] : []),
    ...(escalated > 0 ? [`${escalated} left to the owner`] : []),
    ...usual,
  ];
  return [parts.join(" · ")];
}

function describeOpenReview(review: OpenReview, names: ReadonlyMap<number, string>, now: number): string {
  const { id, queue, ruleId, fid, queuedAtMs, escalatedBy, channelIds } = review;
  const whom = fid === null ? "" : ` · ${describeUser({ fid, name: names.get(fid) })}`;
  const claimant = claimantOf({ claimed_by: review.claimedBy, claimed_at_ms: review.claimedAtMs }, now);
  const claim = claimant === undefined ? "" : ` · <@${claimant}> decides it`;
  const owner = escalatedBy === null ? "" : " · for the owner";
  const where = channelIds.map((channelId) => `/${channelId}`).join(" ");
  const body = readEvidence(review);
  const said = body ? ` ${inlineCode(castLine(body, names, 60), 60)}` : "";
  return `**${showNumber("review", id)}** ${inlineCode(queue, 40)} · ${describeReviewSource(ruleId)}${whom} · ${where} · ${describeTime(queuedAtMs / 1000)}${claim}${owner}${said}`;
}
