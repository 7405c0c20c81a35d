import type { AppError, Mistake } from "../../errors.ts";
import type { PlannedAction } from "../actions/action.ts";
import type { ConditionNode } from "./condition.ts";
import type { Need } from "../facts/fact.ts";
import type { Exemption, Limits, Mode, OnUnknown } from "../language/rule-file.ts";
import type { Occurrence, RuleEvent } from "./occurrence.ts";
import type { ListType, RuleList } from "../language/rule-list.ts";

/** A rule's description and behaviour. */
export interface Rule {
  id: string;
  priority: number;
  mode: Mode;
  /** Channel id patterns; null for every linked channel. */
  channels: readonly string[] | null;
  on: readonly RuleEvent[];
  /** The intervals of its timers in seconds; it ignores other timers. */
  timers: readonly number[];
  actions: readonly PlannedAction[];
  stop: boolean;
  limits: Limits;
  /** "act" only for a lockdown: it is retried a few times, and then acts as if it applied. */
  onUnknown: OnUnknown | "act";
  /** The file's lists that it uses. */
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

/** A server's rules. */
export interface RuleSet {
  /** The file. The evaluating threads identify the rules by it. */
  source: string;
  exempt: readonly Exemption[];
  /** All lists of the file by name, also those that no rule names. */
  lists: ReadonlyMap<string, WrittenList>;
  /** Why some rules can never fire as written, each with its place in the file. */
  remarks: readonly Mistake[];
  /** In evaluation order: higher priority first, ties by id. */
  rules: readonly Rule[];
}

/** A rule that can be evaluated. */
export interface CompiledRule extends Rule {
  when: ConditionNode;
  /** The facts that its condition needs. */
  needs: readonly Need[];
}

/** Rules that can be evaluated. Only separate threads have them, because their running time is unpredictable. */
export interface CompiledRules extends RuleSet {
  rules: readonly CompiledRule[];
  /** See createPrefilter. */
  findCandidates(occurrence: Occurrence): readonly CompiledRule[];
}

/** A server's active rules. */
export interface RulesInForce {
  version: number;
  /** The file's hash, the key under which rules are cached. */
  hash: string;
  source: string;
  /** Empty if the rules are unreadable. */
  ruleSet: RuleSet;
  /** Why this Castellan cannot read the rules that an earlier version activated. */
  unreadable?: AppError;
}
