import { AppError } from "../../errors.ts";

/** Where a listing stands: the values it is ordered by, the last of which tells records apart. */
export type Position = readonly number[];

/** What a cursor belongs to: the endpoint's path and the filters it was asked with. */
export type Listing = readonly (string | number | undefined)[];

/** The cursor of what comes after `position`. */
export function encodeCursor(listing: Listing, position: Position): string {
  return Buffer.from(JSON.stringify([listing, position])).toString("base64url");
}

/** The position, of so many values, that a cursor of this very listing names; anything else is `invalid_cursor`. */
export function decodeCursor(listing: Listing, cursor: string, values = 2): Position {
  const position = readPosition(cursor, values);
  // Only what encodeCursor makes is accepted: this binds it to the listing and refuses padding and stray bytes.
  if (!position || encodeCursor(listing, position) !== cursor) {
    throw new AppError(
      "invalid_cursor",
      "The cursor is not one that this listing gave. Start again without it.",
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
