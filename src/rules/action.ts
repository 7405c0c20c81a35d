import type { z } from "zod";
import type { Occurrence, RuleEvent } from "./occurrence.ts";
import type { RuleAction } from "./rule-action.ts";

/** An action with its parameters. */
export interface PlannedAction {
  /** What is done, for people: "hide the cast". */
  sentence: string;
  /** What moderation is asked for, or why that cannot be. */
  aim(occurrence: Occurrence): RuleAction["action"] | { impossible: string };
}

/** A kind of action: one file each in actions/. */
export interface ActionKind {
  name: string;
  /** Events that have what it acts on. */
  events: readonly RuleEvent[];
  /** Its parameters, made into the action. */
  schema: z.ZodType<PlannedAction>;
}
