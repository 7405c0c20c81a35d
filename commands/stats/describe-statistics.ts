import type { RoomEmbed } from "../../src/feed/rooms.ts";
import { discordLimits } from "../../src/limits/discord-limits.ts";
import { amount, count } from "../../src/text/amount.ts";
import { colors } from "../../src/text/colors.ts";
import { formatDuration } from "../../src/text/duration.ts";
import { listSource } from "../../src/text/review-sources.ts";
import { describeTime, fitLinesOrCount, inlineCode } from "../../src/text/message-text.ts";
import { showUser } from "../../src/text/show-doer.ts";
import { kindWords, stateWords } from "../shared/describe-case.ts";
import { toBins } from "./bins.ts";
import { countWaiting, nameChannels, showShare, type Shown } from "./shown.ts";

/** The picture's numbers as text, for readers who cannot see it. */
export function describeStatistics(shown: Shown): RoomEmbed {
  const { statistics } = shown;
  const { kinds, rules, moderators } = statistics;
  const bins = toBins(shown);
  const days = bins.columns.map(({ from, count: cases }) => `${describeDay(from)}: ${count(cases)}`);
  const part = (name: string, lines: string[], nothing: string) => ({
    name,
    value: lines.length === 0 ? nothing : fitLinesOrCount(lines, discordLimits.fieldValue),
    inline: true,
  });
  return {
    title: "Statistics",
    description: [
      `**${count(statistics.total)} ${statistics.total === 1 ? "case" : "cases"}** in ${nameChannels(shown.channelIds)} since ${describeTime(shown.sinceMs / 1000, "f")}.`,
      ...describeStates(shown),
      ...describeUndone(shown),
      ...describeReviews(shown),
    ].join("\n"),
    fields: [
      part(
        "By kind",
        kinds.map(({ kind, count: cases }) => `${kindWords[kind]}: ${count(cases)}`),
        "None.",
      ),
      part(
        "By rule, report or appeal",
        rules.map(({ ruleId, count: cases }) => {
          const { name, isRule } = listSource(ruleId);
          return `${isRule ? inlineCode(name, 40) : name}: ${count(cases)}`;
        }),
        "No rule did anything.",
      ),
      part(
        "By moderator",
        moderators.map(({ userId, count: cases }) => `${showUser(userId)}: ${count(cases)}`),
        "Nobody here did anything.",
      ),
      {
        ...part(bins.days === 1 ? "By day (UTC)" : `By ${bins.days} days, from (UTC)`, days, "None."),
        inline: false,
      },
    ],
    footer: "Counted as in /case show. An action that a person approved for a rule counts for both.",
    color: colors.plain,
  };
}

export function describeNothing(shown: Shown): string {
  const waiting = describeQueue(shown);
  return [
    `Nothing was done in ${nameChannels(shown.channelIds)} since ${describeTime(shown.sinceMs / 1000, "f")}, so there is nothing to draw.`,
    ...(waiting === undefined ? [] : [waiting]),
  ].join("\n");
}

function describeStates({ statistics: { states } }: Shown): string[] {
  const told = (["requested", "already", "failed", "outside"] as const).flatMap((state) => {
    const cases = states.get(state) ?? 0;
    return cases === 0 ? [] : [`${count(cases)} ${stateWords[state]}`];
  });
  return told.length === 0 ? [] : [`Of these: ${told.join(" · ")}.`];
}

function describeUndone({ statistics: { undone } }: Shown): string[] {
  if (undone.tookEffect === 0) return [];
  return [
    `${count(undone.undone)} of ${count(undone.tookEffect)} that took effect have been undone (${showShare(undone.undone, undone.tookEffect)}). Pins and expired bans are not counted.`,
  ];
}

function describeReviews(shown: Shown): string[] {
  const { decided, medianMs, p90Ms } = shown.statistics.reviews;
  const waiting = describeQueue(shown) ?? "No review waits.";
  if (medianMs === null || p90Ms === null) return [`No review was decided. ${waiting}`];
  const [median, p90] = [formatDuration(medianMs / 1000), formatDuration(p90Ms / 1000)];
  return [
    `${amount(decided, "review")} decided, half of them within ${median}, nine of ten within ${p90}. ${waiting}`,
  ];
}

function describeQueue({ load }: Shown): string | undefined {
  const waiting = countWaiting(load);
  if (waiting === 0 || load.oldestMs === null) return undefined;
  return `${amount(waiting, "review")} wait${waiting === 1 ? "s" : ""}; the oldest came ${describeTime(load.oldestMs / 1000)}.`;
}

/** Created when first needed, because it reads tables. */
let days: Intl.DateTimeFormat | undefined;

function describeDay(ms: number): string {
  days ??= new Intl.DateTimeFormat("en", { month: "short", day: "numeric", timeZone: "UTC" });
  return days.format(ms);
}
