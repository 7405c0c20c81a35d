const units: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };
const longest = 10 * 365 * 86_400;

/** Seconds of "30m", "7d", "1d 12h" or "2 minutes"; undefined for anything else, for nothing, and for more than ten years. */
export function parseDuration(text: string): number | undefined {
  const compact = text
    .toLowerCase()
    .replace(/\s+/g, "")
    .replace(/(?<=[0-9])(s|m|h|d|w)(?:ec(?:ond)?s?|in(?:ute)?s?|(?:ou)?rs?|ays?|eeks?)(?![a-z])/g, "$1");
  if (!/^([0-9]{1,6}[smhdw])+$/.test(compact)) return undefined;
  let seconds = 0;
  for (const [, count, unit] of compact.matchAll(/([0-9]+)([smhdw])/g)) {
    seconds += Number(count) * (units[unit ?? ""] ?? 0);
  }
  return seconds > 0 && seconds <= longest ? seconds : undefined;
}
