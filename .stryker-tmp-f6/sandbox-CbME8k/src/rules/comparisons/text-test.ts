// @ts-nocheck
import { z } from "zod";
import type { Ask, Facts } from "../evaluate/fact.ts";
import type { Occurrence } from "../evaluate/occurrence.ts";
import { whenComplete, type NeedsLists } from "../language/rule-list.ts";
import type { RuleText } from "../text/rule-text.ts";

/** A test of a text with its parameter. */
export interface TextTest {
  /** `why` where it cannot be known. */
  holds(text: RuleText, occurrence: Occurrence, facts: Facts): boolean | { why: string };
  asks?: readonly Ask<unknown>[];
  cost: number;
  /** Continues "the text": 'contains "airdrop"'. */
  sentence: string;
  /** One of these is in every text that passes: in lower case, or read as Latin. Absent where that cannot be said. */
  literals?: readonly string[];
}

/** A kind of test: one file each. */
export interface TextTestKind {
  name: string;
  schema: z.ZodType<TextTest | NeedsLists<TextTest>>;
}

export type OneOfTests<T extends object> = readonly { name: string; schema: z.ZodType<T | NeedsLists<T>> }[];

/** A map with exactly one of several tests, made into what `make` makes of that test. */
export function oneOf<T extends object, R extends object>(
  tests: OneOfTests<T>,
  make: (test: T) => R,
): z.ZodType<R | NeedsLists<R>> {
  const parameters = z.strictObject(
    Object.fromEntries(tests.map((test) => [test.name, test.schema.optional()])),
  );
  return parameters.transform((given, context) => {
    // An unknown key was found; that a test is missing would only repeat it.
    if (context.issues.length > 0) return z.NEVER;
    const wanted = Object.entries(given).flatMap(([name, test]) => (test ? [{ name, test }] : []));
    const [found, ...others] = wanted;
    if (!found || others.length > 0) {
      const message = `needs exactly one of ${tests.map((test) => test.name).join(", ")}`;
      context.issues.push({ code: "custom", message, input: given });
      return z.NEVER;
    }
    return whenComplete(found.test, make, found.name);
  });
}

const one = z.string().min(1).max(500);

/** What a test compares with: a text. */
export const WantedText = one;
/** Or several. */
export const WantedTexts = z.array(one).min(1).max(1000);

/** The first of many values, for a sentence. */
export function showSome(values: readonly (string | number)[]): string {
  const rest = values.length > 5 ? `, … (${values.length})` : "";
  return `${values.slice(0, 5).join(", ")}${rest}`;
}
