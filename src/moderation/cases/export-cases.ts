import type { Queryable } from "../../database/database.ts";
import type { Case } from "./case.ts";
import { describeOutcome } from "./outcome.ts";
import { listCases, type CaseFilter } from "./list-cases.ts";

/** The most cases in one export. */
export const maxExported = 10_000;
const batch = 500;

const columns = [
  "number",
  "action",
  "state",
  "requested_at",
  "settled_at",
  "subject_fid",
  "cast",
  "by",
  "by_fid",
  "rule",
  "rule_version",
  "reason",
  "note",
  "ends_at",
  "answer",
  "cast_text",
  "by_token",
] as const;
type ExportedCase = Record<(typeof columns)[number], string | number | null>;

/** Cases as rows, newest first; `isWhole` shows whether all matching cases fit. */
export async function exportCases(
  query: Queryable,
  filter: CaseFilter,
): Promise<{ rows: ExportedCase[]; isWhole: boolean }> {
  const rows: ExportedCase[] = [];
  for (let before: Case | undefined; rows.length < maxExported;) {
    const cases = await listCases(query, { ...filter, before, limit: batch });
    for (const one of cases) rows.push(toRow(one));
    if (cases.length < batch) return { rows, isWhole: true };
    before = cases.at(-1);
  }
  return { rows, isWhole: false };
}

function toRow(one: Case): ExportedCase {
  return {
    number: `C-${one.number}`,
    action: one.kind,
    state: one.state,
    requested_at: showTime(one.requestedAtMs),
    settled_at: showTime(one.settledAtMs),
    subject_fid: one.subjectFid,
    cast: one.targetCast,
    by: one.actorKind === "outside" ? "outside" : one.actorUser,
    by_fid: one.actorFid,
    rule: one.ruleId,
    rule_version: one.ruleVersion,
    reason: one.publicReason,
    note: one.privateReason,
    // A case that changed nothing has no expiry.
    ends_at: one.state === "already" || one.state === "failed" ? null : showTime(one.dueAtMs),
    answer: describeOutcome(one),
    cast_text: one.evidence,
    by_token: one.actorToken,
  };
}

function showTime(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

export function toJsonLines(rows: readonly ExportedCase[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}

/** In RFC 4180 format. Values that a spreadsheet would read as a formula begin with an apostrophe, so they stay text. */
export function toCsv(rows: readonly ExportedCase[]): string {
  const lines = rows.map((row) => columns.map((column) => toCell(row[column])).join(","));
  return [columns.join(","), ...lines].map((line) => `${line}\r\n`).join("");
}

function toCell(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const harmless = /^\s*[=+\-@\uff0b\uff0d\uff1d\uff20]|^[\t\r\n]/.test(value) ? `'${value}` : value;
  return `"${harmless.replaceAll('"', '""')}"`;
}
