import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { codeBlock, escapeText, inlineCode } from "../../src/text/escape.ts";

const hostile = [
  ...Array.from("ab1 \n\\/*_~`|<>@#[]():.-!"),
  "https://",
  "www.",
  "```",
  "\u202e",
  "\u200d",
  "\ud800",
  "👍",
];

describe("what a stranger wrote", () => {
  test.each([
    ["@everyone", String.raw`\@everyone`],
    ["<@123> <#1> <t:0> </ban:1>", String.raw`\<\@123\> \<\#1\> \<t\:0\> \</ban\:1\>`],
    ["**bold** __u__ ||spoiler||", String.raw`\*\*bold\*\* \_\_u\_\_ \|\|spoiler\|\|`],
    ["[click](x)", String.raw`\[click\]\(x\)`],
    ["see https://evil.test/a_b now", "see `https://evil.test/a_b` now"],
    ["discord.gg/abc", "`discord.gg/abc`"],
    ["a\u202egnp\u200b.exe", String.raw`agnp\.exe`],
    ["line\nbreak\u0000", "line break"],
    ["👨‍👩‍👧 ❤️ a\u200db", "👨‍👩‍👧 ❤️ ab"],
    ["z\u0300\u0300\u0300\u0300\u0300\u0300\u0300", "z\u0300\u0300\u0300\u0300"],
  ])("%j becomes %j", (text, escaped) => {
    expect(escapeText(text)).toBe(escaped);
  });

  test("cannot leave code style", () => {
    expect(inlineCode("a`b``c\nd")).toBe("`aˋbˋˋc d`");
    expect(codeBlock("x\n```\n@everyone")).toBe("```\nx\nˋˋˋ\n@everyone\n```");
    expect(inlineCode("")).toBe("` `");
  });

  test("is cut before it is written out", () => {
    expect(escapeText("a".repeat(400))).toHaveLength(300);
    expect(escapeText("*".repeat(400))).toHaveLength(599);
  });

  test("has no mark-up character outside code that is not written out, whatever it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...hostile), maxLength: 80 }), (text) => {
        const outside = escapeText(text).replace(/\\.|`[^`]*`/gsu, "");
        expect(outside).not.toMatch(/[\\*_~`|<>@#[\]():]|\p{Surrogate}/u);
        expect(codeBlock(text).slice(4, -4)).not.toContain("`");
      }),
    );
  });
});
