import { z } from "zod";
import { cutText } from "../../text/message-text.ts";
import { Count, numberTests, type NumberTest } from "../comparisons/number-tests.ts";
import { oneOf, type TestKind } from "../comparisons/one-of.ts";
import type { TextTest } from "../comparisons/text-tests.ts";
import { unknown, type Clues, type ConditionKind, type Leaf, type Reading } from "../evaluate/condition.ts";
import type { Occurrence } from "../evaluate/occurrence.ts";
import type { Facts, Need } from "../facts/fact.ts";
import type { RuleText } from "../text/rule-text.ts";

/** The value that a condition reads: part of the event, or a fact. */
export interface Field<V> {
  needs: readonly Need[];
  read(occurrence: Occurrence, facts: Facts): { value: V | Unknown; from?: Pick<Reading, "source" | "at"> };
}

/** Why a field cannot be read; for a number, `atLeast` is the part that is known. */
export interface Unknown {
  why: string;
  atLeast?: number;
}

export function notKnown(why: string, atLeast?: number): Unknown {
  return atLeast === undefined ? { why } : { why, atLeast };
}

function isUnknown(value: unknown): value is Unknown {
  return typeof value === "object" && value !== null && "why" in value;
}

export function eventField<V>(read: (occurrence: Occurrence) => V | Unknown): Field<V> {
  return { needs: [], read: (occurrence) => ({ value: read(occurrence) }) };
}

/** A fact, or a value derived from it; unknown as long as the fact is. */
export function factField<T>(need: Need<T>): Field<T>;
export function factField<T, V>(
  need: Need<T>,
  derive: (fact: T, occurrence: Occurrence) => V | Unknown,
): Field<V>;
export function factField(
  need: Need,
  derive: (fact: unknown, occurrence: Occurrence) => unknown = (fact) => fact,
): Field<unknown> {
  return {
    needs: [need],
    read(occurrence, facts) {
      const fact = facts.read(need);
      const from = { source: fact.source, at: fact.at };
      return { value: fact.known ? derive(fact.value, occurrence) : notKnown(fact.why), from };
    },
  };
}

type Named = Pick<ConditionKind, "name" | "events">;

/** A condition with the value true or false. */
export function flagCondition({
  name,
  events,
  yes,
  no,
  field,
}: Named & {
  /** Sentences: "the author is a member". */
  yes: string;
  no: string;
  field: Field<boolean>;
}): ConditionKind {
  const schema = z.boolean().transform((wanted): Leaf => {
    const value = wanted ? 1 : 0;
    const range = { of: name, from: value, to: value, least: 0, most: 1 };
    return { ...flagLeaf(wanted ? yes : no, field, wanted), range };
  });
  return { name, events, sources: sourcesOf(field), schema: () => schema };
}

/** Holds if a flag equals `wanted`. */
export function flagLeaf(sentence: string, field: Field<boolean>, wanted = true): Leaf {
  return {
    needs: field.needs,
    cost: 1,
    sentence,
    read(occurrence, facts) {
      const { value, from } = field.read(occurrence, facts);
      if (isUnknown(value)) return unknown(value.why, from);
      return { truth: value === wanted, value, ...from };
    },
  };
}

/** A condition with exactly one test of a number; if there is no number (null), no test holds. */
export function numberCondition({
  name,
  events,
  called,
  field,
  tests = numberTests(Count),
  show,
  clues,
  least = 0,
  most = Infinity,
}: Named & {
  /** Its name in a sentence: "the text's length". */
  called: string;
  field: Field<number | null>;
  tests?: readonly TestKind<NumberTest>[];
  /** The number in words, if digits alone would be unclear. */
  show?: (value: number) => string;
  /** What an event must contain for the number to be other than 0. */
  clues?: Clues;
  /** The smallest possible number. */
  least?: number;
  most?: number;
}): ConditionKind {
  return {
    name,
    events,
    sources: sourcesOf(field),
    schema: (lists) =>
      oneOf(tests, lists, (test) => ({
        ...numberLeaf(called, field, test, show),
        range: { of: called, from: test.range[0], to: test.range[1], least, most },
        ...(clues && !test.holds(0) && { clues }),
      })),
  };
}

