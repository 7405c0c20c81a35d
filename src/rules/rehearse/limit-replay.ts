import type { Rule } from "../evaluate/rule-set.ts";
import { cooldownSubject } from "../limits/cooldown.ts";

/** A time at which a rule fired. */
export interface Firing {
  channelId: string;
  authorFid: number | null;
  /** When it counts as happening, and when it was seen, in UNIX milliseconds. */
  happenedAt: number;
  seenAt: number;
  /** The rule could act, beyond queueing it for review. */
  acts: boolean;
}

/**
 * Determines for each firing of a rule, in event order, whether the rule's cooldown and breaker would have allowed it;
 * after a breaker trips, nothing more is allowed.
 */
export function replayLimits({ limits: { cooldown, breaker }, mode }: Rule): (firing: Firing) => boolean {
  const ends = new Map<string, number>();
  const acted: number[] = [];
  let tripped = false;
  return ({ happenedAt, seenAt, acts, ...where }) => {
    if (cooldown) {
      const subject = cooldownSubject(cooldown.per, where);
      if ((ends.get(subject) ?? -Infinity) > happenedAt) return false;
      ends.set(subject, happenedAt + cooldown.for.seconds * 1000);
    }
    // Reviews do not count towards a breaker.
    if (!breaker || mode === "review" || !acts) return true;
    const since = seenAt - breaker.per.seconds * 1000;
    while (acted[0] !== undefined && acted[0] <= since) acted.shift();
    tripped ||= acted.length >= breaker.max;
    if (!tripped) acted.push(seenAt);
    return !tripped;
  };
}

export function isLimited(rule: Rule | undefined): boolean {
  return rule?.limits.cooldown !== undefined || rule?.limits.breaker !== undefined;
}
