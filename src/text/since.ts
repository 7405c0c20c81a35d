import { parseDuration, whyNoDuration } from "./duration.ts";

const day = 86_400;

/** A moment of the past, or why a text is none. */
export type Since = { at: number } | { mistake: string };

const ways = "Write it as 2h, 20:00 or 2026-11-23 20:00; times are UTC.";
const notAMoment = { mistake: `Not a moment of the past. ${ways}` };

/**
 * A moment of the past in UNIX seconds: "2h" for so long ago, "20:00" for the last time that it was that in UTC,
 * "2026-11-23" or "2026-11-23 20:00" in UTC.
 */
export function readSince(text: string, now: number): Since {
  const typed = text.trim();
  const ago = parseDuration(typed);
  if (ago !== undefined) return { at: now - ago };
  const clock = /^(\d{1,2}):(\d{2})(?:\s*(?:utc|z))?$/i.exec(typed);
  if (clock) {
    const time = timeOf(clock[1], clock[2]);
    if (time === undefined) return { mistake: `There is no such time of day. ${ways}` };
    const today = now - (now % day) + time;
    return { at: today <= now ? today : today - day };
  }
  const [, date, hours = "0", minutes = "0"] =
    /^(\d{4}-\d{2}-\d{2})(?:[T ]+(\d{1,2}):(\d{2})(?::[0-5]\d(?:\.\d+)?)?(?:\s*(?:utc|z))?)?$/i.exec(typed) ??
    [];
  if (date === undefined) {
    const why = whyNoDuration(typed);
    return why === undefined ? notAMoment : { mistake: `Not a moment of the past. ${why} ${ways}` };
  }
  const [midnight, time] = [midnightOf(date), timeOf(hours, minutes)];
  if (midnight === undefined) return { mistake: `There is no day ${date}. ${ways}` };
  if (time === undefined) return { mistake: `There is no such time of day. ${ways}` };
  // Nothing is older than the epoch, and the database's numbers begin soon before it.
  return midnight + time <= now
    ? { at: Math.max(0, midnight + time) }
    : { mistake: `That is yet to come. ${ways}` };
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
