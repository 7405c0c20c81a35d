// @ts-nocheck
import { seconds, type Clock } from "../../clock.ts";
import type { ActionOrigin } from "../decide/rule-action.ts";

/** What all events that rules cause have in common. */
export function eventOfRule(
  clock: Clock,
  { channelId, depth }: Pick<ActionOrigin, "channelId" | "depth">,
  subjectFid: number | null,
) {
  const observedAt = clock.now();
  return { channelId, subjectFid, occurredAt: seconds(clock), observedAt, depth, caseId: null };
}
