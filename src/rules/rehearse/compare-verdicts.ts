import type { Verdict } from "../evaluate/evaluate.ts";
import { beforeLink, type Occurrence } from "../evaluate/occurrence.ts";
import type { Rule } from "../evaluate/rule-set.ts";
import type { Mode } from "../language/rule-file.ts";
import { cutText } from "../../text/message-text.ts";
import { actsOn } from "../actions/action.ts";
import { momentOf } from "../limits/cooldown.ts";
import { isLimited, replayLimits, type Firing } from "./limit-replay.ts";

export type VerdictChange = "newly" | "no_longer" | "same";

/** A rule change's effect on an event, worded to follow a number or precede an event. */
export const changeWords = {
  newly: "newly hit",
  no_longer: "no longer hit",
  same: "hit as before",
} as const satisfies Record<VerdictChange, string>;

/** An event on which a rule's outcome was compared. */
export interface Sample {
  /** null for a cast from before the link. */
  eventId: number | null;
  castHash: string | null;
  channelId: string;
  authorFid: number | null;
  /** UNIX seconds. */
  at: number;
  /** The event's text or name, as written; null if there is none. */
  text: string | null;
}

/** One rule's outcome over the history. */
export interface RuleOutcome {
  ruleId: string;
  /** Its mode in the proposed rules; undefined if they no longer contain it. */
  mode: Mode | undefined;
  counts: Record<VerdictChange, number>;
  /** How often the proposed rule could not tell. */
  unknown: number;
  /** How often the proposed rule's own limits would have stopped it. */
  keptBack: number;
  /** The latest samples of each change. */
  samples: Record<VerdictChange, Sample[]>;
}

const maxSamples = 3;
/** Characters of a sample's text. */
const sampleLength = 300;
/** At most this many firings of rules with limits are stored; bounds memory. */
const maxFirings = 200_000;

interface LimitedFiring extends Firing {
  before: Rule | undefined;
  after: Rule | undefined;
  sample: Sample;
}

/** Collects, rule by rule, the results of active and proposed rules on the same events, newest first. */
export class Comparison {
  readonly #outcomes = new Map<string, RuleOutcome>();
  /** By rule: limits are replayed from the oldest firing on, once all are known. */
  readonly #limited = new Map<string, LimitedFiring[]>();
  #firings = 0;

  /** No more firings can be stored. */
  get isFull(): boolean {
    return this.#firings >= maxFirings;
  }

  add(occurrence: Occurrence, before: readonly Verdict[], after: readonly Verdict[]): void {
    const inForce = new Map(before.flatMap(({ truth, rule }) => (truth === true ? [[rule.id, rule]] : [])));
    for (const { rule, truth } of after) {
      const outcome = this.#outcomeOf(rule.id, rule.mode);
      if (truth === "unknown") outcome.unknown += 1;
      else this.#fire(occurrence, inForce.get(rule.id), rule);
      if (truth === true) inForce.delete(rule.id);
    }
    for (const rule of inForce.values()) this.#fire(occurrence, rule, undefined);
  }

  #fire(occurrence: Occurrence, before: Rule | undefined, after: Rule | undefined): void {
    const id = after?.id ?? before?.id ?? "";
    const sample = toSample(occurrence);
    if (!isLimited(before) && !isLimited(after)) {
      count(this.#outcomeOf(id), before ? (after ? "same" : "no_longer") : "newly", sample);
      return;
    }
    const { channelId, authorFid, event } = occurrence;
    const acts = actsOn((after ?? before)?.actions ?? [], occurrence);
    const firings = this.#limited.get(id) ?? [];
    firings.push({
      channelId,
      authorFid,
      happenedAt: momentOf(event),
      seenAt: event.observedAt,
      acts,
      before,
      after,
      sample,
    });
    this.#limited.set(id, firings);
    this.#firings += 1;
  }

  /** Counts firings that limits allow; the samples are the latest, as elsewhere. */
  #countLimited(): void {
    for (const [id, firings] of this.#limited) {
      const outcome = this.#outcomeOf(id);
      const ask = { before: replayOnce(), after: replayOnce() };
      // Casts from before the link come last, for any channel, so they are sorted by time.
      const inOrder = firings.toReversed().toSorted((one, other) => one.seenAt - other.seenAt);
      const judged = inOrder.map((firing) => {
        const [before, after] = [ask.before(firing.before, firing), ask.after(firing.after, firing)];
        if (firing.after && !after) outcome.keptBack += 1;
        return { sample: firing.sample, before, after };
      });
      for (const { sample, before, after } of judged.toReversed()) {
        if (before || after) count(outcome, before ? (after ? "same" : "no_longer") : "newly", sample);
      }
    }
    this.#limited.clear();
  }

  /** Changed rules first, then those with the most hits. */
  list(): RuleOutcome[] {
    this.#countLimited();
    const weigh = ({ counts }: RuleOutcome) => (counts.newly + counts.no_longer) * 1e6 + counts.same;
    return [...this.#outcomes.values()].toSorted((one, other) => weigh(other) - weigh(one));
  }

  #outcomeOf(ruleId: string, mode?: Mode): RuleOutcome {
    const found = this.#outcomes.get(ruleId);
    if (found) {
      found.mode ??= mode;
      return found;
    }
    const fresh = emptyOutcome(ruleId, mode);
    this.#outcomes.set(ruleId, fresh);
    return fresh;
  }
}

export function emptyOutcome(ruleId: string, mode: Mode | undefined): RuleOutcome {
  return {
    ruleId,
    mode,
    counts: { newly: 0, no_longer: 0, same: 0 },
    unknown: 0,
    keptBack: 0,
    samples: { newly: [], no_longer: [], same: [] },
  };
}

/** Replays one rule's limits; without the rule, nothing fires. */
function replayOnce() {
  let replay: ReturnType<typeof replayLimits> | undefined;
  return (rule: Rule | undefined, firing: Firing): boolean => {
    if (!rule) return false;
    replay ??= replayLimits(rule);
    return replay(firing);
  };
}

function toSample({ event, channelId, authorFid, text, name, cast }: Occurrence): Sample {
  const raw = (text ?? name)?.raw;
  const shown = raw === undefined ? null : cutText(raw, sampleLength);
  const eventId = event.id === beforeLink ? null : event.id;
  return { eventId, castHash: cast?.hash ?? null, channelId, authorFid, at: event.occurredAt, text: shown };
}

function count(outcome: RuleOutcome, change: VerdictChange, sample: Sample): void {
  outcome.counts[change] += 1;
  if (outcome.samples[change].length < maxSamples) outcome.samples[change].push(sample);
}
