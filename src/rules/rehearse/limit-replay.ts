import type { Rule } from "../evaluate/rule-set.ts";
import { subjectOf } from "../limits/cooldown.ts";

/** A time at which a rule fired. */
export interface Firing {
  channelId: string;
  authorFid: number | null;
  /** When it counts as happening, and when it was seen, in UNIX milliseconds. */
  happenedAt: number;
  seenAt: number;
  /** The rule could do something about it, and not only hold it. */
  acts: boolean;
}

/**
 * Says of each firing of a rule, given in the order of events, whether the rule's cooldown and breaker would have let it
 * act; what a tripped breaker keeps back stays so.
 */
export function replayLimits({ limits: { cooldown, breaker }, mode }: Rule): (firing: Firing) => boolean {
  const ends = new Map<string, number>();
  const acted: number[] = [];
  let tripped = false;
  return ({ happenedAt, seenAt, acts, ...where }) => {
    if (cooldown) {
      const subject = subjectOf(cooldown.per, where);
      if ((ends.get(subject) ?? -Infinity) > happenedAt) return false;
      ends.set(subject, happenedAt + cooldown.for.seconds * 1000);
    }
    // What a rule in review holds counts towards no breaker.
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
