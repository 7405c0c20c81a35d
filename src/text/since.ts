import { parseTypedDuration } from "./duration.ts";

const day = 86_400;

/**
 * A moment of the past in UNIX seconds: "2h" for so long ago, "20:00" for the last time that it was that in UTC,
 * "2026-11-23" or "2026-11-23 20:00" in UTC; undefined for anything else, and for what is yet to come.
 */
export function parseSince(text: string, now: number): number | undefined {
  const typed = text.trim();
  const ago = parseTypedDuration(typed);
  if (ago !== undefined) return now - ago;
  const clock = /^(\d{1,2}):(\d{2})(?:\s*(?:utc|z))?$/i.exec(typed);
  if (clock) {
    const time = timeOf(clock[1], clock[2]);
    const midnight = now - (now % day);
    return time === undefined ? undefined : midnight + time <= now ? midnight + time : midnight + time - day;
  }
  const [, date, hours = "0", minutes = "0"] =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{1,2}):(\d{2})(?:\s*(?:utc|z))?)?$/i.exec(typed) ?? [];
  const [midnight, time] = [date === undefined ? undefined : midnightOf(date), timeOf(hours, minutes)];
  if (midnight === undefined || time === undefined) return undefined;
  return midnight + time <= now ? midnight + time : undefined;
}

function timeOf(hours = "", minutes = ""): number | undefined {
  return Number(hours) > 23 || Number(minutes) > 59 ? undefined : Number(hours) * 3600 + Number(minutes) * 60;
}

/** undefined for a day that its month does not have. */
function midnightOf(date: string): number | undefined {
  const midnight = Date.parse(`${date}T00:00:00Z`);
  const isReal = !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(date);
  return isReal ? midnight / 1000 : undefined;
}
