import { amount } from "./amount.ts";

const units: readonly (readonly [seconds: number, ...words: string[]])[] = [
  [1, "s", "sec", "secs", "second", "seconds"],
  [60, "m", "min", "mins", "minute", "minutes"],
  [3600, "h", "hr", "hrs", "hour", "hours"],
  [86_400, "d", "day", "days"],
  [604_800, "w", "wk", "wks", "week", "weeks"],
];
const secondsOf = new Map(
  units.flatMap(([seconds, ...words]) => words.map((word): [string, number] => [word, seconds])),
);
const maxSeconds = 10 * 365 * 86_400;

const month =
  /^(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)$/i;

/**
 * Seconds for "30m", "7d", "1d 12h" or "2 hours": numbers with units, each unit at most once. Undefined for anything else,
 * for an empty text, and for more than ten years.
 */
export function parseDuration(text: string): number | undefined {
  const compact = text.trim();
  if (!/^(?:[0-9]{1,6}\s*[a-z]+\s*)+$/i.test(compact)) return undefined;
  const seen = new Set<number>();
  let seconds = 0;
  for (const [, count, word = ""] of compact.matchAll(/([0-9]+)\s*([a-z]+)/gi)) {
    const unit = readUnit(word);
    if (unit === undefined || seen.has(unit)) return undefined;
    seen.add(unit);
    seconds += Number(count) * unit;
  }
  return seconds > 0 && seconds <= maxSeconds ? seconds : undefined;
}

/** Many programs use M for months and m for minutes. */
function readUnit(word: string): number | undefined {
  return word === "M" ? undefined : secondsOf.get(word.toLowerCase());
}

/** Why a text that looks like a duration is not one, in a sentence; undefined if there is nothing to explain. */
export function whyNoDuration(text: string): string | undefined {
  const words: string[] = text.match(/[a-z]+/gi) ?? [];
  const name = words.find((word) => month.test(word));
  if (name !== undefined) return `${name} is a month, not a length of time; write 30m, 12h or 30d.`;
  if (words.includes("M")) {
    return "M is not a unit: m is minutes; write 30d for a month.";
  }
  if (words.some((word) => /^(?:mos?|mths?|months?)$/i.test(word)))
    return "Months differ in length; write 30d.";
  if (words.some((word) => /^(?:y|yrs?|years?)$/i.test(word))) return "Years differ in length; write 365d.";
  return undefined;
}

const lengths = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
] as const;

/** An exact length in words: "3 days", "1 hour 30 minutes". Whole seconds. */
export function formatExactDuration(seconds: number): string {
  let rest = seconds;
  const parts = lengths.flatMap(([word, length]) => {
    const whole = Math.floor(rest / length);
    rest -= whole * length;
    return whole > 0 ? [amount(whole, word)] : [];
  });
  return parts.join(" ") || amount(0, "second");
}

interface DurationForm {
  /** Below this many seconds, the unit is seconds. */
  minutesFrom?: number;
  /** Below this many minutes, the unit is minutes. */
  hoursFrom?: number;
  /** Rounds to whole units; up if it is a promise. */
  round?: (amount: number) => number;
}

/** A duration in one unit: "40 s", "12 min", "3 h", "5 days". */
export function formatDuration(
  seconds: number,
  { minutesFrom = 60, hoursFrom = 60, round = Math.round }: DurationForm = {},
): string {
  const length = Math.max(seconds, 0);
  if (length < minutesFrom) return `${round(length)} s`;
  const minutes = Math.max(round(length / 60), 1);
  if (minutes < hoursFrom) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}
