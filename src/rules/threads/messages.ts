import type { ErrorCode } from "../../errors.ts";
import type { EvaluatedNode } from "../evaluate/condition.ts";
import type { Occurrence } from "../evaluate/occurrence.ts";
import type { CompiledRules, Rule, RuleSet } from "../evaluate/rule-set.ts";
import type { Fact, Missing } from "../facts/fact.ts";
import type { NeedMessage } from "../facts/load-facts.ts";
import { ActionItem, type Mode } from "../language/rule-file.ts";
import { readText, textLimit, type RuleText } from "../text/rule-text.ts";

/** Messages to and from the rule threads: plain data. */

/** An event without what can be parsed from its texts again. */
interface OccurrenceMessage extends Omit<Occurrence, "text" | "name"> {
  text: string | null;
  name: string | null;
}

export type RulesMessage = Pick<RuleSet, "exempt" | "lists" | "remarks"> & { rules: Omit<Rule, "actions">[] };

export interface Refusal {
  code: ErrorCode;
  message: string;
  mistakes: { path: string; message: string }[];
}

/** A verdict with its rule's id. */
export interface VerdictMessage {
  ruleId: string;
  truth: true | "unknown";
  tree: EvaluatedNode;
  missing?: Missing | "exemption";
}

export type EvaluationMessage =
  { asked: true; verdicts: VerdictMessage[] } | { asked: false; why: string; undecided?: VerdictMessage[] };

/** An event, its known facts, and the rules that were still possible after the last round. */
export interface ConsiderItem {
  occurrence: OccurrenceMessage;
  known: ReadonlyMap<string, Fact<unknown>>;
  possible?: PossibleRules;
}

/** For each source, positions of its rules. */
export type PossibleRules = readonly (readonly number[])[];

export interface ConsiderTask {
  /** The rules, each evaluated on each event. */
  sources: readonly string[];
  /** For each of them, ids of rules that take too long and are not run. */
  tooSlow: readonly (readonly string[])[];
  items: readonly ConsiderItem[];
  /** No more facts can be loaded: missing ones stay unknown. */
  final: boolean;
  botFid: number;
  /** Milliseconds after which no further event is begun. */
  slice: number;
}

/** For each event that there was time for: the facts still needed, or the result of each rule set. */
export interface ConsiderAnswer {
  items: ({ needs: NeedMessage[]; possible: PossibleRules } | { evaluations: EvaluationMessage[] })[];
  slow: SlowRule[];
}

/** A rule that takes too long. */
interface SlowRule {
  /** The index of the source. */
  set: number;
  ruleId: string;
}

/**
 * A thread's visible progress: whether it has begun (1), how many rule runs it has begun, and which rule of which set is
 * running (from 1; 0 for none).
 */
export const progressCells = { begun: 0, runs: 1, set: 2, rule: 3, length: 4 } as const;

/** A task, and where its progress is shown. */
export interface Watched<T> {
  task: T;
  progress: SharedArrayBuffer;
}

export interface ExplainTask {
  source: string;
  occurrence: OccurrenceMessage;
  /** undefined: only return the needs. */
  known: ReadonlyMap<string, Fact<unknown>> | undefined;
  botFid: number;
}

export type ExplainAnswer =
  | { needs: NeedMessage[] }
  | { asked: false; why: string }
  | { asked: true; answers: { ruleId: string; mode: Mode; tree: EvaluatedNode }[] };

export function packOccurrence(occurrence: Occurrence): OccurrenceMessage {
  return { ...occurrence, text: packText(occurrence.text), name: packText(occurrence.name) };
}

export function readOccurrence(message: OccurrenceMessage): Occurrence {
  const { text, name } = message;
  return {
    ...message,
    text: text === null ? null : readText(text),
    name: name === null ? null : readText(name),
  };
}

/** One more character shows that there was more. */
function packText(text: RuleText | null): string | null {
  if (!text) return null;
  return text.raw.length === textLimit && text.cut ? `${text.raw}…` : text.raw;
}

export function packRules({ exempt, lists, remarks, rules }: CompiledRules): RulesMessage {
  return {
    exempt,
    lists,
    remarks,
    rules: rules.map(({ when: _, needs: __, actions: ___, ...rule }) => rule),
  };
}

/** Actions are functions and cannot cross threads, so they are parsed again where they are needed. */
export function readRules(source: string, { exempt, lists, remarks, rules }: RulesMessage): RuleSet {
  return { source, exempt, lists, remarks, rules: rules.map(withActions) };
}

function withActions(rule: Omit<Rule, "actions">): Rule {
  let actions: Rule["actions"] | undefined;
  return {
    ...rule,
    get actions() {
      const { then } = rule.entry;
      return (actions ??= Array.isArray(then) ? then.map((item) => ActionItem.parse(item)) : []);
    },
  };
}
