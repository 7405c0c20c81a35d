/** csv for spreadsheets; jsonl for programs, with a JSON object per line. */
export type TableFormat = "csv" | "jsonl";

export type TableRow<Column extends string> = Readonly<Record<Column, string | number | null>>;

/** The beginning of a file: for CSV the headings, after the mark by which spreadsheets recognize UTF-8. */
export function tableHead(format: TableFormat, columns: readonly string[]): string {
  return format === "csv" ? `\ufeff${columns.join(",")}\r\n` : "";
}

/** Its rows; CSV is in RFC 4180 format. */
export function tableLines<Column extends string>(
  format: TableFormat,
  columns: readonly Column[],
  rows: readonly TableRow<Column>[],
): string {
  if (format === "jsonl") return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
  return rows.map((row) => `${columns.map((column) => toCell(row[column])).join(",")}\r\n`).join("");
}

/** Numbers of this many digits, such as Discord's ids, are rounded by spreadsheets. */
const roundedDigits = 16;
const formula = /^\s*[=+\-@\uff0b\uff0d\uff1d\uff20]|^[\t\r\n]/;
const longNumber = new RegExp(`^\\d{${roundedDigits},}$`);

/** Values that a spreadsheet would read as a formula, or round, begin with an apostrophe, so they stay text. */
function toCell(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const text = formula.test(value) || longNumber.test(value) ? `'${value}` : value;
  return `"${text.replaceAll('"', '""')}"`;
}
