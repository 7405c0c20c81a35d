import { z } from "zod";
import { showSome, type TestKind } from "./one-of.ts";

/** A number as written: 5, or "7d" for seconds. */
interface Quantity {
  value: number;
  text: string;
}

/** A test of a number with its parameter. */
export interface NumberTest {
  holds(value: number): boolean;
  /** Continues "the text's length": "is 5 or more". */
  sentence: string;
  /** The smallest and the largest number for which it can hold. */
  range: readonly [from: number, to: number];
  /** If it holds for a number, it holds for every larger one. */
  rising: boolean;
  /** The file's lists that it uses. */
  lists?: readonly string[];
  /** Why it can never hold. */
  never?: string;
}

const comparisons: Record<
  string,
  {
    words: (text: string) => string;
    holds: (value: number, wanted: number) => boolean;
    /** For whole numbers only. */
    range: (wanted: number) => readonly [from: number, to: number];
  }
> = {
  eq: {
    words: (text) => `is ${text}`,
    holds: (value, wanted) => value === wanted,
    range: (wanted) => [wanted, wanted],
  },
  ne: {
    words: (text) => `is not ${text}`,
    holds: (value, wanted) => value !== wanted,
    range: () => [-Infinity, Infinity],
  },
  lt: {
    words: (text) => `is less than ${text}`,
    holds: (value, wanted) => value < wanted,
    range: (wanted) => [-Infinity, wanted - 1],
  },
  lte: {
    words: (text) => `is at most ${text}`,
    holds: (value, wanted) => value <= wanted,
    range: (wanted) => [-Infinity, wanted],
  },
  gt: {
    words: (text) => `is more than ${text}`,
    holds: (value, wanted) => value > wanted,
    range: (wanted) => [wanted + 1, Infinity],
  },
  gte: {
    words: (text) => `is at least ${text}`,
    holds: (value, wanted) => value >= wanted,
    range: (wanted) => [wanted, Infinity],
  },
};
const rising = new Set(["gt", "gte"]);

/** Every test for numbers written like `quantity`. */
export function numberTests(quantity: z.ZodType<Quantity>): TestKind<NumberTest>[] {
  const compared = Object.entries(comparisons).map(([name, { words, holds, range }]) => ({
    name,
    schema: () =>
      quantity.transform(({ value: wanted, text }): NumberTest => ({
        holds: (value) => holds(value, wanted),
        sentence: words(text),
        range: range(wanted),
        rising: rising.has(name),
      })),
  }));
  const between = z.tuple([quantity, quantity]).transform(([from, to], context): NumberTest => {
    if (from.value <= to.value) {
      const holds = (value: number) => value >= from.value && value <= to.value;
      const sentence = `is between ${from.text} and ${to.text}`;
      return { holds, sentence, range: [from.value, to.value], rising: false };
    }
    const message = "must be the smaller, then the larger";
    context.issues.push({ code: "custom", message, input: undefined });
    return z.NEVER;
  });
  const isIn = z
    .array(quantity)
    .min(1)
    .max(1000)
    .transform((wanted): NumberTest => {
      const values = new Set(wanted.map(({ value }) => value));
      const sentence = `is one of ${showSome(wanted.map(({ text }) => text))}`;
      const range = [Math.min(...values), Math.max(...values)] as const;
      return { holds: (value) => values.has(value), sentence, range, rising: false };
    });
  return [...compared, { name: "between", schema: () => between }, { name: "in", schema: () => isIn }];
}

/** For a count, after a colon. */
export function orMore(least: number): NumberTest {
  return {
    holds: (count) => count >= least,
    sentence: `${least} or more`,
    range: [least, Infinity],
    rising: true,
  };
}

/** A whole number. */
export const Count = z
  .int()
  .min(0)
  .transform((value): Quantity => ({ value, text: String(value) }));
