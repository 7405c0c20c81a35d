import type { Statistics } from "../../src/moderation/statistics.ts";
import type { ReviewLoad } from "../../src/reviews/review-items.ts";
import { amount } from "../../src/text/amount.ts";

/** The statistics that are shown, and their filters. Times in UNIX milliseconds. */
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

/** A share: something is never shown as 0 %, and less than all is never shown as 100 %. */
export function showShare(part: number, whole: number): string {
  const percent = (100 * part) / Math.max(whole, 1);
  if (part > 0 && percent < 1) return "< 1 %";
  return part < whole && percent > 99 ? "> 99 %" : `${Math.round(percent)} %`;
}
