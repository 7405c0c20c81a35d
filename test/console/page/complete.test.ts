import { expect, it, test } from "vitest";
import { complete } from "../../../src/console/page/rules/complete.ts";
import { makeRuleSchema } from "../../../src/rules/language/rule-schema.ts";

const schema = makeRuleSchema();

/** What is offered where "|" stands. */
function offered(text: string, within: string[] = []): string[] {
  const caret = text.indexOf("|");
  const found = complete(schema, within, text.replace("|", ""), caret);
  return found?.choices.map(({ insert }) => insert) ?? ["nothing"];
}

test.each([
  ["|", "version: "],
  ["ver|", "version: "],
  ["defaults: {mo|", "mode: "],
  ["defaults: {mode: sha|", "shadow"],
  ["defaults:\n  mode: rev|", "review"],
  ["defaults: {exempt: [owner, mod|", "moderators"],
  ["lists:\n  bad:\n    type: dom|", "domain"],
  ["rules:\n  - i|", "id: "],
  ["rules:\n  - id: a\n    mod|", "mode: "],
  ["rules:\n- id: a\n  mode: enf|", "enforce"],
  ["rules:\n  - id: a\n    on: [cast.cr|", "cast.created"],
  ["rules:\n  - id: a\n    on: |", "[cast.created"],
  ["rules:\n  - id: a\n    on:\n      - pin|", "pin.changed"],
  ["rules:\n  - id: a\n    when: {te|", "text: "],
  ["rules:\n  - id: a\n    when: {text: {cont|", "contains: "],
  ["rules:\n  - id: a\n    when:\n      all:\n        - author.is|", "author.is_member: "],
  ["rules:\n  - id: a\n    when:\n      all:\n        - author.is_member: t|", "true"],
  ["rules:\n  - id: a\n    when: {all: [{text: {contains: x}}, {emb|", "embed.domain: "],
  ["rules:\n  - id: a\n    when:\n      all:\n        - any: [{not: {na|", "name: "],
  ["rules:\n  - id: a\n    then: |", "[{hide: "],
  ["rules:\n  - id: a\n    then: [{ban: {f|", "for: "],
  ["rules:\n  - id: a\n    then:\n      - st|", "strike: "],
  ["rules:\n  - id: a\n    when: {text: {contains: 'a {b: ['}}\n    limits: {brea|", "breaker: "],
  ["rules:\n  - id: a\n    when:\n      {any: [\n        {te|", "text: "],
])("at %j it offers %j first", (text, first) => {
  expect(offered(text)[0]).toBe(first);
});

test.each([
  "# ver|",
  'rules: [{id: "mo|',
  "rules:\n  - id: a # mo|",
  "nothing: {known: he|",
  "{\n  mode: off\n}|",
  "rules: []\n}|",
])("at %j it offers nothing", (text) => {
  expect(offered(text).filter((one) => one !== "nothing")).toEqual([]);
});

it("reads one rule by itself by its own part of the schema", () => {
  expect(offered("id: a\nmo|", ["rules", "[]"])[0]).toBe("mode: ");
});

it("says what each key takes", () => {
  const { choices = [] } = complete(schema, [], "defaults: {m", 12) ?? {};
  expect(choices[0]).toMatchObject({ label: "mode", detail: "off | shadow | review | enforce" });
});
