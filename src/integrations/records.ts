import type { z } from "zod";
import type { BulkSummary } from "../feed/render/bulk-summary.ts";
import type { HeldReview } from "../feed/render/held-reviews.ts";
import type { Case } from "../moderation/cases/case.ts";
import { writeOutcome } from "../moderation/cases/outcome.ts";
import { showNumber } from "../text/numbered.ts";
import type { BulkRecord, CaseRecord, ReviewRecord } from "./schemas.ts";

export function toTime(ms: number): string {
  return new Date(ms).toISOString();
}

function toOptionalTime(ms: number | null): string | null {
  return ms === null ? null : toTime(ms);
}

export function toCaseRecord(subject: Case): z.input<typeof CaseRecord> {
  const { actorKind: kind, actorUser: userId, actorFid: fid, actorToken: token, ruleId: rule } = subject;
  return {
    number: showNumber("case", subject.number),
    channel: subject.channelId,
    action: subject.kind,
    state: subject.state,
    requestedAt: toTime(subject.requestedAtMs),
    settledAt: toOptionalTime(subject.settledAtMs),
    fid: subject.subjectFid,
    castHash: subject.targetCast,
    by: { kind, userId, fid, token, rule },
    reason: subject.publicReason,
    note: subject.privateReason,
    endsAt: toOptionalTime(subject.dueAtMs),
    outcome: writeOutcome(subject),
  };
}

/** Of the channels only those that may be viewed. */
export function toReviewRecord(review: HeldReview, viewed: readonly string[]): z.input<typeof ReviewRecord> {
  const { queue, fid, castHash, why, claimedBy, escalatedBy, appeal } = review;
  const channels = review.channels.filter(({ channelId }) => viewed.includes(channelId));
  return {
    number: showNumber("review", review.id),
    queue,
    rule: review.ruleId,
    fid,
    name: review.name ?? null,
    castHash,
    text: review.evidence?.text ?? null,
    why,
    proposes: review.sentences,
    queuedAt: toTime(review.queuedAtMs),
    claimedBy,
    escalatedBy,
    reports: review.reports.length,
    appealsCase: appeal ? showNumber("case", appeal.number) : null,
    strikePoints: review.points,
    channels: channels.map(({ channelId: channel, state, decidedBy, decidedToken }) => {
      return { channel, state, decidedBy, decidedToken };
    }),
  };
}

export function toBulkRecord(bulk: BulkSummary): z.input<typeof BulkRecord> {
  const { kind: action, selection, reason, requestedBy, targets, stoppedBy } = bulk;
  const [channel = "", ...others] = bulk.channels.map(({ id }) => id);
  const sum = (counts: BulkSummary["counts"]) => counts.reduce((total, { count }) => total + count, 0);
  return {
    number: showNumber("bulk", bulk.number),
    channel,
    channels: [channel, ...others],
    action,
    selection,
    reason,
    requestedBy,
    targets,
    settled: sum(bulk.counts.filter(({ state }) => state !== "requested")),
    failed: sum(bulk.counts.filter(({ state }) => state === "failed")),
    begunAt: toTime(bulk.beganAtMs),
    endedAt: toOptionalTime(bulk.endedAtMs),
    stoppedBy,
  };
}
