import { AppError } from "../errors.ts";

/*
 * Cases, bulks, events, reviews, strikes and notes are each numbered separately, so a bare number is ambiguous. This formats
 * numbers for people and parses typed ones.
 */

const kinds = {
  case: { letter: "C", article: "a case", opens: "/case show number:", max: 2_147_483_647 },
  event: { letter: "E", article: "an event", opens: "/rule explain event:", max: Number.MAX_SAFE_INTEGER },
  strike: {
    letter: "S",
    article: "a strike",
    opens: "</who> lists a person's strikes.",
    max: Number.MAX_SAFE_INTEGER,
  },
  note: {
    letter: "N",
    article: "a note",
    opens: "</note> lists a person's notes.",
    max: Number.MAX_SAFE_INTEGER,
  },
  bulk: { letter: "B", article: "a bulk", opens: "/case show number:", max: 2_147_483_647 },
  review: { letter: "R", article: "a review", opens: "/review show number:", max: Number.MAX_SAFE_INTEGER },
} as const;

export type Numbered = keyof typeof kinds;

/** "C-12" for a case, "B-3" for a bulk, "E-51248" for an event, "R-3" for a review. */
export function showNumber(of: Numbered, number: number): string {
  return `${kinds[of].letter}-${number}`;
}

/** The number in "C-12", "c12", "#12" or "12". Throws `invalid_input`, naming the kind if it is another one. */
export function readNumber(of: Numbered, typed: string): number {
  const number = findNumber(of, typed);
  if (number !== undefined) return number;
  const [, letter, digits = ""] = written.exec(typed.trim()) ?? [];
  const meant = letter === undefined ? of : kindOf(letter);
  if (meant !== undefined && meant !== of)
    throw new AppError("invalid_input", describeMistake(of, meant, Number(digits)));
  throw new AppError(
    "invalid_input",
    `Not the number of ${kinds[of].article}. Write it as ${showNumber(of, 12)} or 12.`,
  );
}

/** The same, or undefined. */
export function findNumber(of: Numbered, typed: string): number | undefined {
  const [, letter, digits = ""] = written.exec(typed.trim()) ?? [];
  const number = Number(digits);
  const isMeant = letter === undefined || kindOf(letter) === of;
  return isMeant && number >= 1 && number <= kinds[of].max ? number : undefined;
}

/** The kind of a typed number, or undefined; a case without a letter. */
export function kindOfNumber(typed: string): Numbered | undefined {
  const [, letter, digits] = written.exec(typed.trim()) ?? [];
  if (digits === undefined) return undefined;
  return letter === undefined ? "case" : kindOf(letter);
}

/** Including the dashes that keyboards make of a hyphen. */
const written = /^(?:#|([a-z])\s*[-\u2010-\u2015]?\s*)?#?([0-9]{1,16})$/i;

function kindOf(letter: string): Numbered | undefined {
  const entries = Object.entries(kinds) as [Numbered, (typeof kinds)[Numbered]][]; // the keys of `kinds`
  return entries.find(([, kind]) => kind.letter === letter.toUpperCase())?.[0];
}

function describeMistake(wanted: Numbered, meant: Numbered, number: number): string {
  const { article, opens } = kinds[meant];
  const shown = showNumber(meant, number);
  const where = opens.startsWith("<") ? opens : `${opens}${shown} shows it.`;
  return `${shown} is the number of ${article}, but this needs ${kinds[wanted].article}, such as ${showNumber(wanted, 12)}. ${where}`;
}
