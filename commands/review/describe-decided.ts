import { textView, type View } from "../../src/discord/view.ts";
import { maxListText } from "../../src/limits/discord-limits.ts";
import type { ReviewDecision } from "../../src/reviews/decide-item.ts";
import { amount } from "../../src/text/amount.ts";
import { fitLinesOrCount } from "../../src/text/message-text.ts";

interface Outcome {
  done: number;
  failed: readonly string[];
  notes: readonly string[];
  decision: ReviewDecision;
}

/** The outcome of a decision about several reviews. */
export function describeOutcome({ done, failed, notes, decision }: Outcome): View {
  const head = `${amount(done, "review")} decided (${decision}). Each has an Undo button in /review show.`;
  const left = failed.length === 0 ? [] : [`**${failed.length} not decided:**`, ...failed];
  return textView(
    failed.length === 0 ? "good" : "warning",
    fitLinesOrCount([head, ...left, ...notes], maxListText),
  );
}
