import { AppError } from "../errors.ts";
import { parseDuration, whyNoDuration } from "./duration.ts";

const day = 86_400;

const ways = "Write it as 2h ago, 20:00 or 2026-11-23 20:00; times are UTC.";

/**
 * A moment of the past in UNIX seconds: "2h" or "2h ago", "20:00" for the last time that it was that in UTC,
 * "2026-11-23" or "2026-11-23 20:00" in UTC. Throws `invalid_input`.
 */
export function readSince(text: string, now: number): number {
  const typed = text.trim();
  const ago = parseDuration(typed.replace(/\s+ago$/i, ""));
  if (ago !== undefined) return now - ago;
  const clock = /^(\d{1,2}):(\d{2})(?:\s*(?:utc|z))?$/i.exec(typed);
  if (clock) {
    const today = now - (now % day) + timeOf(clock[1], clock[2]);
    return today <= now ? today : today - day;
  }
  const [, date, hours = "0", minutes = "0", seconds = "0"] =
    /^(\d{4}-\d{2}-\d{2})(?:[T ]+(\d{1,2}):(\d{2})(?::([0-5]\d)(?:\.\d+)?)?(?:\s*(?:utc|z))?)?$/i.exec(
      typed,
    ) ?? [];
  if (date === undefined) {
    const why = whyNoDuration(typed);
    throw unreadable(["Not a time in the past.", ...(why === undefined ? [] : [why])].join(" "));
  }
  const at = midnightOf(date) + timeOf(hours, minutes) + Number(seconds);
  if (at > now) throw unreadable("That is in the future.");
  // Nothing is older than the epoch, and the database's numbers begin soon before it.
  return Math.max(0, at);
}

/** As `readSince` reads it. */
export function writeSince(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 19).replace("T", " ");
}

function unreadable(mistake: string): AppError {
  return new AppError("invalid_input", `${mistake} ${ways}`);
}

function timeOf(hours = "", minutes = ""): number {
  if (Number(hours) > 23 || Number(minutes) > 59) throw unreadable("There is no such time of day.");
  return Number(hours) * 3600 + Number(minutes) * 60;
}

/** Throws for a day that does not exist in its month. */
function midnightOf(date: string): number {
  const midnight = Date.parse(`${date}T00:00:00Z`);
  const isReal = !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(date);
  if (!isReal) throw unreadable(`There is no day ${date}.`);
  return midnight / 1000;
}

/** "2026-11-23 20:00 UTC" for UNIX milliseconds, for terminals and stored texts: in Discord, describeTime shows readers their own time. */
export function showMoment(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
