import { AppError } from "../errors.ts";
import { parseDuration, whyNoDuration } from "./duration.ts";
import { inlineCode } from "./message-text.ts";
import { fromLocal, toLocal } from "./time-zone.ts";

const day = 86_400;

const utc = "UTC";

/**
 * A moment of the past in UNIX seconds: "2h" or "2h ago", "20:00" for the last time that clocks in the zone showed that,
 * "2026-11-23" or "2026-11-23 20:00" by these clocks, both by UTC where "UTC" or "Z" follows, or a timestamp as Discord
 * writes it. Throws `invalid_input`.
 */
export function readSince(text: string, now: number, zone: string = utc): number {
  const typed = text.trim();
  const ago = parseDuration(typed.replace(/\s+ago$/i, ""));
  const at = ago === undefined ? (readTimestamp(typed) ?? readByClock(typed, now, zone)) : now - ago;
  if (at === undefined) {
    const why = whyNoDuration(typed);
    throw unreadable(
      [
        `${typed === "" ? "That" : inlineCode(typed, 50)} is not a time in the past.`,
        ...(why === undefined ? [] : [why]),
      ].join(" "),
      zone,
    );
  }
  if (at > now) throw unreadable("That is in the future.", zone);
  // Nothing is older than the epoch, and the database's numbers begin soon before it.
  return Math.max(0, at);
}

/** "<t:1795464000:R>", as Discord writes a moment into messages. */
function readTimestamp(typed: string): number | undefined {
  const [, at] = /^<t:(\d{1,12})(?::[a-z])?>$/i.exec(typed) ?? [];
  return at === undefined ? undefined : Number(at);
}

function readByClock(typed: string, now: number, given: string): number | undefined {
  const shown = typed.replace(/\s*(?:utc|z)$/i, "");
  const zone = shown === typed ? given : utc;
  const [, hour, minute] = /^(\d{1,2}):(\d{2})$/.exec(shown) ?? [];
  if (hour !== undefined) {
    const today = startOfDay(toLocal(now, zone)) + timeOf(zone, hour, minute);
    const at = fromLocal(today, zone);
    return at <= now ? at : fromLocal(today - day, zone);
  }
  const [, date, hours, minutes, seconds = "0"] =
    /^(\d{4}-\d{2}-\d{2})(?:[T ]+(\d{1,2}):(\d{2})(?::([0-5]\d)(?:\.\d+)?)?)?$/i.exec(shown) ?? [];
  if (date === undefined) return undefined;
  return fromLocal(midnightOf(zone, date) + timeOf(zone, hours, minutes) + Number(seconds), zone);
}

/** As `readSince` reads it, whatever the zone. */
export function writeSince(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

function unreadable(mistake: string, zone: string): AppError {
  const whose = zone === utc ? utc : `those of ${zone}`;
  return new AppError(
    "invalid_input",
    `${mistake} Write it as 2h ago, 20:00 or 2026-11-23 20:00; times are ${whose}.`,
  );
}

function startOfDay(seconds: number): number {
  return Math.floor(seconds / day) * day;
}

function timeOf(zone: string, hours = "0", minutes = "0"): number {
  if (Number(hours) > 23 || Number(minutes) > 59) throw unreadable("There is no such time of day.", zone);
  return Number(hours) * 3600 + Number(minutes) * 60;
}

/** Throws for a day that does not exist in its month. */
function midnightOf(zone: string, date: string): number {
  const midnight = Date.parse(`${date}T00:00:00Z`);
  const isReal = !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(date);
  if (!isReal) throw unreadable(`There is no day ${date}.`, zone);
  return midnight / 1000;
}

/** "2026-11-23 20:00 UTC" for UNIX milliseconds, for terminals and stored texts: in Discord, describeTime shows readers their own time. */
export function showMoment(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/** The same for every moment in a text that is written as Discord shows it to each reader in their own zone. */
export function writeMoments(text: string): string {
  return text.replaceAll(/<t:(\d{1,12})(?::[a-z])?>/gi, (_, at) => showMoment(Number(at) * 1000));
}
