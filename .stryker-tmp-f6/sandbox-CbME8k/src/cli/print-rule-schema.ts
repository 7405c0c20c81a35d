// @ts-nocheck
import { makeRuleSchema } from "../rules/language/rule-schema.ts";

/** Writes the JSON Schema of rule files. */
export function printRuleSchema(out: NodeJS.WritableStream): void {
  out.write(`${JSON.stringify(makeRuleSchema(), null, 2)}\n`);
}
