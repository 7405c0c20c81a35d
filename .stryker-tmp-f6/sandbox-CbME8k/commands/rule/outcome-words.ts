// @ts-nocheck
import type { ExplainedDecision } from "../../src/rules/explain/explain-event.ts";

type Outcome = ExplainedDecision["actions"][number]["outcome"];

export const outcomeWords = {
  acted: "acted",
  would_have: "would have acted",
  unknown: "could not tell",
  too_old: "did not act",
  paused: "did not act",
  impossible: "could not act",
  held: "held for review",
  cooling: "did not act",
  asked_again: "looked again later",
} as const satisfies Record<Outcome, string>;
