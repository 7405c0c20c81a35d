/** Rows for `it.each` with the title `%s`, which, unlike `$field`, neither quotes nor cuts. */
// @ts-nocheck

export function titled<Row>(rows: readonly Row[], title: (row: Row) => string): [string, Row][] {
  return rows.map((row) => [title(row), row]);
}
