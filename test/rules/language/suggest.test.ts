import { describe, expect, it } from "vitest";
import { suggest } from "../../../src/rules/language/suggest.ts";

describe("a suggestion", () => {
  it.each([
    ["mdoe", "mode"],
    ["modes", "mode"],
    ["Mode", "mode"],
    ["chanels", "channels"],
  ])("for %s is %s", (written, meant) => {
    expect(suggest(written, ["mode", "channels", "then"])).toBe(`; did you mean "${meant}"?`);
  });

  it("is not made for what resembles nothing", () => {
    expect(suggest("colour", ["mode", "channels", "then"])).toBe("");
  });
});
