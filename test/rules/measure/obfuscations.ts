import { letterShapes, upsideDown } from "./letter-shapes.ts";

/** Numbers from 0 to 1. */
type Random = () => number;

/** A way to hide words, or addresses, from whoever searches for them. */
export interface Obfuscation {
  name: string;
  apply: (text: string, random: Random) => string;
}

const link = /(https?:\/\/\S+)/;

/** Changes what stands between the links: those must still lead somewhere. */
function besideLinks(text: string, change: (part: string) => string): string {
  return text
    .split(link)
    .map((part) => (link.test(part) ? part : change(part)))
    .join("");
}

function pick<T>(random: Random, values: readonly [T, ...T[]]): T {
  return values[Math.floor(random() * values.length)] ?? values[0];
}

const often = 0.6;

/** Changes some letters, at least the first that it can. */
function changeLetters(
  text: string,
  random: Random,
  share: number,
  change: (letter: string) => string,
): string {
  let changed = false;
  return besideLinks(text, (part) =>
    Array.from(part, (letter) => {
      if (changed && random() > share) return letter;
      const other = change(letter);
      changed ||= other !== letter;
      return other;
    }).join(""),
  );
}

/** Changes some words of three letters or more, at least the first. */
function changeWords(text: string, random: Random, change: (word: string) => string): string {
  let changed = false;
  return besideLinks(text, (part) =>
    part.replace(/\p{L}{3,}/gu, (word) => {
      if (changed && random() > often) return word;
      changed = true;
      return change(word);
    }),
  );
}

const invisible = ["\u200B", "\u200C", "\u200D", "\u2060", "\uFEFF", "\u00AD"] as const;
const cyrillic = new Map(
  Object.entries({ a: "а", c: "с", e: "е", i: "і", o: "о", p: "р", s: "ѕ", x: "х", y: "у" }),
);
const cyrillicCapitals = new Map(
  Object.entries({
    A: "А",
    B: "В",
    C: "С",
    E: "Е",
    H: "Н",
    I: "І",
    K: "К",
    M: "М",
    O: "О",
    P: "Р",
    T: "Т",
    X: "Х",
  }),
);
const leet = new Map<string, readonly [string, ...string[]]>(
  Object.entries({ a: ["4", "@"], e: ["3"], i: ["1", "!"], l: ["1"], o: ["0"], s: ["5", "$"], t: ["7"] }),
);
const emoji = ["🎁", "🚀", "🔥", "💰", "✨", "👉", "✅", "🎉"] as const;
const marks = [
  "\u0300",
  "\u0301",
  "\u0302",
  "\u0303",
  "\u0304",
  "\u0307",
  "\u0308",
  "\u030A",
  "\u0323",
  "\u0336",
] as const;

/** Words with their letters apart, some of them; between two such words stands more than between letters. */
function takeApart(text: string, random: Random, between: string): string {
  const apart = changeWords(text, random, (word) => `\u{E000}${Array.from(word).join(between)}\u{E000}`);
  return apart.replace(/\u{E000} \u{E000}/gu, between === " " ? "   " : " ").replaceAll("\u{E000}", "");
}

function breakLink(address: string, random: Random): string {
  const dot = pick(random, ["[.]", "(.)", "[dot]", "(dot)", " [.] "]);
  const scheme = pick(random, ["hxxps://", "hxxp://", "h**ps://", "https[:]//", "https://", ""]);
  const [host = "", ...path] = address.replace(/^https?:\/\//, "").split("/");
  return [`${scheme}${host.replaceAll(".", dot)}`, ...path].join("/");
}

function turnOver(part: string): string {
  const turned = Array.from(part.trim().toLowerCase(), (letter) => upsideDown.get(letter) ?? letter);
  return `${turned.toReversed().join("")} `;
}

const accent = (letter: string, random: Random) =>
  /\p{Script=Latin}/u.test(letter) ? letter + pick(random, marks) : letter;

/** Each with a source of chance, so that the same seed gives the same texts. */
export const obfuscations: readonly Obfuscation[] = [
  {
    name: "zero-width",
    apply: (text, random) =>
      changeLetters(text, random, 0.3, (letter) =>
        /\p{L}/u.test(letter) ? letter + pick(random, invisible) : letter,
      ),
  },
  {
    name: "Cyrillic look-alikes",
    apply: (text, random) =>
      changeLetters(
        text,
        random,
        often,
        (letter) => cyrillic.get(letter) ?? cyrillicCapitals.get(letter) ?? letter,
      ),
  },
  {
    name: "mathematical letters",
    apply: (text, random) => shape(text, pick(random, letterShapes.mathematical)),
  },
  {
    name: "doubled vowels",
    apply: (text, random) =>
      changeLetters(text, random, often, (letter) =>
        /[aeiou]/i.test(letter) ? letter + letter.toLowerCase().repeat(pick(random, [1, 1, 2, 3])) : letter,
      ),
  },
  {
    name: "emoji between words",
    apply: (text, random) => {
      const own = pick(random, emoji);
      return besideLinks(text, (part) =>
        part.replace(/(?<=\S) (?=\S)/g, () =>
          pick(random, [` ${own} `, own, ` ${pick(random, emoji)}${own} `]),
        ),
      );
    },
  },
  { name: "spaced", apply: (text, random) => takeApart(text, random, " ") },
  {
    name: "dotted",
    apply: (text, random) => takeApart(text, random, pick(random, [".", "·", "-", "_", "*", "•"])),
  },
  {
    name: "leet",
    apply: (text, random) =>
      changeLetters(text, random, often, (letter) => {
        const like = leet.get(letter.toLowerCase());
        return like ? pick(random, like) : letter;
      }),
  },
  {
    name: "broken links",
    apply: (text, random) =>
      text
        .split(link)
        .map((part) => (link.test(part) ? breakLink(part, random) : part))
        .join(""),
  },
  {
    name: "combining accents",
    apply: (text, random) => changeLetters(text, random, often, (letter) => accent(letter, random)),
  },
  { name: "full width", apply: (text) => shape(text, letterShapes.fullWidth) },
  { name: "enclosed", apply: (text, random) => shape(text, pick(random, letterShapes.enclosed)) },
  {
    name: "upside-down",
    apply: (text) => besideLinks(text, (part) => (/[a-z]/i.test(part) ? turnOver(part) : part)),
  },
];

function shape(text: string, letters: ReadonlyMap<string, string>): string {
  return besideLinks(text, (part) => Array.from(part, (letter) => letters.get(letter) ?? letter).join(""));
}
