import type { Watch } from "../evaluate/evaluate.ts";
import type { CompiledRule, CompiledRules } from "../evaluate/rule-set.ts";
import { progressCells } from "./messages.ts";

/**
 * How long rules may look at one event, in milliseconds: one of them, all of a server's together, and all together before
 * the rest does not look at all. Ordinary rules take a thousandth of it.
 */
export const timeLimits = { rule: 250, event: 1000, eventAtMost: 2000 } as const;
/** A busy machine makes a quick rule late now and then: so often may a rule be late, and so many quick looks forgive it. */
const patience = { late: 3, quick: 20 } as const;

export interface Stopwatch {
  watch: Watch;
  /** Ids of the rules that take too long, by the event just looked at. */
  endEvent(): string[];
}

const lateness = new WeakMap<CompiledRule, { late: number; quick: number }>();

/** Takes the time of each rule's looks at one event after the other, and tells outside at which rule it is. */
export function createStopwatch(
  { rules }: CompiledRules,
  set: number,
  tooSlow: Set<string>,
  progress: SharedArrayBuffer,
): Stopwatch {
  const cells = new Int32Array(progress);
  const places = new Map(rules.map((rule, index) => [rule, index + 1]));
  /** Milliseconds of all looks at the event. */
  const taken = new Map<CompiledRule, number>();
  let total = 0;

  const watch: Watch = (rule, look) => {
    if (tooSlow.has(rule.id) || total > timeLimits.eventAtMost) return undefined;
    cells[progressCells.set] = set;
    cells[progressCells.rule] = places.get(rule) ?? 0;
    cells[progressCells.looks] = (cells[progressCells.looks] ?? 0) + 1;
    const started = performance.now();
    const found = look();
    const took = performance.now() - started;
    cells[progressCells.rule] = 0;
    total += took;
    taken.set(rule, took + (taken.get(rule) ?? 0));
    return found;
  };

  /** Those that took longest, until the others together are quick enough. */
  function findLate(): Set<CompiledRule> {
    const late = new Set<CompiledRule>();
    if (total <= timeLimits.rule) return late;
    let left = total;
    for (const [rule, took] of [...taken].toSorted(([, one], [, other]) => other - one)) {
      if (took <= timeLimits.rule && left <= timeLimits.event) break;
      late.add(rule);
      left -= took;
    }
    return late;
  }

  return {
    watch,
    endEvent() {
      const late = findLate();
      const slow: string[] = [];
      for (const rule of taken.keys()) {
        if (noteLateness(rule, late.has(rule)) < patience.late) continue;
        slow.push(rule.id);
        tooSlow.add(rule.id);
      }
      taken.clear();
      total = 0;
      return slow;
    },
  };
}

/** How often the rule was late lately. */
function noteLateness(rule: CompiledRule, isLate: boolean): number {
  const before = lateness.get(rule);
  if (!before && !isLate) return 0;
  const now = isLate
    ? { late: (before?.late ?? 0) + 1, quick: 0 }
    : { late: before?.late ?? 0, quick: (before?.quick ?? 0) + 1 };
  if (now.quick >= patience.quick) lateness.delete(rule);
  else lateness.set(rule, now);
  return now.late;
}
