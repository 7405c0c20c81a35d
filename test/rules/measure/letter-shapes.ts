const small = "abcdefghijklmnopqrstuvwxyz";
const large = small.toUpperCase();

type Shape = ReadonlyMap<string, string>;

/** Letters that stand in a row from one code point on. */
function rowOf(first: number, letters: string): [string, string][] {
  return Array.from(letters, (letter, index) => [letter, String.fromCodePoint(first + index)]);
}

const bothCases = (largeFirst: number, smallFirst: number): Shape =>
  new Map([...rowOf(largeFirst, large), ...rowOf(smallFirst, small)]);

/** Only capitals have the shape. */
const capitals = (first: number): Shape => new Map([...rowOf(first, large), ...rowOf(first, small)]);

/** Alphabets that are drawn like letters, and are other characters. */
export const letterShapes = {
  // Bold, bold italic, bold script, bold fraktur, sans-serif bold, monospace.
  mathematical: [
    bothCases(0x1d400, 0x1d41a),
    bothCases(0x1d468, 0x1d482),
    bothCases(0x1d4d0, 0x1d4ea),
    bothCases(0x1d56c, 0x1d586),
    bothCases(0x1d5d4, 0x1d5ee),
    bothCases(0x1d670, 0x1d68a),
  ],
  fullWidth: bothCases(0xff21, 0xff41),
  // Circled, in parentheses, squared, white on black in circles and squares, of flags.
  enclosed: [
    bothCases(0x24b6, 0x24d0),
    bothCases(0x1f110, 0x249c),
    capitals(0x1f130),
    capitals(0x1f150),
    capitals(0x1f170),
    new Map([...capitals(0x1f1e6)].map(([letter, flag]) => [letter, `${flag} `])),
  ],
} as const satisfies { mathematical: [Shape, ...Shape[]]; fullWidth: Shape; enclosed: [Shape, ...Shape[]] };

/** What looks like a letter when the page is turned over. */
export const upsideDown: Shape = new Map(
  Array.from(small, (letter, index) => [letter, Array.from("ɐqɔpǝɟƃɥᴉɾʞlɯuodbɹsʇnʌʍxʎz")[index] ?? letter]),
);
