import type { CaseKind } from "../../src/moderation/cases/case.ts";
import type { Shown } from "./shown.ts";

const day = 86_400_000;
/** More columns than this cannot be distinguished on a phone. */
const maxColumns = 100;
const widths = [1, 7, 30, 90, 365] as const;

interface Bins {
  /** How many days each column spans. */
  days: number;
  /** UNIX milliseconds. */
  from: number;
  until: number;
  /** The days with actions, oldest first. */
  columns: { from: number; count: number; kinds: Map<CaseKind, number> }[];
}

/** Days in UTC, or spans of several days in a long period; begins with the first case. */
export function toBins({
  sinceMs,
  nowMs,
  statistics,
}: Pick<Shown, "sinceMs" | "nowMs" | "statistics">): Bins {
  const rows = statistics.days;
  const last = Math.max(Math.floor(nowMs / day), rows.at(-1)?.day ?? 0);
  const asked = Math.floor(sinceMs / day);
  const first = last - asked < maxColumns ? asked : Math.max(asked, rows[0]?.day ?? asked);
  const span = last - first + 1;
  const days = widths.find((width) => span / width <= maxColumns) ?? 365;
  const columns = new Map<number, Bins["columns"][number]>();
  for (const { day: at, kind, count } of rows) {
    const from = (first + Math.floor((at - first) / days) * days) * day;
    const column = columns.get(from) ?? { from, count: 0, kinds: new Map() };
    columns.set(from, column);
    column.count += count;
    column.kinds.set(kind, (column.kinds.get(kind) ?? 0) + count);
  }
  const from = first * day;
  return { days, from, until: from + Math.ceil(span / days) * days * day, columns: [...columns.values()] };
}
