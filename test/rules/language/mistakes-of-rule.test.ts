import { expect, it } from "vitest";
import { AppError } from "../../../src/errors.ts";
import { textBefore } from "../../../src/rules/language/edit-file.ts";
import { mistakesOfRule } from "../../../src/rules/language/mistakes-of-rule.ts";

const file = `version: 1
rules:
  - id: first
    on: [cast.created]
  - id: second
    mode: loud
  - id: third
`;

it("places mistakes in the rule as it stands alone, and says which are elsewhere", () => {
  const refusal = new AppError("invalid_file", "The rules have 4 mistakes.", {
    mistakes: [
      { path: "line 3, column 9", message: "rules[0].id: is taken" },
      { path: "line 5, column 5", message: "rules[1]: is missing: then" },
      { path: "line 6, column 11", message: "rules[1].mode: must be one of off, shadow" },
      { path: "line 7, column 5", message: "rules[2]: is missing: on" },
    ],
  });
  const before = textBefore(file, "second");
  const { code, message, mistakes } = mistakesOfRule(refusal, {
    before,
    written: "id: second\nmode: loud\n",
  });
  expect({ code, message }).toEqual({ code: "invalid_file", message: "The rules have 4 mistakes." });
  expect(mistakes).toEqual([
    { path: "elsewhere in the file, line 3, column 9", message: "rules[0].id: is taken" },
    { path: "line 1, column 1", message: "is missing: then" },
    { path: "line 2, column 7", message: "mode: must be one of off, shadow" },
    { path: "elsewhere in the file, line 7, column 5", message: "rules[2]: is missing: on" },
  ]);
});
