import type { CommandContext } from "../../src/discord/command-context.ts";
import { fitName, type Picture, type Theme } from "../../src/drawing/picture.ts";
import type { CaseKind } from "../../src/moderation/cases/case.ts";
import { count } from "../../src/text/amount.ts";
import { formatDuration } from "../../src/text/duration.ts";
import { listSource } from "../../src/text/review-sources.ts";
import { operator, showUser } from "../../src/text/show-doer.ts";
import { kindWords } from "../shared/describe-case.ts";
import { toBins } from "./bins.ts";
import { countWaiting, nameChannels, showShare, type Shown } from "./shown.ts";

/** The most kinds with a color in the columns, and names in a list. The text has the rest. */
const maxKinds = 5;
const maxNames = 5;
/** Letters. */
const nameLength = 17;

/** A kind has the same color in every picture; an undoing action is paler than the action it undoes. */
const kindColors: Record<CaseKind, Record<Theme, string>> = {
  ban: { dark: "#f0575b", light: "#c9252d" },
  unban: { dark: "#f7a8a0", light: "#ef8a84" },
  change_expiry: { dark: "#e0708f", light: "#b0315a" },
  hide: { dark: "#4c9aff", light: "#1f6fd6" },
  unhide: { dark: "#a5cdff", light: "#7fb2ee" },
  pin: { dark: "#f2b53a", light: "#b97700" },
  unpin: { dark: "#f8dd9b", light: "#e0b45c" },
  invite: { dark: "#3ecf8e", light: "#15803d" },
  revoke_invite: { dark: "#9fe5c6", light: "#74bd8d" },
  remove_member: { dark: "#b58cf2", light: "#7c3aed" },
};
const others = { name: "Other", color: { dark: "#9aa0a8", light: "#7b8088" } };

export async function toPicture(context: CommandContext, shown: Shown, theme: Theme): Promise<Picture> {
  const { statistics, channelIds, load, nowMs } = shown;
  const { undone, reviews, rules } = statistics;
  const [first = "", ...rest] = channelIds;
  const people = statistics.moderators.slice(0, maxNames).map(async ({ userId, count: cases }) => {
    const name =
      userId === operator
        ? showUser(userId)
        : ((await context.personName(userId)) ?? `user …${userId.slice(-4)}`);
    return { name: fitName(name, nameLength), count: cases };
  });
  return {
    theme,
    title: rest.length === 0 ? `/${first}` : `${channelIds.length} channels: /${first}, …`,
    subtitle: `${describePeriod(shown)}, days in UTC`,
    tiles: [
      { value: shorten(statistics.total), label: statistics.total === 1 ? "case" : "cases" },
      {
        value: undone.tookEffect === 0 ? "–" : showShare(undone.undone, undone.tookEffect),
        label: "undone",
        note: `of ${shorten(undone.tookEffect)}`,
      },
      {
        value: reviews.medianMs === null ? "–" : formatDuration(reviews.medianMs / 1000),
        label: "to decide",
        ...(reviews.p90Ms !== null && { note: `90 %: ${formatDuration(reviews.p90Ms / 1000)}` }),
      },
      {
        value: shorten(countWaiting(load)),
        label: "waiting",
        ...(load.oldestMs !== null && { note: `for ${formatDuration((nowMs - load.oldestMs) / 1000)}` }),
      },
    ],
    columns: toColumns(shown),
    lists: [
      {
        title: "By rule",
        rows: rules.slice(0, maxNames).map(({ ruleId, count: cases }) => ({
          name: fitName(listSource(ruleId).name, nameLength),
          count: cases,
        })),
        nothing: "No rule did anything.",
      },
      { title: "By moderator", rows: await Promise.all(people), nothing: "Nobody here did." },
    ],
  };
}

/** For screen readers: a summary, because the text has all numbers. */
export function describePicture(shown: Shown): string {
  const { statistics, channelIds } = shown;
  const kinds = statistics.kinds.map(({ kind, count: cases }) => `${kindWords[kind]} ${count(cases)}`);
  return `Statistics of ${nameChannels(channelIds)}, ${describePeriod(shown)}: ${count(statistics.total)} cases by day${kinds.length === 0 ? "" : ` (${kinds.join(", ")})`}, by rule and by moderator. The message has the same numbers as text.`;
}

function toColumns(shown: Shown): Picture["columns"] {
  const bins = toBins(shown);
  const kinds = shown.statistics.kinds.map(({ kind }) => kind);
  const own = kinds.length <= maxKinds + 1 ? kinds : kinds.slice(0, maxKinds);
  const nameOf = (kind: CaseKind) => (own.includes(kind) ? kindWords[kind] : others.name);
  return {
    title: bins.days === 1 ? "Cases a day" : `Cases in ${bins.days} days each`,
    from: bins.from,
    until: bins.until,
    step: bins.days * 86_400_000,
    series: [
      ...own.map((kind) => ({ name: kindWords[kind], color: kindColors[kind] })),
      ...(own.length === kinds.length ? [] : [others]),
    ],
    values: bins.columns.flatMap(({ from, kinds: counts }) =>
      [...counts].map(([kind, cases]) => ({ from, series: nameOf(kind), count: cases })),
    ),
  };
}

/** Created when first needed, because it reads tables. */
let days: Intl.DateTimeFormat | undefined;

function describePeriod({ sinceMs, nowMs }: Shown): string {
  days ??= new Intl.DateTimeFormat("en", {
    year: "numeric",
    month: "short",
    day: "numeric",
    timeZone: "UTC",
  });
  return days.formatRange(sinceMs, nowMs);
}

/** The length that fits next to three others. */
function shorten(number: number): string {
  return number < 100_000
    ? count(number)
    : new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 }).format(number);
}
