import { z } from "zod";

const seconds = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 } as const;

export interface Duration {
  seconds: number;
  /** As written: "72h". */
  text: string;
}

/** A span such as 90s, 10m, 72h, 7d or 2w, within bounds given in seconds. */
export function durationBetween(min: number, max: number) {
  return z.string().transform((text, context): Duration => {
    const [, digits = "", unit = ""] = /^([1-9][0-9]{0,8})([smhdw])$/.exec(text) ?? [];
    const refuse = (message: string) => {
      context.issues.push({ code: "custom", message, input: text });
      return z.NEVER;
    };
    if (!isUnit(unit)) return refuse('must be a number with s, m, h, d or w, such as "10m" or "7d"');
    const length = Number(digits) * seconds[unit];
    if (length >= min && length <= max) return { seconds: length, text };
    return refuse(`must be between ${spell(min)} and ${spell(max)}`);
  });
}

function isUnit(unit: string): unit is keyof typeof seconds {
  return unit in seconds && unit.length === 1;
}

function spell(length: number): string {
  const units = ["w", "d", "h", "m"] as const;
  const unit = units.find((unit) => length % seconds[unit] === 0) ?? "s";
  return `${length / seconds[unit]}${unit}`;
}
