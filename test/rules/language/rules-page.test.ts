import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { actionKinds } from "../../../src/rules/actions/action-kinds.ts";
import { conditionKinds } from "../../../src/rules/conditions/index.ts";
import { parseRules } from "../../../src/rules/language/parse-rules.ts";
import { ruleEvents } from "../../../src/rules/evaluate/occurrence.ts";

const page = readFileSync(new URL("../../../docs/guide/rules.md", import.meta.url), "utf8");

it("docs/guide/rules.md names every event, condition and action", () => {
  const names = [...ruleEvents, ...[...conditionKinds, ...actionKinds].map(({ name }) => name)];
  expect(names.filter((name) => !new RegExp(`\`[{]?${name.replaceAll(".", "\\.")}\\b`).test(page))).toEqual(
    [],
  );
});

it("its example is a rule file without mistakes", () => {
  const [, example = ""] = /```yaml\n([\s\S]*?)```/.exec(page) ?? [];
  expect(parseRules(example).rules.map(({ id }) => id)).toEqual([
    "scam-links",
    "escalate",
    "flood",
    "impostor",
    "tidy",
  ]);
});
