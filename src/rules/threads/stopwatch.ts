import type { Watch } from "../evaluate/evaluate.ts";
import type { CompiledRule } from "../evaluate/rule-set.ts";
import { progressCells } from "./messages.ts";

/**
 * How long rules may take on one event, in milliseconds: one rule, all of a server's together, and all together before the
 * remaining ones are skipped. Ordinary rules take a thousandth of it.
 */
const timeLimits = { rule: 250, event: 1000, eventAtMost: 2000 } as const;
/** A busy machine sometimes delays quick rules: how often a rule may be late, and how many quick runs reset the count. */
const tolerance = { late: 3, quick: 20 } as const;

interface Stopwatch {
  watch: Watch;
  /** Ids of the rules that turned out to be too slow with the event that ends. */
  endEvent(): string[];
}

/** By rule: how often it was late recently, and how often it was quick since. */
export type Lateness = Map<CompiledRule, { late: number; quick: number }>;

/** Times each rule's runs, event by event, and writes the running rule's position into `progress`. */
export function createStopwatch(
  places: ReadonlyMap<CompiledRule, number>,
  lateness: Lateness,
  set: number,
  tooSlow: Set<string>,
  progress: SharedArrayBuffer,
): Stopwatch {
  const cells = new Int32Array(progress);
  /** Milliseconds of all runs on the event. */
  const taken = new Map<CompiledRule, number>();
  let total = 0;

  const watch: Watch = (rule, run) => {
    if (tooSlow.has(rule.id) || total > timeLimits.eventAtMost) return undefined;
    cells[progressCells.set] = set;
    cells[progressCells.rule] = (places.get(rule) ?? -1) + 1;
    cells[progressCells.runs] = (cells[progressCells.runs] ?? 0) + 1;
    const started = performance.now();
    const found = run();
    const took = performance.now() - started;
    cells[progressCells.rule] = 0;
    total += took;
    taken.set(rule, took + (taken.get(rule) ?? 0));
    return found;
  };

  /** The slowest rules: without them the others are quick enough together. */
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
        if (noteLateness(lateness, rule, late.has(rule)) < tolerance.late) continue;
        slow.push(rule.id);
        tooSlow.add(rule.id);
      }
      taken.clear();
      total = 0;
      return slow;
    },
  };
}

/** How often the rule was late recently. */
function noteLateness(lateness: Lateness, rule: CompiledRule, isLate: boolean): number {
  const before = lateness.get(rule);
  if (!before && !isLate) return 0;
  const now = isLate
    ? { late: (before?.late ?? 0) + 1, quick: 0 }
    : { late: before?.late ?? 0, quick: (before?.quick ?? 0) + 1 };
  if (now.quick >= tolerance.quick) lateness.delete(rule);
  else lateness.set(rule, now);
  return now.late;
}
