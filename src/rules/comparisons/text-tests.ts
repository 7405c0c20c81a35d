import { z } from "zod";
import type { Occurrence } from "../evaluate/occurrence.ts";
import type { Facts, Need } from "../facts/fact.ts";
import { emptyList, listNamed } from "../language/rule-list.ts";
import { isAlike, isAlikeIn, literalsOfWanted, readWanted, type WantedText } from "../text/compare.ts";
import { foldLetters, type Fold } from "../text/fold.ts";
import { TextSearch } from "../text/literal-search.ts";
import { literalsOf } from "../text/pattern-literals.ts";
import { hintsOfPattern, hintsOfQuotes } from "../text/pattern-hints.ts";
import { PatternText } from "../text/pattern.ts";
import { readText, type RuleText } from "../text/rule-text.ts";
import { showSome, type TestKind } from "./one-of.ts";

/** A test of a text with its parameter. */
export interface TextTest {
  /** `readAs` if it holds for a reading of a disguised text; `why` if the result is unknown. */
  holds(text: RuleText, occurrence: Occurrence, facts: Facts): boolean | { readAs: string } | { why: string };
  needs?: readonly Need[];
  cost: number;
  /** Continues "the text": 'contains "airdrop"'. */
  sentence: string;
  /** The same without a pattern. */
  plain?: string;
  /** One of these is in every text that passes: in lower case, or read as Latin. Absent if there are none. */
  literals?: readonly string[];
  /** The file's lists that it uses. */
  lists?: readonly string[];
  /** Why it can never hold. */
  never?: string;
  /** Parts that probably do not do what is meant, and how to write them. */
  hints?: readonly string[];
}

const orNone = (hints: readonly string[]) => (hints.length > 0 ? { hints } : {});

const Wanted = z.string().min(1).max(500);

/** Whether a disguised text passes in one of its readings. */
function holdsDisguised(
  { disguised }: RuleText,
  holds: (text: string, fold: Fold) => boolean,
): false | { readAs: string } {
  const reading = disguised.find(({ text, fold }) => holds(text, fold));
  return reading ? { readAs: reading.how } : false;
}

/** Fewer letters than this are in nearly every text once repeated letters count once. */
const fewestFolded = 3;

/** Looks for a text in disguised ones. */
function lookFor({ latin, native }: WantedText, compare: (text: string, wanted: string) => boolean) {
  const folds = new Map<Fold, readonly string[]>();
  const foldAll = (fold: Fold) =>
    [...new Set([latin, native])]
      .map((wanted) => ({ folded: foldLetters(wanted, fold), least: Math.min(fewestFolded, wanted.length) }))
      .filter(({ folded, least }) => folded.length >= least)
      .map(({ folded }) => folded);
  const holds = (text: string, fold: Fold) => {
    const wanted = folds.get(fold) ?? foldAll(fold);
    folds.set(fold, wanted);
    return wanted.some((one) => compare(text, one));
  };
  return (text: RuleText) => holdsDisguised(text, holds);
}

const includes = (text: string, part: string) => text.includes(part);

/** Compares with a text, ignoring case and letters borrowed from other scripts. */
function compareWith(
  name: string,
  compare: (text: string, wanted: string) => boolean,
  { cost, verb, ifInvisible }: { cost: number; verb: string; ifInvisible: string },
): TestKind<TextTest> {
  return {
    name,
    schema: () =>
      Wanted.transform((wanted, context): TextTest => {
        const read = readWanted(wanted);
        if (read.folded === "") {
          context.issues.push({ code: "custom", message: ifInvisible, input: wanted });
          return z.NEVER;
        }
        const isDisguised = lookFor(read, compare);
        return {
          holds: (text) => isAlike(text, read, compare) || isDisguised(text),
          cost,
          sentence: `${verb} ${JSON.stringify(wanted)}`,
          literals: literalsOfWanted(read),
          ...orNone(hintsOfQuotes(wanted)),
        };
      }),
  };
}

const contains = compareWith("contains", includes, {
  cost: 2,
  verb: "contains",
  ifInvisible: "is invisible, so every text contains it: use matches to find invisible characters",
});

