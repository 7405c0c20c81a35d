import { AppError } from "../errors.ts";
import type { Case } from "../moderation/cases/case.ts";
import type { CasePlace } from "../moderation/cases/list-cases.ts";

/** Where a page begins; undefined for the first. Throws `invalid_input` for a value that no page has. */
export function readCursor(cursor: string | undefined): string | undefined {
  if (!cursor) return undefined;
  if (/^\d{1,9}$/.test(cursor)) return cursor;
  throw noPage();
}

/** Such a place as a number. */
export function readPosition(cursor: string | undefined): number | undefined {
  const position = readCursor(cursor);
  return position === undefined ? undefined : Number(position);
}

/** Encodes the end of a page of cases for an address. */
export function writePlace({ number, requestedAtMs }: Case): string {
  return `${number}-${requestedAtMs}`;
}

/** Throws `invalid_input` for a value that no page has. */
export function readPlace(cursor: string | undefined): CasePlace | undefined {
  if (!cursor) return undefined;
  const [, number, ms] = /^(\d{1,9})-(\d{1,15})$/.exec(cursor) ?? [];
  if (number === undefined) throw noPage();
  return { number: Number(number), requestedAtMs: Number(ms) };
}

const noPage = () => new AppError("invalid_input", "There is no such page.");

/** The page that begins a list, and where the next begins: the list has one more entry than the page if there is one. */
export function cutPage<T>(
  found: readonly T[],
  size: number,
  placeOf: (last: T) => string | number,
): { shown: T[]; more: { next?: string } } {
  const shown = found.slice(0, size);
  const last = shown.at(-1);
  return { shown, more: last && found.length > size ? { next: String(placeOf(last)) } : {} };
}

/** Counting stops here, because it takes long and nobody reads so many. */
export const maxCounted = 1000;

/** A number of matches that was counted up to one more than the maximum. */
export function describeCounted(count: number): string {
  return count > maxCounted ? `more than ${maxCounted}` : String(count);
}
