/** A non-empty row of a table: a line, or several if a quoted field has line breaks. */
export interface Row {
  /** The number of its first line, counted from 1. */
  number: number;
  fields: string[];
  /** The row as written in the file. */
  raw: string;
  /** Why its fields cannot be read. */
  mistake: string | undefined;
}

interface Field {
  value: string;
  end: number;
  mistake?: string;
}

/**
 * Splits CSV with commas, semicolons or tabs into rows. All three divide fields, unless the first line has only one of
 * them, or declares one with "sep=;", as spreadsheets do. Runs in linear time for any text.
 */
export function splitTable(text: string): Row[] {
  const table = text.replace(/^\ufeff/, "");
  const { dividers, said } = findDividers(table);
  const rows: Row[] = [];
  let at = 0;
  for (let number = 1; at < table.length; number += 1) {
    const start = at;
    const fields: string[] = [];
    let mistake: string | undefined;
    for (;;) {
      const field = readField(table, at, dividers);
      fields.push(field.value);
      mistake ??= field.mistake;
      at = field.end;
      if (at >= table.length || !dividers.includes(table.charAt(at))) break;
      at += 1;
    }
    const raw = table.slice(start, at);
    const isEmpty = fields.every((field) => field === "") && mistake === undefined;
    if (!isEmpty && !(said && number === 1)) rows.push({ number, fields, raw, mistake });
    number += raw.match(/\r\n|\r|\n/g)?.length ?? 0;
    at += table.startsWith("\r\n", at) ? 2 : 1;
  }
  return rows;
}

function findDividers(table: string): { dividers: string; said: boolean } {
  const [first = ""] = /^.*/.exec(table.trimStart()) ?? [];
  const [, said] = /^sep=([,;\t])$/i.exec(first) ?? [];
  if (said !== undefined) return { dividers: said, said: true };
  const used = [",", ";", "\t"].filter((divider) => first.includes(divider));
  return { dividers: used.length === 1 ? used.join("") : ",;\t", said: false };
}

function readField(table: string, start: number, dividers: string): Field {
  const begin = skipSpaces(table, start);
  const lineEnd = findEnd(table, begin, "");
  if (table[begin] !== '"') {
    const end = findEnd(table, begin, dividers);
    return { value: table.slice(begin, end).trim(), end };
  }
  const closing = findClosing(table, begin + 1);
  if (closing === undefined) {
    return {
      value: table.slice(begin, lineEnd),
      end: lineEnd,
      mistake: "a quote opens here that never closes",
    };
  }
  const value = table
    .slice(begin + 1, closing)
    .replaceAll('""', '"')
    .trim();
  const end = skipSpaces(table, closing + 1);
  if (end === findEnd(table, end, dividers)) return { value, end };
  return { value, end: findEnd(table, end, ""), mistake: "there is text next to a quoted field" };
}

function skipSpaces(table: string, start: number): number {
  let at = start;
  while (table[at] === " " || table[at] === "\u00a0") at += 1;
  return at;
}

/** Where the field ends, or without dividers the line. */
function findEnd(table: string, start: number, dividers: string): number {
  let at = start;
  while (at < table.length && !dividers.includes(table.charAt(at)) && !"\r\n".includes(table.charAt(at)))
    at += 1;
  return at;
}

function findClosing(table: string, start: number): number | undefined {
  for (let at = table.indexOf('"', start); at >= 0; at = table.indexOf('"', at + 2)) {
    if (table[at + 1] !== '"') return at;
  }
  return undefined;
}
