import type { Statistics } from "../../src/moderation/statistics.ts";
import type { ReviewLoad } from "../../src/reviews/review-items.ts";
import { amount } from "../../src/text/amount.ts";

/** What is told, and what it was counted of. Times in UNIX milliseconds. */
export interface Shown {
  channelIds: readonly string[];
  sinceMs: number;
  nowMs: number;
  statistics: Statistics;
  load: ReviewLoad;
}

export function countWaiting({ queues }: ReviewLoad): number {
  return queues.reduce((sum, { waiting }) => sum + waiting, 0);
}

export function nameChannels(channelIds: readonly string[]): string {
  const shown = channelIds.slice(0, 10).map((id) => `/${id}`);
  const rest = channelIds.length - shown.length;
  return rest === 0 ? shown.join(", ") : `${shown.join(", ")} and ${amount(rest, "more channel")}`;
}

/** What happened is never told as nothing, nor as always what did not always. */
export function showShare(part: number, whole: number): string {
  const percent = (100 * part) / Math.max(whole, 1);
  if (part > 0 && percent < 1) return "< 1 %";
  return part < whole && percent > 99 ? "> 99 %" : `${Math.round(percent)} %`;
}
