import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addToList, appendRules, emptyFile, removeFromList } from "../../../src/rules/language/edit-file.ts";
import { parseRules } from "../../../src/rules/language/parse-rules.ts";
import { ruleOfList, usualLists } from "../../../src/rules/starter/rule-of-list.ts";
import type { ListType } from "../../../src/rules/language/rule-list.ts";

const file = `# ours
version: 1
lists:
  scam: {type: domain, values: [a.example]} # bad ones
  words:
    type: text
    values:
      # greetings
      - gm # morning
      - "yes: no"
# what we do
rules:
  - id: a # first
    on: [cast.created]
    when: {embed.domain: {in_list: scam}}
    then: [{hide: {}}]
`;

const valuesOf = (source: string, name: string) => parseRules(source).lists.get(name)?.values;

describe("adding to a list", () => {
  it("adds at its end, and leaves comments, order and style of the file", () => {
    const flow = addToList(file, { name: "scam", type: "domain", values: ["b.example", "c.example"] });
    expect(flow).toBe(file.replace("[a.example]", "[a.example, b.example, c.example]"));
    const block = addToList(file, { name: "words", type: "text", values: ["gn"] });
    expect(block).toBe(file.replace(`- "yes: no"`, `- "yes: no"\n      - gn`));
  });

  it("makes a list beside the others, or before the rules, where it is not there", () => {
    const beside = addToList(file, { name: "people", type: "fid", values: [7] });
    expect(beside).toBe(
      file.replace("# what we do\n", "  people:\n    type: fid\n    values:\n      - 7\n# what we do\n"),
    );
    const first = addToList(emptyFile, { name: "people", type: "fid", values: [7] });
    expect(first).toBe(
      emptyFile.replace("rules:", "lists:\n  people:\n    type: fid\n    values:\n      - 7\nrules:"),
    );
  });

  it("writes what was empty with a line for each value, and keeps JSON JSON", () => {
    const empty = "version: 1\nlists: {words: {type: text, values: []}}\nrules: []\n";
    expect(valuesOf(addToList(empty, { name: "words", type: "text", values: ["gm"] }), "words")).toEqual([
      "gm",
    ]);
    const none = "version: 1\nlists: {}\nrules: []\n";
    expect(addToList(none, { name: "words", type: "text", values: ["gm"] })).toBe(
      "version: 1\nlists:\n  words:\n    type: text\n    values:\n      - gm\nrules: []\n",
    );
    const json = JSON.stringify({ version: 1, rules: [] });
    expect(JSON.parse(addToList(json, { name: "words", type: "text", values: ["gm"] }))).toEqual({
      version: 1,
      lists: { words: { type: "text", values: ["gm"] } },
      rules: [],
    });
  });

  it("reads back what was added, whatever signs it has in it", () => {
    const sign = fc.constantFrom(
      ..."- : # ' \" [ ] { } & * ! | > % @ ` , ? ~ = \\ \t é 測 🎁 a b 0 1 _ .".split(" "),
      " ",
    );
    const phrase = fc
      .oneof(
        fc.string({ unit: sign, minLength: 1, maxLength: 12 }),
        fc.constantFrom(
          "yes",
          "null",
          "~",
          "0x1f",
          "1e3",
          "2026-01-01",
          "<<",
          "---",
          "... x",
          "- a",
          "a: b",
          "#x",
          "!!str",
        ),
      )
      .filter((text) => text.trim() !== "");
    fc.assert(
      fc.property(
        fc.array(phrase, { minLength: 1, maxLength: 5 }),
        fc.constantFrom(file, emptyFile),
        (phrases, source) => {
          const added = addToList(source, { name: "words", type: "text", values: phrases });
          const before = valuesOf(source, "words") ?? [];
          expect(valuesOf(added, "words")).toEqual([...before, ...phrases]);
          const [first = ""] = phrases;
          const less = removeFromList(added, { name: "words", type: "text", values: [first] });
          expect(valuesOf(less, "words")).not.toContain(first);
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe("taking out of a list", () => {
  it("finds values as they are compared, and leaves the rest with its comments", () => {
    const less = removeFromList(file, { name: "words", type: "text", values: ["YES: no"] });
    expect(less).toBe(file.replace(`      - "yes: no"\n`, ""));
    const none = removeFromList(file, { name: "scam", type: "domain", values: ["A.example"] });
    expect(valuesOf(none, "scam")).toEqual([]);
  });

  it("refuses what is not there", () => {
    const missing = { name: "words", type: "text", values: ["gn"] } as const;
    expect(() => removeFromList(file, missing)).toThrow("None of these is in the list.");
    expect(() => removeFromList(file, { ...missing, name: "none" })).toThrow('There is no list "none".');
  });
});

describe("the simplest rule of a list", () => {
  it.each(Object.entries(usualLists))("of %s is a rule that can be read", (type, name) => {
    const { id, what, rule } = ruleOfList(name, type as ListType); // a key of the table
    const values = { domain: ["a.example"], text: ["gm"], fid: [7], name: ["ada"] }[type as ListType];
    const source = addToList(emptyFile, { name, type: type as ListType, values });
    const { rules, remarks } = parseRules(appendRules(source, [{ entry: { id, ...rule }, comment: what }]));
    expect(remarks).toEqual([]);
    expect(rules.map(({ mode, lists }) => [mode, Object.keys(lists)])).toEqual([["shadow", [name]]]);
  });
});
