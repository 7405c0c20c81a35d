import { describe, expect, it } from "vitest";
import { foldLetters, foldPattern, type Fold } from "../../../src/rules/text/fold.ts";
import { PatternText } from "../../../src/rules/text/pattern.ts";

describe("what is looked for in a folded text", () => {
  it.each<[string, Fold, string]>([
    ["réclamez ø", "exact", "réclamez ø"],
    ["réclamez ø й", "bare", "reclamez o й"],
    ["wallet", "shape", "waiet"],
    ["réfill", "bareShape", "refi"],
  ])("%j is folded (%s) to %j", (text, fold, expected) => {
    expect(foldLetters(text, fold)).toBe(expected);
  });

  it.each<[string, Fold, string | undefined]>([
    ["(?i)Réclamez", "exact", "(?i)Réclamez"],
    ["(?i)Réclamez [éà-ü]", "bare", "(?i)Reclamez [eà-ü]"],
    [String.raw`\bfree\b.{0,20}\bwallet\.`, "shape", String.raw`\bfre\b.{0,20}\bwaiet\.`],
    ["(?P<all>all|[lk]l?)", "shape", "(?P<all>ai|[ik]i?)"],
    [String.raw`bb?\ll`, "shape", String.raw`bb?\li`],
    ["[[:alpha:]l-n]", "shape", "[[:alpha:]l-n]"],
    ["SELL", "shape", "SEI"],
    ["lol{2}", "shape", "ioi{2}"],
    ["gooo+al", "shape", undefined],
    ["noo+", "shape", undefined],
    [String.raw`\Qall\E`, "bare", undefined],
  ])("the pattern %j is folded (%s) to %j", (source, fold, expected) => {
    expect(foldPattern(source, fold)).toBe(expected);
  });

  it("a pattern that has no folded form matches none", () => {
    const pattern = PatternText.parse("[ÿ-Ā]");
    expect([pattern.matches("ÿ"), pattern.matches("y", "bare")]).toEqual([true, false]);
    expect(PatternText.parse("gooo+al").matches("goal", "shape")).toBe(false);
  });
});
