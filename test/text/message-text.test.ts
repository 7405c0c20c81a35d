import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  codeBlock,
  countPoints,
  cutText,
  escapeText,
  fitLines,
  fitLinesOrCount,
  inlineCode,
  listSome,
  nameSome,
} from "../../src/text/message-text.ts";

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

const family = "👨‍👩‍👧";
const flag = "🇩🇪";
const letter = "e\u0301";
const pieces = [family, flag, letter, "👍🏽", "❤️", "한", "a", " ", "\n", "👍"];

describe("a text that is too long", () => {
  test.each([
    ["👍👍👍👍", 3, "👍👍…"],
    ["👍👍👍", 3, "👍👍👍"],
    [`ab${family}c`, 6, "ab…"],
    [`ab${family}c`, 8, `ab${family}c`],
    [`${flag}${flag}${flag}`, 4, `${flag}…`],
    [`${letter}${letter}`, 3, `${letter}…`],
    [`${letter}${letter}${letter}`, 4, `${letter}…`],
    ["abc", 0, ""],
    [`e${"\u0301".repeat(50)}`, 10, `e${"\u0301".repeat(8)}…`],
  ])("%j in %i points is %j", (text, maximum, cut) => {
    expect(cutText(text, maximum)).toBe(cut);
  });

  test("keeps whole characters, as many as fit, and says that it was cut", () => {
    const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...pieces), { maxLength: 60 }).map((list) => list.join("")),
        fc.integer({ min: 9, max: 60 }),
        (text, maximum) => {
          const cut = cutText(text, maximum);
          expect(Array.from(cut).length).toBeLessThanOrEqual(maximum);
          if (cut === text) return;
          const whole = Array.from(segmenter.segment(text), ({ segment }) => segment);
          const kept = Array.from(segmenter.segment(cut.slice(0, -1)), ({ segment }) => segment);
          expect(cut.endsWith("…")).toBe(true);
          expect(kept).toEqual(whole.slice(0, kept.length));
          expect(Array.from(whole.slice(0, kept.length + 1).join("")).length).toBeGreaterThanOrEqual(maximum);
        },
      ),
    );
  });
});

describe("lines that are too many", () => {
  test("are fitted whole, and the rest is counted", () => {
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index} 👍`);
    expect(fitLines(lines, 22)).toEqual({ text: "line 0 👍\nline 1 👍", fitted: 2 });
    expect(fitLines(["a".repeat(50)], 10)).toEqual({ text: `${"a".repeat(9)}…`, fitted: 1 });
    expect(fitLinesOrCount(lines.slice(0, 2), 22)).toBe("line 0 👍\nline 1 👍");
    const cut = fitLinesOrCount(lines, 60);
    expect(cut).toBe(`${lines.slice(0, 4).join("\n")}\n… and 26 more`);
    expect(countPoints(cut)).toBeLessThanOrEqual(60);
  });
});

describe("the first of several", () => {
  test("come with the number of the others", () => {
    const letters = ["a", "b", "c"];
    expect(nameSome(letters, 3)).toBe("a, b, c");
    expect(nameSome(letters, 1, (letter) => `/${letter}`)).toBe("/a and 2 more");
    expect(listSome(letters, 3)).toEqual(letters);
    expect(listSome(letters, 2, (letter) => `/${letter}`)).toEqual(["/a", "/b", "… and 1 more"]);
    expect(listSome(letters, 2, undefined, "casts")).toEqual(["a", "b", "… and 1 more casts"]);
  });
});
