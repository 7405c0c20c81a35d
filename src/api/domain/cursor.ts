import { AppError } from "../../errors.ts";

/** The place in a listing: the values it is ordered by, the last of which is unique. */
export type Position = readonly number[];

/** What a cursor is bound to: the endpoint's path and the filters of the request. */
export type Listing = readonly (string | number | undefined)[];

/** The cursor for the records after `position`. */
export function encodeCursor(listing: Listing, position: Position): string {
  return Buffer.from(JSON.stringify([listing, position])).toString("base64url");
}

/** Reads a cursor of this listing, with that many values; anything else is `invalid_cursor`. */
export function decodeCursor(listing: Listing, cursor: string, values = 2): Position {
  const position = readPosition(cursor, values);
  // Only exact output of encodeCursor is accepted, which binds it to the listing and rejects padding and stray bytes.
  if (!position || encodeCursor(listing, position) !== cursor) {
    throw new AppError(
      "invalid_cursor",
      "The cursor does not come from this listing. Start again without it.",
      {
        instancePath: "/cursor",
      },
    );
  }
  return position;
}

function readPosition(cursor: string, values: number): Position | undefined {
  try {
    const json: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    const position: unknown = Array.isArray(json) ? json[1] : undefined;
    return Array.isArray(position) && position.length === values && position.every(isInteger)
      ? position
      : undefined;
  } catch {
    return undefined;
  }
}

function isInteger(value: unknown): value is number {
  return Number.isSafeInteger(value);
}
