import { asAppError } from "../../errors.ts";
import type { RuleSet } from "../evaluate/rule-set.ts";
import { emptyFile } from "../language/edit-file.ts";
import type { RehearsalContext } from "../rehearse/frozen-facts.ts";
import { rehearse } from "../rehearse/rehearse.ts";
import type { RuleThreads } from "../threads/rule-threads.ts";
import { countStayed } from "./evidence.ts";
import type { Suggestion, SuggestPlan } from "./suggest-rules.ts";
import { conditionOf } from "./trait.ts";

/** A suggestion's effect, in casts. */
export interface RehearsedSuggestion {
  suggestion: Suggestion;
  /** What a new rule would have hit: no visible casts. */
  hits: number;
  /** What a rule would not have hit with its exemption. */
  spared: number;
}

/** The rules with the suggestion added. Throws `invalid_file` or `invalid_input` if that is impossible. */
export function applySuggestion(
  { ruleThreads }: { ruleThreads: RuleThreads },
  queue: string,
  source: string,
  suggestion: Suggestion,
): Promise<string> {
  const condition = conditionOf(suggestion.trait);
  if (suggestion.kind === "exemption")
    return ruleThreads.edit(queue, "exemptFromRule", source, suggestion.ruleId, condition);
  const comment = "Suggested from casts that moderators removed by hand.";
  return ruleThreads.edit(queue, "appendRules", source, [{ entry: suggestion.entry, comment }]);
}

/**
 * Tries all suggestions at once on the period they come from. New rules that hit visible casts are left out, and so are
 * suggestions that do not fit into the file. `done` is the tried part of the period, from 0 to 1.
 */
export async function rehearseSuggestions(
  context: RehearsalContext,
  plan: SuggestPlan & { timeoutMs: number },
  suggestions: readonly Suggestion[],
): Promise<{ rehearsed: RehearsedSuggestion[]; done: number }> {
  const { rules: before, queue } = plan;
  const { after, applied } = await applyAll(context, queue, before, suggestions);
  if (!after) return { rehearsed: [], done: 1 };
  const hits = new Map<string, string[]>();
  for (const one of applied) if (one.kind === "rule") hits.set(one.entry.id, []);
  const { rules: outcomes, done } = await rehearse(context, {
    ...plan,
    before,
    after,
    onHit(ruleId, { cast }) {
      if (cast) hits.get(ruleId)?.push(cast.hash);
    },
  });
  const rehearsed: RehearsedSuggestion[] = [];
  for (const suggestion of applied) {
    const ruleId = suggestion.kind === "rule" ? suggestion.entry.id : suggestion.ruleId;
    const spared = outcomes.find((outcome) => outcome.ruleId === ruleId)?.counts.no_longer ?? 0;
    const hit = hits.get(ruleId) ?? [];
    if ((await countStayed(context.database.query, plan, hit)) > 0) continue;
    rehearsed.push({ suggestion, hits: hit.length, spared });
  }
  return { rehearsed, done };
}

/** The rules with each suggestion that fits. */
async function applyAll(
  context: RehearsalContext,
  queue: string,
  before: RuleSet | undefined,
  suggestions: readonly Suggestion[],
): Promise<{ after: RuleSet | undefined; applied: Suggestion[] }> {
  const applied: Suggestion[] = [];
  let after: RuleSet | undefined;
  for (const suggestion of suggestions) {
    const source = after?.source ?? before?.source ?? emptyFile;
    try {
      after = await context.ruleThreads.read(
        queue,
        await applySuggestion(context, queue, source, suggestion),
      );
      applied.push(suggestion);
    } catch (error) {
      if (!asAppError(error, "invalid_file", "invalid_input")) throw error;
    }
  }
  return { after, applied };
}
