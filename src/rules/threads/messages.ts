import type { ErrorCode } from "../../errors.ts";
import type { EvaluatedNode } from "../evaluate/condition.ts";
import type { Fact } from "../evaluate/fact.ts";
import type { Occurrence } from "../evaluate/occurrence.ts";
import type { CompiledRules, Rule, RuleSet } from "../evaluate/rule-set.ts";
import { ActionItem } from "../language/action-item.ts";
import type { Mode } from "../language/rule-file.ts";
import { readText, textLimit, type RuleText } from "../text/rule-text.ts";

/** What goes to the threads of the rules, and comes back: data alone. */

/** An event without what can be read out of its texts again. */
export interface OccurrenceMessage extends Omit<Occurrence, "text" | "name"> {
  text: string | null;
  name: string | null;
}

export type RulesMessage = Pick<RuleSet, "exempt"> & { rules: Omit<Rule, "actions">[] };

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
}

export type EvaluationMessage =
  { asked: true; verdicts: VerdictMessage[] } | { asked: false; why: string; mayPass?: true };

export interface ConsiderTask {
  /** The rules, each to be asked about each event. */
  sources: readonly string[];
  /** For each of them, ids of rules that take too long and may not look. */
  tooSlow: readonly (readonly string[])[];
  items: readonly { occurrence: OccurrenceMessage; known: ReadonlyMap<string, Fact<unknown>> }[];
  /** All that can be known is known: what is missing stays unknown. */
  final: boolean;
  botFid: number;
  /** Milliseconds after which no other event is begun. */
  slice: number;
}

/** Of each event, up to where the time went: what is still to be asked, or what each of the rules said. */
export interface ConsiderAnswer {
  items: ({ asks: string[] } | { evaluations: EvaluationMessage[] })[];
  slow: SlowRule[];
}

/** A rule that takes too long. */
export interface SlowRule {
  /** Which of the sources. */
  set: number;
  ruleId: string;
}

/**
 * What a thread tells while it works: that it has begun (1), how many looks of rules were begun, and whose the running one
 * is: which rule of which set, from 1; 0 for none.
 */
export const progressCells = { begun: 0, looks: 1, set: 2, rule: 3, length: 4 } as const;

/** A task with where to tell of its progress. */
export interface Watched<T> {
  task: T;
  progress: SharedArrayBuffer;
}

export interface ExplainTask {
  source: string;
  occurrence: OccurrenceMessage;
  /** undefined: only what there is to ask. */
  known: ReadonlyMap<string, Fact<unknown>> | undefined;
  botFid: number;
}

export type ExplainAnswer =
  | { asks: string[] }
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

/** One character more says that there was more. */
function packText(text: RuleText | null): string | null {
  if (!text) return null;
  return text.raw.length === textLimit && text.cut ? `${text.raw}…` : text.raw;
}

export function packRules({ exempt, rules }: CompiledRules): RulesMessage {
  return { exempt, rules: rules.map(({ when: _, asks: __, actions: ___, ...rule }) => rule) };
}

/** Actions are read again, when somebody wants to know: most rules are only counted. */
export function readRules(source: string, { exempt, rules }: RulesMessage): RuleSet {
  return { source, exempt, rules: rules.map(withActions) };
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
