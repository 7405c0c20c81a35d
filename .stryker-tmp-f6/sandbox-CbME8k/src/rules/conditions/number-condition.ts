// @ts-nocheck
import { unknown, type ConditionKind, type Leaf, type Reading } from "../evaluate/condition.ts";
import type { Ask, Facts } from "../evaluate/fact.ts";
import type { Occurrence } from "../evaluate/occurrence.ts";
import { Count, numberTests, type NumberTest } from "../comparisons/number-tests.ts";
import { oneOf, type OneOfTests } from "../comparisons/text-test.ts";

interface Declaration {
  name: string;
  /** What it is called in a sentence: "the text's length". */
  called: string;
  events: ConditionKind["events"];
  tests?: OneOfTests<NumberTest>;
  asks?: readonly Ask<unknown>[];
  read: (occurrence: Occurrence, facts: Facts) => Measured | Reading;
  /** The number in words, where digits alone would not say it. */
  show?: (value: number) => string;
}

/** A number, or null where there is none, for which no test holds. */
export interface Measured {
  measured: number | null;
  source?: string;
  at?: number;
  /** Why it may be larger. */
  missing?: string | undefined;
}

/** A condition that puts exactly one test to a number. */
export function numberCondition(declaration: Declaration): ConditionKind {
  const { name, events, tests = numberTests(Count) } = declaration;
  return { name, events, schema: oneOf(tests, (test) => measure(declaration, test)) };
}

/** The leaf that puts a test to a number. */
export function measure(
  { called, asks = [], read, show }: Pick<Declaration, "called" | "asks" | "read" | "show">,
  test: NumberTest,
): Leaf {
  return {
    asks,
    cost: 1,
    sentence: `${called} ${test.sentence}`,
    read: (occurrence, facts) => {
      const found = read(occurrence, facts);
      if (!("measured" in found)) return found;
      const { measured, missing, ...from } = found;
      if (measured === null) return { ...from, truth: false, value: null };
      const truth = test.holds(measured);
      if (missing !== undefined && !(truth && test.rising)) return unknown(missing);
      return { ...from, truth, value: show ? show(measured) : measured };
    },
  };
}

/** A number that a fact gives as it is. */
export function readNumber(ask: Ask<number> | Ask<number | null>) {
  return (_occurrence: Occurrence, facts: Facts): Measured | Reading => {
    const fact = facts.read<number | null>(ask);
    const { source, at } = fact;
    return fact.known ? { measured: fact.value, source, at } : unknown(fact.why, { source, at });
  };
}
