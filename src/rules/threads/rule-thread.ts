/** Code of the rule threads: everything whose running time depends on a rule file. */
import { LRUCache } from "lru-cache";
import { asAppError } from "../../errors.ts";
import { createLeafReader, explain } from "../evaluate/condition.ts";
import {
  allNeeds,
  beginEvaluation,
  evaluate,
  listenersTo,
  type Evaluation,
  type Verdict,
} from "../evaluate/evaluate.ts";
import type { CompiledRule, CompiledRules } from "../evaluate/rule-set.ts";
import { Facts, type Need } from "../facts/fact.ts";
import { packNeed, type NeedMessage } from "../facts/load-facts.ts";
import {
  addToList,
  appendRules,
  changeMode,
  cutRule,
  exemptFromRule,
  removeFromList,
  removeRule,
  replaceRule,
  textBefore,
} from "../language/edit-file.ts";
import { parseRules } from "../language/parse-rules.ts";
import { findCommonTraits, type CommonTrait, type TraitSearch } from "../suggest/common-traits.ts";
import { runBehind } from "../../thread-priority.ts";
import { createStopwatch, type Lateness } from "./stopwatch.ts";
import {
  packRules,
  progressCells,
  readOccurrence,
  type ConsiderAnswer,
  type ConsiderTask,
  type EvaluationMessage,
  type ExplainAnswer,
  type ExplainTask,
  type Refusal,
  type RulesMessage,
  type Watched,
} from "./messages.ts";

// Rules may take any time, so their threads have low priority.
runBehind();

/** Compiled rules are cached, up to this many characters of files. */
const keptCharacters = 2_000_000;
const compiled = new LRUCache<string, Compiled>({
  maxSize: keptCharacters,
  sizeCalculation: (_, source) => source.length + 1,
});

interface Compiled {
  rules: CompiledRules;
  places: ReadonlyMap<CompiledRule, number>;
  lateness: Lateness;
}

function compile(source: string): Compiled {
  const known = compiled.get(source);
  if (known) return known;
  const rules = parseRules(source);
  const places = new Map(rules.rules.map((rule, place) => [rule, place]));
  const found: Compiled = { rules, places, lateness: new Map() };
  compiled.set(source, found);
  return found;
}

/** Time counts from here, because starting the thread is not part of the task. */
function begin(progress: SharedArrayBuffer): void {
  new Int32Array(progress)[progressCells.begun] = 1;
}

/** Parses a rule file. */
export function read({
  task: source,
  progress,
}: Watched<string>): { rules: RulesMessage } | { refused: Refusal } {
  begin(progress);
  return orRefuse(() => ({ rules: packRules(compile(source).rules) }));
}

/** Evaluates events, as long as there is time. */
export function consider({ task, progress }: Watched<ConsiderTask>): ConsiderAnswer {
  begin(progress);
  const started = performance.now();
  const { sources, tooSlow, items, final, botFid, slice } = task;
  const sets = sources.map((source, set) => {
    const { rules, places, lateness } = compile(source);
    const stopwatch = createStopwatch(places, lateness, set, new Set(tooSlow[set]), progress);
    return { rules, places, stopwatch };
  });
  const answer: ConsiderAnswer = { items: [], slow: [] };
  for (const { occurrence: message, known, possible } of items) {
    if (answer.items.length > 0 && performance.now() - started > slice) break;
    const occurrence = readOccurrence(message);
    const facts = new Facts(known);
    const begun = sets.map(({ rules, stopwatch }, set) => {
      const among = possible?.[set]?.flatMap((place) => rules.rules[place] ?? []);
      return beginEvaluation(rules, occurrence, facts, botFid, stopwatch.watch, among);
    });
    const needs = final ? [] : begun.flatMap((evaluation) => evaluation.needs);
    const open = packNeeds(needs.filter(({ key }) => !known.has(key)));
    if (open.length > 0) {
      const places = begun.map((evaluation, set) =>
        evaluation.possible.flatMap((rule) => sets[set]?.places.get(rule) ?? []),
      );
      answer.items.push({ needs: open, possible: places });
    } else
      answer.items.push({ evaluations: begun.map((evaluation) => packEvaluation(evaluation.conclude())) });
    for (const [set, { stopwatch }] of sets.entries()) {
      for (const ruleId of stopwatch.endEvent()) answer.slow.push({ set, ruleId });
    }
  }
  return answer;
}

function packNeeds(needs: readonly Need[]): NeedMessage[] {
  return [...new Map(needs.map((need) => [need.key, need])).values()].map(packNeed);
}

function packEvaluation(evaluation: Evaluation): EvaluationMessage {
  const pack = ({ rule, ...verdict }: Verdict) => ({ ruleId: rule.id, ...verdict });
  if (evaluation.asked) return { asked: true, verdicts: evaluation.verdicts.map(pack) };
  const { undecided, ...rest } = evaluation;
  return { ...rest, ...(undecided && { undecided: undecided.map(pack) }) };
}

/** Every matching rule's condition, leaf by leaf. */
export function explainEvent({ task, progress }: Watched<ExplainTask>): ExplainAnswer {
  begin(progress);
  const { source, occurrence: message, known, botFid } = task;
  const { rules } = compile(source);
  const occurrence = readOccurrence(message);
  if (!known) return { needs: packNeeds(allNeeds(rules, occurrence)) };
  const facts = new Facts(known);
  const evaluation = evaluate(rules, occurrence, facts, botFid);
  if (!evaluation.asked) return { asked: false, why: evaluation.why };
  const read = createLeafReader(occurrence, facts);
  const answers = listenersTo(rules, occurrence).map(({ id, mode, when }) => ({
    ruleId: id,
    mode,
    tree: explain(when, read),
  }));
  return { asked: true, answers };
}

/** Traits that casts share: users' texts, as many as a person may wait for. */
export function findTraits({ task, progress }: Watched<TraitSearch>): CommonTrait[] {
  begin(progress);
  return findCommonTraits(task);
}

const edits = {
  addToList,
  appendRules,
  changeMode,
  cutRule,
  exemptFromRule,
  removeFromList,
  removeRule,
  replaceRule,
  textBefore,
};
export type Edits = typeof edits;

interface EditTask {
  name: keyof Edits;
  args: unknown[];
}

/** Edits a rule file. */
export function edit({
  task: { name, args },
  progress,
}: Watched<EditTask>): { text: string } | { refused: Refusal } {
  begin(progress);
  // The caller's type pairs the name with its arguments.
  const change = edits[name] as (...args: unknown[]) => string;
  return orRefuse(() => ({ text: change(...args) }));
}

/** Errors as data, because they do not cross threads intact. */
function orRefuse<T>(act: () => T): T | { refused: Refusal } {
  try {
    return act();
  } catch (error) {
    const refused = asAppError(error);
    if (!refused) throw error;
    return { refused: { code: refused.code, message: refused.message, mistakes: [...refused.mistakes] } };
  }
}