const startsWith = compareWith("starts_with", (text, start) => text.startsWith(start), {
  cost: 1,
  verb: "starts with",
  ifInvisible: "is invisible, and every text begins with it",
});

/** Like `contains`, for any text in a list. */
const containsInList: TestKind<TextTest> = {
  name: "contains_in_list",
  schema: (lists) =>
    listNamed(lists, "text").transform(({ name, list: { written } }): TextTest => {
      const wanted = [...written].map(readWanted).filter(({ folded }) => folded !== "");
      const literals = wanted.flatMap((one) =>
        literalsOfWanted(one).map((literal) => ({ literal, value: one })),
      );
      const search = new TextSearch(literals);
      return {
        holds: (text) => {
          // Of thousands hardly any are in a text, and only those are compared in every way.
          const found = new Set<WantedText>();
          search.find(text, found);
          for (const one of found) {
            const held = isAlike(text, one, includes) || lookFor(one, includes)(text);
            if (held) return held;
          }
          return false;
        },
        cost: 3,
        sentence: `contains something in the list ${name}`,
        literals: literals.map(({ literal }) => literal),
        lists: [name],
        ...(wanted.length === 0 && { never: emptyList(name) }),
      };
    }),
};

/**
 * Matches an RE2 pattern: in the normalized text, with borrowed letters read as Latin, or in the raw text, so that
 * invisible characters can be found.
 */
const matches: TestKind<TextTest> = {
  name: "matches",
  schema: () =>
    PatternText.transform((pattern): TextTest => {
      const literals = literalsOf(pattern.source.normalize("NFC"));
      return {
        holds: (text) =>
          pattern.matches(text.plain) ||
          (text.raw !== text.plain && pattern.matches(text.raw)) ||
          isAlikeIn(text, (form, read) => {
            const isOther = form === "folded" ? text.isFolded || pattern.isFolded : read !== text.folded;
            return isOther && pattern.matches(read, "exact");
          }) ||
          holdsDisguised(text, (read, fold) => pattern.matches(read, fold)),
        cost: 10 + pattern.size,
        sentence: `matches /${pattern.source}/`,
        plain: "matches a pattern",
        ...(literals && { literals }),
        ...orNone([...hintsOfPattern(pattern.source), ...hintsOfQuotes(pattern.source)]),
      };
    }),
};

/** The same text, ignoring case. Look-alike letters count as different: only the name itself equals a name. */
const eq: TestKind<TextTest> = {
  name: "eq",
  schema: () =>
    Wanted.transform((wanted): TextTest => {
      const { folded } = readText(wanted);
      return {
        holds: (text) => text.folded === folded,
        cost: 1,
        sentence: `is ${JSON.stringify(wanted)}`,
        literals: [folded],
        ...orNone(hintsOfQuotes(wanted)),
      };
    }),
};

const ne: TestKind<TextTest> = {
  name: "ne",
  schema: () =>
    Wanted.transform((wanted): TextTest => {
      const { folded } = readText(wanted);
      return {
        holds: (text) => text.folded !== folded,
        cost: 1,
        sentence: `is not ${JSON.stringify(wanted)}`,
      };
    }),
};

const isIn: TestKind<TextTest> = {
  name: "in",
  schema: () =>
    z
      .array(Wanted)
      .min(1)
      .max(1000)
      .transform((wanted): TextTest => {
        const folded = new Set(wanted.map((text) => readText(text).folded));
        return {
          holds: (text) => folded.has(text.folded),
          cost: 1,
          sentence: `is one of ${showSome(wanted)}`,
          literals: [...folded],
          ...orNone(wanted.flatMap(hintsOfQuotes)),
        };
      }),
};

const inList: TestKind<TextTest> = {
  name: "in_list",
  schema: (lists) =>
    listNamed(lists, "text", "name").transform(({ name, list: { texts } }): TextTest => ({
      holds: (text) => texts.has(text.folded),
      cost: 1,
      sentence: `is in the list ${name}`,
      literals: [...texts],
      lists: [name],
      ...(texts.size === 0 && { never: emptyList(name) }),
    })),
};

/** All tests for texts. */
export const textTests = [contains, startsWith, matches, eq, ne, isIn, inList, containsInList];
