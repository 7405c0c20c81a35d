import type { Evaluation } from "../evaluate/evaluate.ts";
import type { Occurrence } from "../evaluate/occurrence.ts";
import type { RuleSet } from "../evaluate/rule-set.ts";
import type { FactContext } from "../facts/fact.ts";
import { addFacts, readNeed, type Known, type NeedMessage } from "../facts/load-facts.ts";
import { packOccurrence, type ConsiderItem } from "./messages.ts";
import type { RuleThreads } from "./rule-threads.ts";

/** Events handed to a thread at once; those it has no time for are handed over again. */
const together = 100;

interface ConsiderContext extends FactContext {
  ruleThreads: RuleThreads;
  botFid: number;
}

interface ConsiderPlan {
  /** The queue in RuleThreads. */
  queue: string;
  ruleSets: readonly RuleSet[];
  occurrences: readonly Occurrence[];
  /** For each rule set, ids of rules that take too long; more may be added. */
  tooSlow: readonly Set<string>[];
  /** By performance.now(): no event is begun after `begin`, and none is continued after `goOn`. */
  until?: { begin: number; goOn: number };
}

/**
 * The rules' results for events: for each, in order, one evaluation per rule set; undefined for events that there was no
 * time for. Facts from the database are loaded first, then those from the network that still matter.
 */
export async function considerEvents(
  context: ConsiderContext,
  { queue, ruleSets, occurrences, tooSlow, until = { begin: Infinity, goOn: Infinity } }: ConsiderPlan,
): Promise<(Evaluation[] | undefined)[]> {
  const results = occurrences.map((): Evaluation[] | undefined => undefined);
  let open = occurrences.map((occurrence, index) => ({
    index,
    occurrence,
    item: { occurrence: packOccurrence(occurrence), known: new Map() } as ConsiderItem & { known: Known },
  }));
  // At most: facts from the database, facts from the network, and the final result.
  let step: "store" | "network" | "final" = "store";
  while (open.length > 0) {
    const waiting: { one: (typeof open)[number]; needs: NeedMessage[] }[] = [];
    const end = step === "store" ? until.begin : until.goOn;
    for (let done = 0; done < open.length && performance.now() < end;) {
      const items = open.slice(done, done + together).map(({ item }) => item);
      const events = { items, final: step === "final", botFid: context.botFid };
      const considered = await context.ruleThreads.consider(queue, ruleSets, events, tooSlow);
      for (const [place, found] of considered.entries()) {
        const one = open[done + place];
        if (!one) continue;
        if ("needs" in found) {
          one.item.possible = found.possible;
          waiting.push({ one, needs: found.needs });
        } else results[one.index] = found.evaluations;
      }
      done += considered.length;
    }
    const questions = waiting.map(({ one: { occurrence }, needs }) => ({
      occurrence,
      needs: needs.map(readNeed),
    }));
    const stored = questions.map(({ occurrence, needs }) => ({
      occurrence,
      needs: needs.filter(({ source }) => !source.far),
    }));
    const inStore: boolean = step === "store" && stored.some(({ needs }) => needs.length > 0);
    open = waiting.map(({ one }) => one);
    await addFacts(
      context,
      inStore ? stored : questions,
      open.map(({ item }) => item.known),
    );
    step = inStore ? "network" : "final";
  }
  return results;
}
