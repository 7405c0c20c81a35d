import type { View } from "../../src/discord/view.ts";
import { colors } from "../../src/discord/view.ts";
import { describeTree, markOf } from "../../src/rules/explain/describe-tree.ts";
import type { ExplainedDecision, Explanation, PresentAnswer } from "../../src/rules/explain/explain-event.ts";
import { fitLines } from "../../src/text/cut-text.ts";
import { codeBlock, escapeText } from "../../src/text/escape.ts";
import { describeTime } from "../shared/describe.ts";
import { modeWords } from "./describe-rule.ts";
import { outcomeWords } from "./outcome-words.ts";

/** Together with what stands around it below Discord's 4096. */
const mostCharacters = 3800;
const mostInShort = 12;

/** Why rules did or did not act: what was decided then first, leaf by leaf, then what the other rules say now. */
export function describeExplanation(explanation: Explanation): View {
  const { eventId, channelId, occurrence, decisions, note } = explanation;
  const lines = [
    ...describeEvent(occurrence),
    ...(note === undefined ? [] : [`ℹ️ ${escapeText(note)}`]),
    ...decisions.flatMap(describeDecision),
    ...describePresent(explanation),
  ];
  const whole = lines.join("\n");
  const { text, fitted } = fitLines(lines, mostCharacters);
  const cut = fitted < lines.length;
  return {
    embeds: [
      {
        title: `Event #${eventId} in /${channelId}`,
        description: cut ? `${text}\n… the whole of it is in the file.` : whole,
        color: decisions.length > 0 ? colors.warning : colors.plain,
      },
    ],
    ...(cut && { files: [{ name: `event-${eventId}.txt`, text: whole }] }),
  };
}

function describeEvent(occurrence: Explanation["occurrence"]): string[] {
  if (!occurrence) return [];
  const { event, authorFid, text, name } = occurrence;
  const raw = (text ?? name)?.raw;
  return [
    `${event.kind} ${describeTime(event.occurredAt)} · fid ${authorFid ?? "not known"}`,
    ...(raw === undefined ? [] : [codeBlock(raw, 300)]),
  ];
}

function describeDecision({ ruleId, version, mode, decidedAt, tree, actions }: ExplainedDecision): string[] {
  const what = tree.truth === true ? "fits" : "could not tell";
  return [
    "",
    `**${ruleId}** (version ${version}, ${mode}) ${what} ${describeTime(decidedAt / 1000)}`,
    ...actions.map(({ sentence, outcome, why }) => {
      const reason = why === null ? "" : `: ${escapeText(why, 200)}`;
      return `→ ${escapeText(sentence, 100)}: **${outcomeWords[outcome]}**${reason}`;
    }),
    ...describeTree(tree),
  ];
}

function describePresent({ present, decisions }: Explanation): string[] {
  if (!present.asked) return ["", `Asked now, no rule would be asked: ${escapeText(present.why)}`];
  const { answers, version } = present;
  if (answers.length === 0) return [];
  const head = decisions.length > 0 ? "The other rules" : "The rules";
  // Where nothing was decided, one wants to see why not; beside a decision the outcome is enough.
  const long = decisions.length === 0 && answers.length <= 3;
  const shown = answers.slice(0, mostInShort);
  return [
    "",
    `**${head}, asked now (version ${version}):**`,
    ...shown.flatMap((answer) => (long ? describeAnswer(answer) : describeAnswer(answer).slice(0, 1))),
    ...(answers.length > shown.length ? [`… and ${answers.length - shown.length} more`] : []),
  ];
}

function describeAnswer({ ruleId, mode, tree }: PresentAnswer): string[] {
  return [`${markOf(tree.truth)} **${ruleId}** ${modeWords[mode]}`, ...describeTree(tree)];
}
