/** What runs in the threads of the rules: whatever a rule file's author decides how long it takes. */
import { platform, setPriority } from "node:os";
import { asAppError } from "../../errors.ts";
import { explain } from "../evaluate/condition.ts";
import { asksAbout, asksStill, evaluate, listenersTo, type Evaluation } from "../evaluate/evaluate.ts";
import { Facts } from "../evaluate/fact.ts";
import type { CompiledRules } from "../evaluate/rule-set.ts";
import { changeMode } from "../language/change-mode.ts";
import { parseRules } from "../language/parse-rules.ts";
import { appendRules, cutRule, replaceRule } from "../language/replace-rule.ts";
import { createStopwatch } from "./stopwatch.ts";
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

// Where processors are short, whoever waits for an answer gets three times as much. Linux sets it for this thread alone.
if (platform() === "linux") setPriority(5);

/** Compiled rules are kept, so many characters of files. */
const keptCharacters = 2_000_000;
const compiled = new Map<string, CompiledRules>();

function compile(source: string): CompiledRules {
  const rules = compiled.get(source) ?? parseRules(source);
  compiled.delete(source);
  compiled.set(source, rules);
  let characters = 0;
  for (const known of [...compiled.keys()].toReversed()) {
    characters += known.length;
    if (characters > keptCharacters && known !== source) compiled.delete(known);
  }
  return rules;
}

/** Time is taken from here on: a thread that starts with the task takes a while for that. */
function begin(progress: SharedArrayBuffer): void {
  new Int32Array(progress)[progressCells.begun] = 1;
}

/** Reads a rule file. */
export function read({
  task: source,
  progress,
}: Watched<string>): { rules: RulesMessage } | { refused: Refusal } {
  begin(progress);
  return orRefuse(() => ({ rules: packRules(compile(source)) }));
}

/** Looks at events with rules that were read, as long as there is time. */
export function consider({ task, progress }: Watched<ConsiderTask>): ConsiderAnswer {
  begin(progress);
  const started = performance.now();
  const { sources, tooSlow, items, final, botFid, slice } = task;
  const sets = sources.map((source, set) => {
    const rules = compile(source);
    return { rules, stopwatch: createStopwatch(rules, set, new Set(tooSlow[set]), progress) };
  });
  const answer: ConsiderAnswer = { items: [], slow: [] };
  for (const { occurrence: message, known } of items) {
    if (answer.items.length > 0 && performance.now() - started > slice) break;
    const occurrence = readOccurrence(message);
    const facts = new Facts(known);
    const asks = new Set<string>();
    for (const { rules, stopwatch } of final ? [] : sets) {
      for (const { key } of asksStill(rules, occurrence, facts, stopwatch.watch)) {
        if (!known.has(key)) asks.add(key);
      }
    }
    if (asks.size > 0) answer.items.push({ asks: [...asks] });
    else {
      const evaluations = sets.map(({ rules, stopwatch }) =>
        packEvaluation(evaluate(rules, occurrence, facts, botFid, stopwatch.watch)),
      );
      answer.items.push({ evaluations });
    }
    for (const [set, { stopwatch }] of sets.entries()) {
      for (const ruleId of stopwatch.endEvent()) answer.slow.push({ set, ruleId });
    }
  }
  return answer;
}

function packEvaluation(evaluation: Evaluation): EvaluationMessage {
  if (!evaluation.asked) return evaluation;
  return {
    asked: true,
    verdicts: evaluation.verdicts.map(({ rule, truth, tree }) => ({ ruleId: rule.id, truth, tree })),
  };
}

/** Every listening rule's condition, leaf by leaf. */
export function explainEvent({ task, progress }: Watched<ExplainTask>): ExplainAnswer {
  begin(progress);
  const { source, occurrence: message, known, botFid } = task;
  const rules = compile(source);
  const occurrence = readOccurrence(message);
  if (!known) return { asks: [...new Set(asksAbout(rules, occurrence).map(({ key }) => key))] };
  const facts = new Facts(known);
  const evaluation = evaluate(rules, occurrence, facts, botFid);
  if (!evaluation.asked) return { asked: false, why: evaluation.why };
  const answers = listenersTo(rules, occurrence).map(({ id, mode, when }) => ({
    ruleId: id,
    mode,
    tree: explain(when, occurrence, facts),
  }));
  return { asked: true, answers };
}

const edits = { changeMode, cutRule, replaceRule, appendRules };
export type Edits = typeof edits;

interface EditTask {
  name: keyof Edits;
  args: unknown[];
}

/** Makes a file of a file. */
export function edit({
  task: { name, args },
  progress,
}: Watched<EditTask>): { text: string } | { refused: Refusal } {
  begin(progress);
  // The caller's type pairs the name with what it takes.
  const change = edits[name] as (...args: unknown[]) => string;
  return orRefuse(() => ({ text: change(...args) }));
}

/** Of an error, a thread hands over the words alone. */
function orRefuse<T>(act: () => T): T | { refused: Refusal } {
  try {
    return act();
  } catch (error) {
    const refused = asAppError(error);
    if (!refused) throw error;
    return { refused: { code: refused.code, message: refused.message, mistakes: [...refused.mistakes] } };
  }
}
