import type { PlannedAction } from "../decide/action.ts";
import type { ConditionNode } from "./condition.ts";
import type { Ask } from "./fact.ts";
import type { Exemption, Mode, OnUnknown } from "../language/rule-file.ts";
import type { Limits } from "../limits/limits.ts";
import type { RuleEvent } from "./occurrence.ts";
import type { RuleList } from "../language/rule-list.ts";

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
  onUnknown: OnUnknown;
  /** The lists of the file that it names. */
  lists: Readonly<Record<string, RuleList>>;
  /** As written in the file. */
  entry: Readonly<Record<string, unknown>>;
}

/** The rules of a server. */
export interface RuleSet {
  /** The file: by it the threads that evaluate know the rules. */
  source: string;
  exempt: readonly Exemption[];
  /** In the order in which they are evaluated: higher priority first, ties by id. */
  rules: readonly Rule[];
}

/** A rule that can be evaluated. */
export interface CompiledRule extends Rule {
  when: ConditionNode;
  asks: readonly Ask<unknown>[];
}

/** Rules that can be evaluated: only threads of their own have them, for nobody knows how long they take. */
export interface CompiledRules extends RuleSet {
  rules: readonly CompiledRule[];
}
