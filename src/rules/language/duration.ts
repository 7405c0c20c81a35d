import { z } from "zod";
import { parseDuration, whyNoDuration } from "../../text/duration.ts";

export interface Duration {
  seconds: number;
  /** As written: "72h". */
  text: string;
}

/** A span such as 90s, 10m, 72h, "1d 12h" or "2 weeks"; the bounds use the same format. */
export function durationBetween(min: string, max: string) {
  const [least = 0, most = Infinity] = [parseDuration(min), parseDuration(max)];
  return z.string().transform((text, context): Duration => {
    const seconds = parseDuration(text);
    if (seconds !== undefined && seconds >= least && seconds <= most) return { seconds, text };
    const message =
      seconds === undefined
        ? ['must be a number with s, m, h, d or w, such as "10m" or "7d"', whyNoDuration(text)]
            .filter((part) => part !== undefined)
            .join(". ")
            .replace(/\.$/, "")
        : `must be between ${min} and ${max}`;
    context.issues.push({ code: "custom", message, input: text });
    return z.NEVER;
  });
}

/** A span as a quantity of seconds. */
export const Span = durationBetween("1s", "3650d").transform(({ seconds, text }) => ({
  value: seconds,
  text,
}));

const steps = [
  ["d", 86_400],
  ["h", 3600],
  ["m", 60],
] as const;

/** Seconds in the same units: "3d", rounded down. */
export function showSpan(seconds: number): string {
  const [unit, length] = steps.find(([, length]) => seconds >= length) ?? ["s", 1];
  return `${Math.floor(seconds / length)}${unit}`;
}
