import { patternOf, patternReach, readCast, type CastData, type ReadCast, type Trait } from "./trait.ts";

/** Input for traits of casts that people removed, or whose removal they undid. */
export interface TraitSearch {
  casts: readonly CastData[];
  /** No trait may occur in these. */
  others: readonly CastData[];
  kinds: readonly Trait["kind"][];
  /** The minimum number of casts with a trait. */
  least: number;
  /** The maximum number of traits. */
  most: number;
}

/** A trait, and the positions of the casts that have it. */
export interface CommonTrait {
  trait: Trait;
  casts: number[];
}

/** At most this many words of a text are considered; bounds one text's cost. */
const maxWords = 60;
/** Words per phrase; a single word means too little. */
const phraseWords = { least: 2, most: 6 } as const;
/** Characters per phrase. A Chinese word has one or two. */
const phraseLength = { least: 8, minForeign: 4, most: 120 } as const;
/** The minimum length of a pattern's words, and their maximum distance in words. */
const patternWord = 4;
const patternSpan = 8;

/** Breaks ties between traits with the same number of casts: an address is the strongest, two words the weakest. */
const weights = { address: 1, phrase: 1, author: 0.9, pattern: 0.6 } as const satisfies Record<
  Trait["kind"],
  number
>;
const order = Object.keys(weights);

/**
 * The few traits that most of the casts have and none of the others: first the one with the most casts, then the one with
 * the most of the remaining casts. Of traits with the same casts, the longest wins.
 */
export function findCommonTraits({ casts, others, kinds, least, most }: TraitSearch): CommonTrait[] {
  const found = new Map<string, CommonTrait>();
  for (const [place, cast] of casts.map(readCast).entries()) {
    for (const [key, trait] of traitsOf(cast, kinds)) {
      const known = found.get(key) ?? { trait, casts: [] };
      found.set(key, known);
      if (known.casts.at(-1) !== place) known.casts.push(place);
    }
  }
  const index = indexOthers(others.map(readCast));
  let open = [...found.values()];
  const covered = new Set<number>();
  const chosen: CommonTrait[] = [];
  while (chosen.length < most) {
    const weighed = open
      .map((one) => ({ one, weight: one.casts.filter((place) => !covered.has(place)).length }))
      .filter(({ weight }) => weight >= least)
      .toSorted((a, b) => compare(a.one.trait, b.one.trait, a.weight, b.weight));
    const best = weighed.find(({ one }) => !index.has(one.trait));
    if (!best) break;
    chosen.push(best.one);
    for (const place of best.one.casts) covered.add(place);
    // The ones before it also occur in other casts.
    open = weighed.slice(weighed.indexOf(best) + 1).map(({ one }) => one);
  }
  return chosen;
}

function compare(one: Trait, other: Trait, weight: number, otherWeight: number): number {
  return (
    otherWeight * weights[other.kind] - weight * weights[one.kind] ||
    order.indexOf(one.kind) - order.indexOf(other.kind) ||
    lengthOf(other) - lengthOf(one)
  );
}

function lengthOf(trait: Trait): number {
  switch (trait.kind) {
    case "address":
      return trait.domain.length;
    case "phrase":
      return trait.text.length;
    case "pattern":
      return trait.words.join("").length;
    case "author":
      return 0;
  }
}

/** The traits of a cast, with a key that identifies each trait. */
function* traitsOf(cast: ReadCast, kinds: readonly Trait["kind"][]): Generator<[string, Trait]> {
  if (kinds.includes("author")) yield [`author ${cast.fid}`, { kind: "author", fid: cast.fid }];
  if (kinds.includes("address")) {
    for (const domain of cast.domains) yield [`address ${domain}`, { kind: "address", domain }];
  }
  const { folded, latin } = cast.text;
  for (const text of folded === latin ? [folded] : [folded, latin]) {
    const words = wordsOf(text);
    if (kinds.includes("phrase")) {
      for (const phrase of phrasesOf(text, words))
        yield [`phrase ${phrase}`, { kind: "phrase", text: phrase }];
    }
    if (kinds.includes("pattern")) {
      for (const pair of pairsOf(text, words)) {
        yield [`pattern ${pair.join(" ")}`, { kind: "pattern", words: pair }];
      }
    }
  }
}

interface Word {
  from: number;
  until: number;
}

const segmenter = new Intl.Segmenter("en", { granularity: "word" });

/** The positions of its first words, including scripts without spaces. */
function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  for (const { segment, index, isWordLike } of segmenter.segment(text)) {
    if (isWordLike === true) words.push({ from: index, until: index + segment.length });
    if (words.length === maxWords) break;
  }
  return words;
}

function* phrasesOf(text: string, words: readonly Word[]): Generator<string> {
  for (const [place, { from }] of words.entries()) {
    for (let count = phraseWords.least; count <= phraseWords.most; count++) {
      const last = words[place + count - 1];
      if (!last) break;
      const phrase = text.slice(from, last.until);
      const least = /^\p{ASCII}*$/u.test(phrase) ? phraseLength.least : phraseLength.minForeign;
      if (phrase.length >= least && phrase.length <= phraseLength.most) yield phrase;
    }
  }
}

function* pairsOf(text: string, words: readonly Word[]): Generator<[string, string]> {
  for (const [place, first] of words.entries()) {
    if (first.until - first.from < patternWord) continue;
    const one = text.slice(first.from, first.until);
    for (const second of words.slice(place + 1, place + 1 + patternSpan)) {
      const other = text.slice(second.from, second.until);
      const isNear = second.from - first.until <= patternReach;
      if (isNear && other.length >= patternWord && other !== one) yield [one, other];
    }
  }
}

/** Determines with few searches whether any of many casts has a trait. */
function indexOthers(casts: readonly ReadCast[]): { has(trait: Trait): boolean } {
  const domains = new Set(casts.flatMap((cast) => cast.domains));
  const fids = new Set(casts.map(({ fid }) => fid));
  const texts = [...new Set(casts.flatMap(({ text: { folded, latin } }) => [folded, latin]))].join("\n");
  return {
    has(trait) {
      switch (trait.kind) {
        case "address":
          return domains.has(trait.domain);
        case "author":
          return fids.has(trait.fid);
        case "phrase":
          return texts.includes(trait.text);
        case "pattern":
          return new RegExp(patternOf(trait.words)).test(texts);
      }
    },
  };
}
