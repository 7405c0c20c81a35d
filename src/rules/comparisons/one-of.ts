import { z } from "zod";
import type { FactSource } from "../facts/fact.ts";
import type { RuleLists } from "../language/rule-list.ts";

/** A kind of test, for texts or numbers. */
export interface TestKind<T> {
  name: string;
  /** Parses its parameter, which may name lists of the file, into the test. */
  schema: (lists: RuleLists) => z.ZodType<T>;
  /** The sources of its facts. */
  sources?: readonly FactSource[];
}

/** A map with exactly one of several tests, passed through `make`. */
export function oneOf<T extends object, R>(
  tests: readonly TestKind<T>[],
  lists: RuleLists,
  make: (test: T) => R,
): z.ZodType<R> {
  const parameters = z.strictObject(
    Object.fromEntries(tests.map(({ name, schema }) => [name, schema(lists).optional()])),
  );
  return parameters.transform((given, context) => {
    // An unknown key was already reported; a second issue would only repeat it.
    if (context.issues.length > 0) return z.NEVER;
    const [test, ...others] = Object.values(given).filter((one) => one !== undefined);
    if (test && others.length === 0) return make(test);
    const message = `needs exactly one of ${tests.map(({ name }) => name).join(", ")}`;
    context.issues.push({ code: "custom", message, input: given });
    return z.NEVER;
  });
}

/** The first of many values, for a sentence. */
export function showSome(values: readonly (string | number)[]): string {
  const rest = values.length > 5 ? `, … (${values.length})` : "";
  return `${values.slice(0, 5).join(", ")}${rest}`;
}
