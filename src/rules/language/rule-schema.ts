import { z } from "zod";
import { actionKinds } from "../actions/action-kinds.ts";
import type { ConditionNode } from "../evaluate/condition.ts";
import { conditionKinds } from "../conditions/index.ts";
import { EventItemInput, ruleEntry, RuleFile } from "./rule-file.ts";

/** Conditions and actions as written, each a map with one key: `{text: …}`, `{hide: …}`. */
function oneKeyEach(kinds: readonly { name: string; schema: z.ZodType }[]): z.ZodType[] {
  return kinds.map(({ name, schema }) => z.strictObject({ [name]: schema }));
}

const Condition: z.ZodType<ConditionNode> = z.lazy(() =>
  z
    .union([
      z.strictObject({ all: z.array(Condition).min(1) }),
      z.strictObject({ any: z.array(Condition).min(1) }),
      z.strictObject({ not: Condition }),
      ...oneKeyEach(
        conditionKinds.map(({ name, schema }) => ({ name, schema: schema(new Map(), Condition) })),
      ),
    ])
    // Only what is written matters here: nothing is read by it.
    .transform((): ConditionNode => z.NEVER),
);

/** The JSON Schema (draft 7) of rule files, with which editors complete and check them. */
export function makeRuleSchema(): z.core.JSONSchema.JSONSchema {
  const entry = ruleEntry(new Map()).extend({
    on: z.array(EventItemInput).min(1),
    when: Condition.optional(),
    then: z.array(z.union(oneKeyEach(actionKinds))).min(1),
  });
  const file = RuleFile.extend({ rules: z.array(entry) });
  return {
    ...z.toJSONSchema(file, { io: "input", target: "draft-7" }),
    title: "Castellan rules",
    description: "Rules by which Castellan moderates channels",
  };
}
