import { AppError } from "../errors.ts";
import { escapeText } from "./message-text.ts";

const day = 86_400;

/** Whether this is the name of a time zone, in any case. */
export function isTimeZone(name: string): boolean {
  return resolveZone(name) !== undefined;
}

/** The name of a time zone as the IANA database has it; an alias stays as it is. Throws `invalid_input`. */
export function readTimeZone(text: string): string {
  const typed = text.trim();
  const zone = resolveZone(typed);
  if (zone !== undefined) return zone.toLowerCase() === typed.toLowerCase() ? zone : typed;
  throw new AppError(
    "invalid_input",
    `Unknown time zone: ${escapeText(typed, 60)}. Write it as Europe/Berlin.`,
  );
}

/** Not an offset such as +02:00, which only Node 22 and later can read. */
function resolveZone(name: string): string | undefined {
  if (!/^[a-z]/i.test(name)) return undefined;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/** What clocks in the zone show at a moment in UNIX seconds, as seconds since they showed 1970-01-01 00:00. */
export function toLocal(at: number, zone: string): number {
  return at + offsetAt(at, zone);
}

/**
 * The UNIX seconds at which clocks in the zone show `local` (see `toLocal`). Of an hour that they show twice it is the
 * first; in an hour that they skip, they count as not changed yet.
 */
export function fromLocal(local: number, zone: string): number {
  const unchanged = local - offsetAt(local - day, zone);
  const changed = local - offsetAt(local + day, zone);
  return [unchanged, changed].find((at) => toLocal(at, zone) === local) ?? unchanged;
}

/** "2026-11-23 20:00": what clocks in the zone show at a moment in UNIX milliseconds. */
export function showLocal(ms: number, zone: string): string {
  return new Date(toLocal(ms / 1000, zone) * 1000).toISOString().slice(0, 16).replace("T", " ");
}

/** How far clocks in the zone are ahead of UTC, in seconds. */
function offsetAt(at: number, zone: string): number {
  const shown = new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" })
    .formatToParts(at * 1000)
    .find(({ type }) => type === "timeZoneName")?.value;
  const [, sign, ...parts] = /([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(shown ?? "") ?? [];
  const [hours = 0, minutes = 0, seconds = 0] = parts.map((part) => Number(part ?? 0));
  return (sign === "-" ? -1 : 1) * (hours * 3600 + minutes * 60 + seconds);
}
