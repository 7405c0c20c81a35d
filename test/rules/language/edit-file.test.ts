import { describe, expect, it } from "vitest";
import { appendRules, cutRule, exemptFromRule, replaceRule } from "../../../src/rules/language/edit-file.ts";

const file = `# ours
version: 1
rules:
  - id: a # first
    on: [cast.created]

    then: [{hide: {}}]

  # the second
  - id: b
    then: [{pin: {}}]
`;

describe("one rule of a file", () => {
  it("is cut out as it is written, with its own comments and without the file's indent", () => {
    expect(cutRule(file, "a")).toBe("id: a # first\non: [cast.created]\n\nthen: [{hide: {}}]");
    expect(cutRule(file, "b")).toBe("id: b\nthen: [{pin: {}}]");
    expect(cutRule('{"rules": [{"id": "a", "then": []}]}', "a")).toBe('{"id": "a", "then": []}');
  });

  it("is replaced, and nothing else is changed", () => {
    expect(replaceRule(file, "a", "id: a\n\non: []")).toBe(`# ours
version: 1
rules:
  - id: a

    on: []

  # the second
  - id: b
    then: [{pin: {}}]
`);
    expect(replaceRule(file, "b", "\n  id: b\r\nthen: []\rstop: true \n")).toBe(
      file.replace("    then: [{pin: {}}]", "    then: []\n    stop: true"),
    );
    expect(replaceRule('{"rules": [{"id": "a"}]}', "a", '{"id": "z"}')).toBe('{"rules": [{"id": "z"}]}');
  });

  it("comes back unchanged when what was cut is put back", () => {
    for (const source of [file, `${file}\n\n`, file.trimEnd()])
      for (const id of ["a", "b"]) expect(replaceRule(source, id, cutRule(source, id))).toBe(source);
  });

  it.each([
    ["rules:\n  - id: a\n", 'There is no rule "c".'],
    ["rules:\n  - c\n", 'There is no rule "c".'],
    ["rules: c\n", "The file has no list of rules."],
    ["version: 1\n", "The file has no list of rules."],
  ])("is not found in %j: %s", (source, message) => {
    for (const change of [() => cutRule(source, "c"), () => replaceRule(source, "c", "id: c")]) {
      expect(change).toThrow(expect.objectContaining({ code: "invalid_input", message }));
    }
  });
});

describe("rules added to a file", () => {
  const added = [
    { entry: { id: "x", then: [{ hide: {} }] }, comment: "Hides" },
    { entry: { id: "y" }, comment: "Waits" },
  ];

  it("stand after its own, each under its comment", () => {
    expect(appendRules("version: 1\n# ours\nrules:\n  - id: a\n", added)).toBe(`version: 1
# ours
rules:
  - id: a
  # Hides
  - id: x
    then:
      - hide: {}
  # Waits
  - id: y
`);
  });

  it("write what occurs twice twice, because an alias is not read", () => {
    const link = { "text.links": { gte: 1 } };
    const entry = { id: "x", when: { all: [link, { not: link }] } };
    expect(appendRules("version: 1\nrules: []\n", [{ entry, comment: "Twice" }])).not.toMatch(/[&*]a1/);
  });

  it.each(["version: 1\nrules: []\n", "version: 1\nrules:\n", "version: 1\n"])(
    "begin the list where there is none yet: %j",
    (source) => {
      expect(appendRules(source, added.slice(1))).toBe("version: 1\nrules:\n  # Waits\n  - id: y\n");
    },
  );

  it("leave JSON JSON, which has no comments", () => {
    const changed = appendRules(' {"version": 1, "rules": [{"id": "a"}]}', added);
    expect(JSON.parse(changed)).toEqual({
      version: 1,
      rules: [{ id: "a" }, ...added.map(({ entry }) => entry)],
    });
    expect(changed).toContain('\n  "version": 1,\n');
    expect(changed.endsWith("}\n")).toBe(true);
  });

  it("do not fold long lines, nor space brackets", () => {
    const text = `version: 1\nrules:\n  - id: ${"long ".repeat(40)}end\n    on: [a, b]\n`;
    expect(appendRules(text, [])).toBe(text);
  });
});

describe("an exemption of a rule", () => {
  const not = { text: { contains: "docs" } };
  const ruled = (when: string) =>
    `# ours\nrules:\n  - id: a # first\n    when: ${when} # why\n    then: [{hide: {}}]\n`;

  it("stands beside what the rule asks, whose comments stay", () => {
    expect(exemptFromRule(ruled("{text: {contains: x}}"), "a", not)).toBe(`# ours
rules:
  - id: a # first
    when:
      all:
        - {text: {contains: x}} # why
        - not:
            text:
              contains: docs
    then: [{hide: {}}]
`);
  });

  it("is one more of all that the rule asks", () => {
    const changed = exemptFromRule(ruled("{all: [{text: {contains: x}}, {is_reply: true}]}"), "a", not);
    expect(changed).toContain(
      "{all: [{text: {contains: x}}, {is_reply: true}, {not: {text: {contains: docs}}}]}",
    );
  });

  it("is refused for a rule that is not there, or asks nothing", () => {
    const refusal = expect.objectContaining({ code: "invalid_input" });
    expect(() => exemptFromRule(ruled("{}"), "b", not)).toThrow(refusal);
    expect(() => exemptFromRule("rules:\n  - id: a\n", "a", not)).toThrow(refusal);
  });
});
