import { describe, expect, it } from "vitest";
import { readNumber, showNumber, type Numbered } from "../../src/text/numbered.ts";

const all: Numbered[] = ["case", "bulk", "event", "review"];

describe("numbers of cases, bulks, events and reviews", () => {
  it("are read as they are shown, and as people type them", () => {
    expect(all.map((of) => showNumber(of, 12))).toEqual(["C-12", "B-12", "E-12", "R-12"]);
    for (const of of all) {
      const shown = showNumber(of, 12);
      const typed = [
        shown,
        shown.toLowerCase(),
        "12",
        "#12",
        " 12 ",
        shown.replace("-", ""),
        shown.replace("-", "–"),
      ];
      expect(typed.map((text) => readNumber(of, text))).toEqual(typed.map(() => 12));
    }
  });

  it("of another kind are refused, and said to be that", () => {
    expect(() => readNumber("case", "r-3")).toThrow(
      "R-3 is the number of a review, but this needs a case, such as C-12. /review show number:R-3 shows it.",
    );
    expect(() => readNumber("event", "C-3")).toThrow("C-3 is the number of a case");
    expect(() => readNumber("review", "E 51248")).toThrow("/rule explain event:E-51248 shows it.");
  });

  it("that are none are refused", () => {
    for (const typed of [
      "",
      "C-",
      "0",
      "-1",
      "C-0",
      "1.5",
      "X-3",
      "C-12 13",
      "2147483648",
      "9".repeat(400),
    ]) {
      expect(() => readNumber("case", typed)).toThrow("Not the number of a case. Write it as C-12 or 12.");
    }
    expect(readNumber("event", "2147483648")).toBe(2_147_483_648);
    expect(() => readNumber("event", "9999999999999999")).toThrow("Not the number of an event");
  });
});
