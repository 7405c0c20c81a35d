import { foldCase, invisible } from "../../text/letters.ts";
import { readAsNative } from "../../text/native-letters.ts";
import { readAsLatin, readCapitals } from "../../text/skeleton.ts";
import { readDisguised, type TextReading } from "./readings.ts";
import { canBeReached, hostsOfAddress } from "../links/address.ts";
import { linksIn, maxLinks } from "./links-in.ts";

/** A user's text as rules read it. */
export interface RuleText {
  raw: string;
  /** NFKC, without invisible characters (zero-width, directional marks, fillers, control characters). */
  plain: string;
  /** `plain` with spaces for characters that can only be next to an address there: evil.example™, ①https://evil.example */
  parted: string;
  /** `plain` folded for comparison: by case, and without marks that texts of its script may lack. */
  folded: string;
  /** Whether it differs from `plain` in lower case. */
  isFolded: boolean;
  /** `folded` with letters of other scripts read as the Latin letters they resemble. */
  latin: string;
  /** `folded` with borrowed letters read as those of the word's own script. */
  native: string;
  /** Other readings, if it looks disguised. */
  disguised: readonly TextReading[];
  /** The addresses in it, as written; broken ones are repaired. */
  links: readonly string[];
  /** Longer than `textLimit`: the rest is not read. */
  cut: boolean;
}

/** How many characters of a text rules read, before and after normalizing; bounds one event's cost. */
export const textLimit = 10_240;

export function readText(raw: string): RuleText {
  return new LazyText(raw);
}

/** Any character but a visible one of ASCII, or white space: what else needs no normalizing. */
const foreign = /[^\t-\r\x20-\x7E]/u;

/** Each form takes a while, so it is created on first use: code that only passes a text on needs none of them. */
class LazyText implements RuleText {
  readonly raw: string;
  readonly #isForeign: boolean;
  readonly #isLong: boolean;
  #forms: Pick<RuleText, "plain" | "folded" | "isFolded" | "cut"> | undefined;
  #parted: string | undefined;
  #latin: string | undefined;
  #native: string | undefined;
  #disguised: readonly TextReading[] | undefined;
  #links: readonly string[] | undefined;

  constructor(raw: string) {
    this.raw = raw.slice(0, textLimit);
    this.#isLong = raw.length > textLimit;
    this.#isForeign = foreign.test(this.raw);
  }

  get #read() {
    return (this.#forms ??= this.#isForeign
      ? readForms(this.raw, this.#isLong)
      : { plain: this.raw, folded: this.raw.toLowerCase(), isFolded: false, cut: this.#isLong });
  }

  get plain(): string {
    return this.#read.plain;
  }

  get folded(): string {
    return this.#read.folded;
  }

  get isFolded(): boolean {
    return this.#read.isFolded;
  }

  get cut(): boolean {
    return this.#read.cut;
  }

  get parted(): string {
    return (this.#parted ??= this.#isForeign ? partSigns(this.raw, this.plain) : this.raw);
  }

  get latin(): string {
    if (!this.#isForeign) return this.folded;
    return (this.#latin ??= readAsLatin(foldCase(readCapitals(this.plain))));
  }

  get native(): string {
    if (!this.#isForeign) return this.folded;
    return (this.#native ??= foldCase(readAsNative(this.plain)));
  }

  get disguised(): readonly TextReading[] {
    return (this.#disguised ??= readDisguised(this.folded, textLimit));
  }

  get links(): readonly string[] {
    return (this.#links ??= joinLinks(this.plain, this.parted));
  }
}

/** Signs that NFKC turns into letters or digits; invisible characters after a letter. */
const seam = new RegExp(
  [
    String.raw`[\p{No}\p{Nl}\u20A8ªº]`,
    String.raw`(?=[\u2100-\u214F\u2400-\u24FF\u3200-\u33FF\u{1F100}-\u{1F1AF}])\p{So}`,
    String.raw`[0-9]\uFE0F?\u20E3`,
    String.raw`(?<=[\p{L}\p{N}\/])(?:${invisible.source})+`,
  ].join("|"),
  "gu",
);

function partSigns(raw: string, plain: string): string {
  const parted = raw.replace(seam, " ");
  return parted === raw ? plain : normalize(parted).slice(0, textLimit);
}

/** The addresses of a text, and those found only in its parted form. */
function joinLinks(plain: string, parted: string): string[] {
  const links = linksIn(plain);
  if (parted === plain) return links;
  const known = new Set(links.flatMap(hostsOfAddress));
  const isNew = (address: string) =>
    hostsOfAddress(address).some((host) => !known.has(host) && canBeReached(host));
  return [...links, ...linksIn(parted).filter(isNew)].slice(0, maxLinks);
}

function normalize(text: string): string {
  // Removing a filler can join a letter and its accent, hence the second composition.
  return text.replace(lunate, lunateShape).normalize("NFKC").replace(invisible, "").normalize("NFKC");
}

/** The Greek sigma that looks like a c: NFKC replaces it with the other sigma. */
const lunate = /[ϲϹ]/g;
const lunateShape = (letter: string) => (letter === "ϲ" ? "c" : "C");

function readForms(raw: string, isLong: boolean) {
  const whole = normalize(raw);
  const plain = whole.slice(0, textLimit);
  const folded = foldCase(plain);
  return { plain, folded, isFolded: folded !== plain.toLowerCase(), cut: isLong || whole.length > textLimit };
}
