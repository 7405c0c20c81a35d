import type { Queryable } from "../../database/database.ts";
import { tableHead, tableLines, type TableFormat, type TableRow } from "../../text/table-file.ts";
import type { Case } from "./case.ts";
import { writeOutcome } from "./outcome.ts";
import { listCases, type CaseFilter, type CasePlace } from "./list-cases.ts";

/** The most cases in one export. */
export const maxExported = 10_000;
const batch = 500;

export const caseColumns = [
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
  "channel",
] as const;
type ExportedCase = TableRow<(typeof caseColumns)[number]>;

/** Cases as rows, newest first; `isWhole` shows whether all matching cases fit. */
export async function exportCases(
  query: Queryable,
  filter: CaseFilter,
): Promise<{ rows: ExportedCase[]; isWhole: boolean }> {
  const rows: ExportedCase[] = [];
  for (let before: CasePlace | undefined; rows.length < maxExported;) {
    const page = await exportCasesBefore(query, filter, before);
    rows.push(...page.rows);
    if (!page.next) return { rows, isWhole: true };
    before = page.next;
  }
  return { rows, isWhole: false };
}

/** A page of them; `next` is where the following page begins. */
export async function exportCasesBefore(
  query: Queryable,
  filter: CaseFilter,
  before: CasePlace | undefined,
): Promise<{ rows: ExportedCase[]; next: CasePlace | undefined }> {
  const cases = await listCases(query, { ...filter, before, limit: batch });
  return { rows: cases.map(toRow), next: cases.length < batch ? undefined : cases.at(-1) };
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
    answer: writeOutcome(one),
    cast_text: one.evidence,
    by_token: one.actorToken,
    channel: one.channelId,
  };
}

function showTime(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

export function toCaseFile(format: TableFormat, rows: readonly ExportedCase[]): string {
  return tableHead(format, caseColumns) + tableLines(format, caseColumns, rows);
}
