import {
  changeWords,
  type RuleOutcome,
  type Sample,
  type VerdictChange,
} from "../../src/rules/rehearse/compare-verdicts.ts";
import type { PastProgress } from "../../src/observe/hub/past-progress.ts";
import type { Rehearsal } from "../../src/rules/rehearse/rehearse.ts";
import { cutText, describeTime, fitLinesOrCount, inlineCode } from "../../src/text/message-text.ts";
import { modeWords } from "./describe-rule.ts";
import { showNumber } from "../../src/text/numbered.ts";

const mostRules = 8;
/** Discord's embeds take 4096 characters; what stands around this needs some of them. */
const mostCharacters = 3000;

const changeMarks = { newly: "🆕", no_longer: "➖", same: "🟰" } as const satisfies Record<
  VerdictChange,
  string
>;

/** What a rehearsal found, rule by rule, with samples of what would change. */
export function describeRehearsal(rehearsal: Rehearsal, span: string): string {
  const { events, notAsked, rules, withoutHit, past, done, tookMs, tooSlow } = rehearsal;
  const seconds = (tookMs / 1000).toFixed(1);
  const exempt =
    notAsked > 0 ? ` ${notAsked} were not asked about: their authors are exempt or not known.` : "";
  const part =
    done < 1 ? `\n⚠️ Only the latest ${Math.floor(done * 100)} % of it: there is too much for one run.` : "";
  const lines = [
    `**Rehearsed on ${events} events of ${span}** (${seconds} s).${exempt}${part}`,
    ...past.slice(0, mostRules).map(describePast),
    ...(tooSlow.length > 0
      ? [
          `⏱️ Too slow, and would be turned off: **${tooSlow.slice(0, 5).join(", ")}**${tooSlow.length > 5 ? ` and ${tooSlow.length - 5} more` : ""}`,
        ]
      : []),
    ...(rules.length === 0 ? ["No rule fits any of them."] : []),
    ...(withoutHit.length > 0 ? [`No hit: ${cutText(withoutHit.join(", "), 300)}`] : []),
    ...rules.slice(0, mostRules).flatMap(describeOutcome),
    ...(rules.length > mostRules ? [`… and ${rules.length - mostRules} more rules`] : []),
  ];
  return fitLinesOrCount(lines, mostCharacters);
}

/** How far back the replies reach that rules could have looked at. */
function describePast({ channelId, isListing, known, left, knownFrom }: PastProgress): string {
  if (isListing)
    return `⚠️ The casts from before /${channelId} was linked are still being indexed: replies to them may be missing.`;
  return `⚠️ Replies in /${channelId} reach back to casts since ${describeTime(knownFrom, "f")} (${known} of ${known + left} older casts): replies in older threads may be missing.`;
}

function describeOutcome({ ruleId, mode, counts, unknown, keptBack, samples }: RuleOutcome): string[] {
  const changes = (["newly", "no_longer", "same"] as const).filter((change) => counts[change] > 0);
  const numbers = changes.map(
    (change) => `${changeMarks[change]} ${changeWords[change]}: **${counts[change]}**`,
  );
  const unsure = unknown > 0 ? [`❔ could not tell: **${unknown}**`] : [];
  const limited = keptBack > 0 ? [`⏳ kept back by its limits: **${keptBack}**`] : [];
  return [
    `**${ruleId}** ${mode === undefined ? "➖ gone" : modeWords[mode]}`,
    [...numbers, ...unsure, ...limited].join(" · "),
    ...changes
      .filter((change) => change !== "same")
      .flatMap((change) => samples[change].map((sample) => `> ${describeSample(sample, change)}`)),
  ];
}

function describeSample({ eventId, at, authorFid, text }: Sample, change: VerdictChange): string {
  const said = text === null ? "" : ` ${inlineCode(text, 70)}`;
  return `${changeMarks[change]} ${showNumber("event", eventId)} ${describeTime(at)} fid ${authorFid ?? "?"}${said}`;
}
