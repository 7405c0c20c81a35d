import {
  changeWords,
  type RuleOutcome,
  type Sample,
  type VerdictChange,
} from "../../src/rules/rehearse/compare-verdicts.ts";
import { textBody } from "../../src/observe/cast-body.ts";
import { describeUser } from "../../src/observe/people.ts";
import type { PastProgress } from "../../src/observe/hub/past-progress.ts";
import type { ChannelCoverage } from "../../src/rules/rehearse/coverage.ts";
import type { Rehearsal } from "../../src/rules/rehearse/rehearse.ts";
import { cutText, describeTime, fitLinesOrCount, inlineCode, listSome } from "../../src/text/message-text.ts";
import { castLine } from "../../src/text/show-cast.ts";
import { modeWords } from "./describe-rule.ts";
import { showNumber } from "../../src/text/numbered.ts";

type Known = Pick<Rehearsal, "names" | "bodies">;

const maxRules = 8;
/** Discord's embeds have at most 4096 characters, and the text around this needs some of them. */
const maxCharacters = 3000;

const changeMarks = { newly: "🆕", no_longer: "➖", same: "🟰" } as const satisfies Record<
  VerdictChange,
  string
>;

/** The result of a rehearsal for each rule, with samples of what would change. */
export function describeRehearsal(rehearsal: Rehearsal, span: string): string {
  const { events, notEvaluated, rules, withoutHit, elsewhere, coverage, past, done, tookMs, tooSlow } =
    rehearsal;
  const seconds = (tookMs / 1000).toFixed(1);
  const exempt =
    notEvaluated > 0 ? ` Not evaluated, because the author is exempt or unknown: ${notEvaluated}.` : "";
  const part =
    done < 1
      ? `\n⚠️ Only the latest ${Math.floor(done * 100)} % of it, because there is too much for one run.`
      : "";
  const hits = rules.filter((outcome) => !isWithoutHit(outcome));
  const triedInVain = rules.filter(isWithoutHit).map(({ ruleId }) => ruleId);
  const lines = [
    `**Rehearsed on ${events} events of ${span}** (${seconds} s).${exempt}${part}`,
    ...listSome(coverage, maxRules, describeCoverage, "channels"),
    ...past
      .filter(({ isListing }) => !isListing)
      .slice(0, maxRules)
      .map(describePast),
    ...(tooSlow.length > 0
      ? [
          `⏱️ Too slow, and would be turned off: **${tooSlow.slice(0, 5).join(", ")}**${tooSlow.length > 5 ? ` and ${tooSlow.length - 5} more` : ""}`,
        ]
      : []),
    ...(elsewhere.length > 0
      ? [
          `**Not rehearsed, because they are limited to other channels: ${cutText(elsewhere.join(", "), 300)}**`,
        ]
      : []),
    ...(hits.length === 0 && rules.length + withoutHit.length > 0 ? ["No rule matches any of them."] : []),
    ...(triedInVain.length > 0
      ? [`**The new rules would have matched nothing: ${cutText(triedInVain.join(", "), 300)}**`]
      : []),
    ...hits.slice(0, maxRules).flatMap((outcome) => describeOutcome(outcome, rehearsal)),
    ...(hits.length > maxRules ? [`… and ${hits.length - maxRules} more rules`] : []),
    ...(withoutHit.length > 0 ? [`Other rules without a match: ${cutText(withoutHit.join(", "), 300)}`] : []),
  ];
  return fitLinesOrCount(lines, maxCharacters);
}

/** How many of a channel's casts were tried, since when, and why no earlier ones. */
function describeCoverage(coverage: ChannelCoverage): string {
  const { channelId, casts, known, beforeLink, from, linkedAt, missing } = coverage;
  const link = linkedAt === null ? "" : ` (${describeTime(linkedAt, "f")})`;
  const number = casts < known ? `the latest **${casts}** of **${known}** casts` : `**${casts}** casts`;
  const since = from === null ? "" : `, since ${describeTime(from, "f")}`;
  const earlier =
    beforeLink > 0
      ? `; ${beforeLink} of them are from before the link${link}, as the network still has them`
      : "";
  return `/${channelId}: ${number}${since}${earlier}.${missing === null ? "" : whyMissing[missing](link)}`;
}

const whyMissing: Record<NonNullable<ChannelCoverage["missing"]>, (link: string) => string> = {
  fetching: (link) =>
    ` ⚠️ Casts from before the link${link} are still being fetched from the network, so older ones are missing. Try again later.`,
  not_kept: () => " Older texts are not kept.",
};

/** How far back the replies reach that the rehearsal includes. */
function describePast({ channelId, known, left, knownFrom }: PastProgress): string {
  return `⚠️ Replies in /${channelId} reach back to casts since ${describeTime(knownFrom, "f")} (${known} of ${known + left} older casts): replies in older threads may be missing.`;
}

function describeOutcome(
  { ruleId, mode, counts, unknown, keptBack, samples }: RuleOutcome,
  known: Known,
): string[] {
  const changes = (["newly", "no_longer", "same"] as const).filter((change) => counts[change] > 0);
  const numbers = changes.map(
    (change) => `${changeMarks[change]} ${changeWords[change]}: **${counts[change]}**`,
  );
  const unsure = unknown > 0 ? [`❔ could not tell: **${unknown}**`] : [];
  const limited = keptBack > 0 ? [`⏳ held back by its limits: **${keptBack}**`] : [];
  return [
    `**${ruleId}** ${mode === undefined ? "➖ gone" : modeWords[mode]}`,
    [...numbers, ...unsure, ...limited].join(" · "),
    ...changes
      .filter((change) => change !== "same")
      .flatMap((change) => {
        const more = counts[change] - samples[change].length;
        return [
          ...samples[change].map((sample) => `> ${describeSample(sample, change, known)}`),
          ...(more > 0 ? [`> and ${more} more`] : []),
        ];
      }),
  ];
}

function isWithoutHit({ counts, unknown, keptBack }: RuleOutcome): boolean {
  return counts.newly + counts.no_longer + counts.same + unknown + keptBack === 0;
}

function describeSample(sample: Sample, change: VerdictChange, { names, bodies }: Known): string {
  const { eventId, castHash, at, authorFid, text } = sample;
  const body = bodies.get(castHash ?? "") ?? (text === null ? undefined : textBody(text));
  const said = body ? ` ${inlineCode(castLine(body, names, 70), 70)}` : "";
  // A cast from before the link has no event.
  const which = eventId === null ? inlineCode(castHash ?? "", 12) : showNumber("event", eventId);
  const who =
    authorFid === null ? "author not known" : describeUser({ fid: authorFid, name: names.get(authorFid) });
  return `${changeMarks[change]} ${which} ${describeTime(at)} ${who}${said}`;
}
