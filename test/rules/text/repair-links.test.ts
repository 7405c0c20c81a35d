import { describe, expect, it } from "vitest";
import { repairLinks } from "../../../src/rules/text/repair-links.ts";
import { countLinks, domainsOf } from "../../../src/rules/text/web-links.ts";
import { readText } from "../../../src/rules/text/rule-text.ts";
import { castCreated } from "../../support/rules.ts";

describe("a broken link", () => {
  it.each([
    ["hxxps://a[.]example/x", "https://a.example/x"],
    ["hXXp://a.b[.]example", "http://a.b.example"],
    ["h**ps://a(.)example", "https://a.example"],
    ["https[:]//a{.}example", "https://a.example"],
    ["https:\\\\a.example", "https://a.example"],
    ["go to free-mint[dot]example now", "go to https://free-mint.example now"],
    ["a [.] example", "https://a.example"],
    ["https:// a(dot)example", "https://a.example"],
  ])("%j is made whole", (broken, whole) => {
    expect(repairLinks(broken)).toBe(whole);
    expect(countLinks({ cast: null, text: readText(broken) })).toBe(1);
  });

  it.each([
    "see [1] and (2).",
    "the dot com bubble",
    "f(.5) and a[.5]",
    "https://a.example/b[.]c",
    "x[.]1",
    "[.]example",
  ])("%j is none", (text) => {
    expect(repairLinks(text)).toBe(text);
  });

  it("leads to its domain", () => {
    expect(domainsOf(castCreated("hxxps://claim[.]evil(dot)example/a"))).toEqual(["claim.evil.example"]);
  });
});
