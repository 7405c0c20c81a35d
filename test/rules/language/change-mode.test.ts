import { describe, expect, it } from "vitest";
import { changeMode } from "../../../src/rules/language/edit-file.ts";
import { parseRules } from "../../../src/rules/language/parse-rules.ts";
import { rule } from "../../support/rules.ts";

describe("changing a rule's mode in its file", () => {
  it("keeps everything else, comments too", () => {
    const yaml = `# ours\nversion: 1\nrules:\n  - id: a # first\n    mode: shadow\n    on: [cast.created]\n    when: {text: {contains: x}}\n    then: [{hide: {}}]\n`;
    expect(changeMode(yaml, ["a"], "enforce")).toBe(yaml.replace("mode: shadow", "mode: enforce"));
  });

  it("adds the mode where it was left to the default, and leaves JSON JSON", () => {
    const json = JSON.stringify({
      version: 1,
      rules: [rule({ id: "x" }), rule({ id: "a", mode: undefined })],
    });
    const changed = changeMode(json, ["a"], "off");
    expect(JSON.parse(changed)).toMatchObject({ rules: [{ mode: "enforce" }, { id: "a", mode: "off" }] });
    expect(parseRules(changed).rules.map(({ mode }) => mode)).toEqual(["off", "enforce"]);
  });

  it("refuses a rule that is not there", () => {
    expect(() => changeMode("version: 1\nrules: []\n", ["a"], "off")).toThrow(
      expect.objectContaining({ code: "invalid_input", message: 'There is no rule "a".' }),
    );
    expect(() => changeMode("version: 1\n", ["a"], "off")).toThrow("The file has no list of rules.");
  });
});
