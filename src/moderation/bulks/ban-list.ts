import { z } from "zod";
import { Fid, FidDigits, Text } from "../../contract/values.ts";
import { AppError, type Mistake } from "../../errors.ts";
import { explainIssue } from "../../text/explain-issue.ts";
import { amount } from "../../text/amount.ts";
import { splitTable } from "../../text/split-table.ts";
import { maxTargets } from "./bulk.ts";

/** A ban of a list from elsewhere. */
export interface ListedBan {
  fid: number;
  reason: string | undefined;
  /** UNIX milliseconds; undefined if it is permanent. */
  untilMs: number | undefined;
}

const Until = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })], {
    error: "must be a date such as 2026-12-31, or 2026-12-31T20:00:00Z",
  })
  .transform((text) => Date.parse(text));

const Entry = z
  .strictObject({
    fid: z.union([Fid, FidDigits], { error: "must be a fid" }),
    reason: Text.trim().min(1).max(500).optional(),
    until: Until.optional(),
  })
  .transform(({ fid, reason, until: untilMs }): ListedBan => ({ fid, reason, untilMs }));

/** Mistakes that are shown of one list. */
const maxMistakes = 20;

interface Line {
  number: number;
  entry: unknown;
  mistake?: string | undefined;
}

/**
 * Reads a list of bans: CSV with the columns fid, reason and until, or JSON Lines with these keys. Throws `invalid_file`
 * with the mistakes of all lines.
 */
export function parseBanList(text: string): ListedBan[] {
  const lines = /^\s*\{/.test(text) ? splitJson(text) : splitCsv(text);
  const mistakes: Mistake[] = [];
  const bans = new Map<number, ListedBan & { line: number }>();
  for (const { number, entry, mistake } of lines) {
    const path = `line ${number}:`;
    const { data: ban, error } = Entry.safeParse(entry, { error: explainIssue });
    const earlier = ban && bans.get(ban.fid);
    if (mistake !== undefined) mistakes.push({ path, message: mistake });
    else if (!ban) mistakes.push(...error.issues.map((issue) => ({ path, message: describeIssue(issue) })));
    else if (earlier) mistakes.push({ path, message: `fid ${ban.fid} is in line ${earlier.line} too` });
    else bans.set(ban.fid, { ...ban, line: number });
  }
  if (mistakes.length > 0) {
    const shown = mistakes.slice(0, maxMistakes);
    const more = mistakes.length > shown.length ? `, of which these are the first ${shown.length}` : "";
    const message = `The list has ${amount(mistakes.length, "mistake")}${more}.`;
    throw new AppError("invalid_file", message, { mistakes: shown });
  }
  if (bans.size === 0) throw new AppError("invalid_file", "The list has no bans.");
  if (bans.size > maxTargets) {
    throw new AppError("invalid_file", `The list has ${bans.size} bans. At most ${maxTargets} fit in one.`);
  }
  return [...bans.values()].map(({ fid, reason, untilMs }) => ({ fid, reason, untilMs }));
}

function describeIssue({ path, message }: z.core.$ZodIssue): string {
  return path.length === 0 ? message : `${path.join(".")}: ${message}`;
}

function splitJson(text: string): Line[] {
  return text.split(/\r?\n/).flatMap((line, index): Line[] => {
    const number = index + 1;
    if (line.trim() === "") return [];
    try {
      return [{ number, entry: JSON.parse(line) }];
    } catch {
      return [{ number, entry: undefined, mistake: "is not JSON" }];
    }
  });
}

/** An empty cell is a missing value. */
function splitCsv(text: string): Line[] {
  const [head, ...rows] = splitTable(text);
  const columns = head?.fields.map((field) => field.trim().toLowerCase()) ?? [];
  if (!columns.includes("fid")) {
    const message = "The first line must name the columns: fid, and if wanted reason and until.";
    throw new AppError("invalid_file", message);
  }
  return rows.map(({ number, fields, mistake }) => ({
    number,
    mistake: mistake ?? (fields.length > columns.length ? "has more fields than the first line" : undefined),
    entry: Object.fromEntries(
      columns.flatMap((column, place) => (fields[place] ? [[column, fields[place]]] : [])),
    ),
  }));
}
