import { z } from "zod";
import { unknown, type ConditionKind, type Leaf } from "../condition.ts";
import type { Occurrence } from "../occurrence.ts";
import type { RuleText } from "../rule-text.ts";
import type { TextTestKind } from "../tests/text-test.ts";

interface Declaration {
  name: string;
  events: ConditionKind["events"];
  tests: readonly TextTestKind[];
  read: (occurrence: Occurrence) => RuleText | null;
  /** Why there may be nothing to read. */
  absent: string;
}

/** A condition that puts exactly one of several tests to a text. */
export function textCondition({ name, events, tests, read, absent }: Declaration): ConditionKind {
  const parameters = z.strictObject(
    Object.fromEntries(tests.map((test) => [test.name, test.schema.optional()])),
  );
  const schema = parameters.transform((given, context): Leaf => {
    // An unknown key was found; that a test is missing would only repeat it.
    if (context.issues.length > 0) return z.NEVER;
    const [test, ...others] = Object.values(given).filter((test) => test !== undefined);
    if (test === undefined || others.length > 0) {
      const message = `needs exactly one of ${tests.map((test) => test.name).join(", ")}`;
      context.issues.push({ code: "custom", message, input: given });
      return z.NEVER;
    }
    return {
      asks: [],
      cost: test.cost,
      sentence: `the ${name} ${test.sentence}`,
      read: (occurrence) => {
        const text = read(occurrence);
        if (!text) return unknown(absent);
        if (test.holds(text)) return { truth: true, value: excerpt(text.raw) };
        if (text.cut) return unknown(`only the first part of this long ${name} was read`);
        return { truth: false, value: excerpt(text.raw) };
      },
    };
  });
  return { name, events, schema };
}

function excerpt(text: string): string {
  return text.length > 300 ? `${text.slice(0, 299)}…` : text;
}
