import type { AppError, Mistake } from "../../errors.ts";
import type { PlannedAction } from "../actions/action.ts";
import type { ConditionNode } from "./condition.ts";
import type { Need } from "../facts/fact.ts";
import type { Exemption, Limits, Mode, OnUnknown } from "../language/rule-file.ts";
import type { Occurrence, RuleEvent } from "./occurrence.ts";
import type { ListType, RuleList } from "../language/rule-list.ts";

/** A rule: what is told of it, and what it does. */
export interface Rule {
  id: string;
  priority: number;
  mode: Mode;
  /** Patterns of channel ids; null for every linked channel. */
  channels: readonly string[] | null;
  on: readonly RuleEvent[];
  /** Seconds between the firings of its timers; it hears of no others. */
  timers: readonly number[];
  actions: readonly PlannedAction[];
  stop: boolean;
  limits: Limits;
  /** "act", of a lockdown's alone: it is asked again a few times, and then acts as if it applied. */
  onUnknown: OnUnknown | "act";
  /** The lists of the file that it names. */
  lists: Readonly<Record<string, RuleList>>;
  /** What it looks for, in one sentence; empty where it needs nothing. */
  looksFor: string;
  /** As written in the file. */
  entry: Readonly<Record<string, unknown>>;
}

/** A list of a file as it is written there. */
export interface WrittenList {
  type: ListType;
  values: readonly (string | number)[];
}

/** The rules of a server. */
export interface RuleSet {
  /** The file: by it the threads that evaluate know the rules. */
  source: string;
  exempt: readonly Exemption[];
  /** All lists of the file by name, also those that no rule names. */
  lists: ReadonlyMap<string, WrittenList>;
  /** Why some of them can never fire as they are written, each with its place in the file. */
  remarks: readonly Mistake[];
  /** In the order in which they are evaluated: higher priority first, ties by id. */
  rules: readonly Rule[];
}

/** A rule that can be evaluated. */
export interface CompiledRule extends Rule {
  when: ConditionNode;
  /** What its condition needs to know. */
  needs: readonly Need[];
}

/** Rules that can be evaluated: only threads of their own have them, for nobody knows how long they take. */
export interface CompiledRules extends RuleSet {
  rules: readonly CompiledRule[];
  /** See createPrefilter. */
  findCandidates(occurrence: Occurrence): readonly CompiledRule[];
}

/** The rules that a server has in force. */
export interface RulesInForce {
  version: number;
  /** Of the file: rules are cached by it. */
  hash: string;
  source: string;
  /** Without any rule where they are unreadable. */
  ruleSet: RuleSet;
  /** Why this Castellan does not read what an earlier one put in force. */
  unreadable?: AppError;
}
