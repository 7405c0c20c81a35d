import { expect, it } from "vitest";
import { compareLines, foldSame } from "../../../src/console/page/rules/compare-lines.ts";

const marks = { same: " ", gone: "-", new: "+" } as const;
const show = (before: string, after: string) =>
  compareLines(before, after).map(({ is, text }) => marks[is] + text);

it("keeps what two texts have in common", () => {
  expect(show("a\nb\nc\nd\n", "a\nx\nc\ny\nd\n")).toEqual([" a", "-b", "+x", " c", "+y", " d"]);
  expect(show("a\n", "a\n")).toEqual([" a"]);
  expect(show("a\nb", "b\na")).toEqual(["-a", " b", "+a"]);
});

it("gives both texts back, whatever changed", () => {
  const words = ["a", "b", "c", ""];
  for (let seed = 0; seed < 300; seed += 1) {
    const text = (salt: number) =>
      Array.from({ length: (seed * salt) % 9 }, (_, at) => words[(seed * salt + at * at * salt) % 4] ?? "");
    const [before, after] = [["top", ...text(7), "x"].join("\n"), ["top", ...text(11), "x"].join("\n")];
    const lines = compareLines(before, after);
    const of = (side: string) =>
      lines.filter(({ is }) => is === "same" || is === side).map(({ text }) => text);
    expect([of("gone").join("\n"), of("new").join("\n")]).toEqual([before, after]);
  }
});

it("leaves out what is far from any change, and says how much", () => {
  const many = Array.from({ length: 20 }, (_, at) => `line ${at}`);
  const folded = foldSame(compareLines(many.join("\n"), many.with(10, "other").join("\n")));
  expect(folded.map((line) => ("skipped" in line ? line.skipped : line.text))).toEqual([
    7,
    "line 7",
    "line 8",
    "line 9",
    "line 10",
    "other",
    "line 11",
    "line 12",
    "line 13",
    6,
  ]);
});

it("shows what is very large as removed and added", () => {
  const lines = (word: string) => Array.from({ length: 5000 }, (_, at) => `${word} ${at}`).join("\n");
  expect(compareLines(lines("a"), lines("b"))).toHaveLength(10_000);
});