/** Restricts the leaf to events that can contain what it looks for, as `clues` says too; for others it is false. */
export function leafWhere(leaf: Leaf, clues: Clues, canHave: (occurrence: Occurrence) => boolean): Leaf {
  return {
    ...leaf,
    clues,
    read: (occurrence, facts) =>
      canHave(occurrence) ? leaf.read(occurrence, facts) : { truth: false, value: null },
  };
}

/** Applies a test to a number. */
export function numberLeaf(
  called: string,
  field: Field<number | null>,
  test: NumberTest,
  show: (value: number) => string | number = (value) => value,
): Leaf {
  return {
    needs: field.needs,
    cost: 1,
    sentence: `${called} ${test.sentence}`,
    ...(test.lists && { lists: test.lists }),
    ...(test.never !== undefined && { never: test.never }),
    read(occurrence, facts) {
      const { value, from } = field.read(occurrence, facts);
      if (value === null) return { truth: false, value, ...from };
      if (!isUnknown(value)) return { truth: test.holds(value), value: show(value), ...from };
      const { why, atLeast } = value;
      if (atLeast === undefined || !test.rising || !test.holds(atLeast)) return unknown(why, from);
      return { truth: true, value: show(atLeast), ...from };
    },
  };
}

/** A condition with exactly one test of a text; of several texts, any may pass. */
export function textCondition({
  name,
  events,
  called,
  field,
  tests,
  prefiltered = false,
  isPossible = () => true,
  never,
}: Named & {
  /** Its name in a sentence: "the text". */
  called: string;
  field: Field<readonly RuleText[]>;
  tests: readonly TestKind<TextTest>[];
  /** Whether the prefilter searches the same texts. */
  prefiltered?: boolean;
  /** Whether such a text can contain a literal, and the remark on a test for which it cannot. */
  isPossible?: (literal: string) => boolean;
  never?: string;
}): ConditionKind {
  return {
    name,
    events,
    sources: [...sourcesOf(field), ...tests.flatMap(({ sources = [] }) => sources)],
    schema: (lists) =>
      oneOf(tests, lists, (test): Leaf => ({
        needs: [...field.needs, ...(test.needs ?? [])],
        cost: test.cost,
        sentence: `${called} ${test.sentence}`,
        ...(test.plain !== undefined && { plain: `${called} ${test.plain}` }),
        ...(test.lists && { lists: test.lists }),
        ...(test.literals && !test.literals.some(isPossible) && { never }),
        ...(test.never !== undefined && { never: test.never }),
        ...(test.hints && { hints: test.hints }),
        ...(prefiltered && test.literals && { clues: { literals: test.literals } }),
        read(occurrence, facts) {
          const { value, from } = field.read(occurrence, facts);
          if (isUnknown(value)) return unknown(value.why, from);
          return { ...testTexts(called, value, (text) => test.holds(text, occurrence, facts)), ...from };
        },
      })),
  };
}

/** How much of a text is shown, in code points. */
const maxShown = 300;

function testTexts(
  called: string,
  texts: readonly RuleText[],
  holds: (text: RuleText) => ReturnType<TextTest["holds"]>,
): Reading {
  let why: string | undefined;
  for (const text of texts) {
    const held = holds(text);
    if (held === true) return { truth: true, value: cutText(text.raw, maxShown) };
    if (held !== false && "readAs" in held)
      return { truth: true, value: cutText(text.raw, maxShown), readAs: held.readAs };
    if (held !== false) why ??= held.why;
    else if (text.cut) why ??= `${called} is long, and only its first part was read`;
  }
  if (why !== undefined) return unknown(why);
  const shown = texts.map((text) => text.raw).join(", ");
  return { truth: false, value: texts.length > 0 ? cutText(shown, maxShown) : null };
}

function sourcesOf({ needs }: Field<unknown>) {
  return needs.map(({ source }) => source);
}
