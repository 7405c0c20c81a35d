import type { Verdict } from "../evaluate/evaluate.ts";
import type { Occurrence } from "../evaluate/occurrence.ts";
import type { Mode } from "../language/rule-file.ts";

export type Change = "newly" | "no_longer" | "same";

/** An event on which a rule's outcome was compared. */
export interface Sample {
  eventId: number;
  channelId: string;
  authorFid: number | null;
  /** UNIX seconds. */
  at: number;
  /** The text or name that was looked at, as written; null where there is none. */
  text: string | null;
}

/** What became of one rule over the history. */
export interface RuleOutcome {
  ruleId: string;
  /** Under the proposed rules; undefined where they do not have it any more. */
  mode: Mode | undefined;
  counts: Record<Change, number>;
  /** How often the proposed rule could not tell. */
  unknown: number;
  /** The first of each change that were added. */
  samples: Record<Change, Sample[]>;
}

const mostSamples = 3;

/** Collects, rule by rule, what rules in force and proposed ones say of the same events. */
export class Comparison {
  readonly #outcomes = new Map<string, RuleOutcome>();

  add(occurrence: Occurrence, before: readonly Verdict[], after: readonly Verdict[]): void {
    const hitBefore = new Set(before.filter(({ truth }) => truth === true).map(({ rule }) => rule.id));
    for (const { rule, truth } of after) {
      const outcome = this.#outcomeOf(rule.id, rule.mode);
      if (truth === "unknown") outcome.unknown += 1;
      else count(outcome, hitBefore.delete(rule.id) ? "same" : "newly", occurrence);
    }
    for (const ruleId of hitBefore) count(this.#outcomeOf(ruleId), "no_longer", occurrence);
  }

  /** Those that differ first, then by how much they hit. */
  list(): RuleOutcome[] {
    const weigh = ({ counts }: RuleOutcome) => (counts.newly + counts.no_longer) * 1e6 + counts.same;
    return [...this.#outcomes.values()].toSorted((one, other) => weigh(other) - weigh(one));
  }

  #outcomeOf(ruleId: string, mode?: Mode): RuleOutcome {
    const found = this.#outcomes.get(ruleId);
    if (found) {
      found.mode ??= mode;
      return found;
    }
    const fresh: RuleOutcome = {
      ruleId,
      mode,
      counts: { newly: 0, no_longer: 0, same: 0 },
      unknown: 0,
      samples: { newly: [], no_longer: [], same: [] },
    };
    this.#outcomes.set(ruleId, fresh);
    return fresh;
  }
}

function count(
  outcome: RuleOutcome,
  change: Change,
  { event, channelId, authorFid, text, name }: Occurrence,
) {
  outcome.counts[change] += 1;
  const raw = (text ?? name)?.raw ?? null;
  const sample = { eventId: event.id, channelId, authorFid, at: event.occurredAt, text: raw };
  if (outcome.samples[change].length < mostSamples) outcome.samples[change].push(sample);
}
