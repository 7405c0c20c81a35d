import { amount } from "./amount.ts";

const units: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };
const longest = 10 * 365 * 86_400;

/** Seconds of "30m", "7d" or "1d 12h"; undefined for anything else, for nothing, and for more than ten years. */
export function parseDuration(text: string): number | undefined {
  const compact = text.toLowerCase().replace(/\s+/g, "");
  if (!/^([0-9]{1,6}[smhdw])+$/.test(compact)) return undefined;
  let seconds = 0;
  for (const [, count, unit] of compact.matchAll(/([0-9]+)([smhdw])/g)) {
    seconds += Number(count) * (units[unit ?? ""] ?? 0);
  }
  return seconds > 0 && seconds <= longest ? seconds : undefined;
}

/** As people type it: also "2 minutes" and "1 hour 30 min". */
export function parseTypedDuration(text: string): number | undefined {
  const words = /(?<=[0-9]\s*)(s|m|h|d|w)(?:ec(?:ond)?s?|in(?:ute)?s?|(?:ou)?rs?|ays?|eeks?)(?![a-z])/gi;
  return parseDuration(text.replace(words, "$1"));
}

const lengths = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
] as const;

/** A length exactly, in words: "3 days", "1 hour 30 minutes". Whole seconds. */
export function describeLength(seconds: number): string {
  let rest = seconds;
  const parts = lengths.flatMap(([word, length]) => {
    const whole = Math.floor(rest / length);
    rest -= whole * length;
    return whole > 0 ? [amount(whole, word)] : [];
  });
  return parts.join(" ") || amount(0, "second");
}

/** How long something took or is ago, in one unit: "40 s", "12 min", "3 h", "5 days". */
export function describeSpan(seconds: number): string {
  const minutes = Math.round(Math.max(seconds, 0) / 60);
  if (seconds < 60) return `${Math.max(Math.round(seconds), 0)} s`;
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}
