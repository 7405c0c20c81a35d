import { describe, expect, it } from "vitest";
import { AppError } from "../../../src/errors.ts";
import { readSource, sourceLimits } from "../../../src/rules/language/read-source.ts";

function refusalOf(act: () => unknown): { message: string; mistakes: readonly unknown[] } | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "invalid_file") throw error;
    return { message: error.message, mistakes: error.mistakes };
  }
}

describe("where a part of a file stands", () => {
  const text = ["a: one", "b:", "  - two", "  - {c: three, d}", "e:", "7: seven", ""].join("\n");
  const source = readSource(text);
  const rest = (path: (string | number)[], at?: "key") =>
    text.slice(source.locate(path, at)).split(/[\n,}]/)[0];

  it.each<[(string | number)[], string]>([
    [[], "a: one"],
    [["a"], "one"],
    [["b"], "- two"],
    [["b", 0], "two"],
    [["b", 1], "{c: three"],
    [["b", 1, "c"], "three"],
    [["b", 1, "d"], "d"],
    [["e"], "e:"],
    [[7], "seven"],
    [["7"], "seven"],
    [["nowhere"], "a: one"],
    [["b", 1, "nowhere"], "{c: three"],
    [["b", 9], "- two"],
    [["a", "further"], "one"],
  ])("%j is at %j", (path, expected) => {
    expect(rest(path)).toBe(expected);
  });

  it.each<[(string | number)[], string]>([
    [["a"], "a: one"],
    [["b"], "b:"],
    [["b", 1, "c"], "c: three"],
    [["b", 0], "two"],
    [["a", "further"], "one"],
  ])("%j has its key at %j", (path, expected) => {
    expect(rest(path, "key")).toBe(expected);
  });

  it("comes with its value", () => {
    expect(source.value).toEqual({ a: "one", b: ["two", { c: "three", d: null }], e: null, 7: "seven" });
  });
});

describe("a map of as many keys as fit into a file", () => {
  const keys = Array.from({ length: 14_000 }, (_, index) => `k${index}`);
  it.each([
    ["in a block", keys.map((key) => `${key}: 1`).join("\n")],
    ["in braces", `{${keys.map((key) => `${key}: 1`).join(",")}}`],
    ["asked for", keys.map((key) => `? ${key}`).join("\n")],
  ])("is read and searched to its end, %s", (_, text) => {
    const source = readSource(text.slice(0, sourceLimits.bytes));
    for (const key of keys) expect(source.locate([key], "key")).toBeDefined();
  });

  it("tells of every key that comes twice", () => {
    const refused = refusalOf(() => readSource(`${keys.join(": 1\n")}: 1\na:\n  "1": x\n  1: y\nk9: 2`));
    expect(refused?.mistakes).toEqual([
      { path: "line 14003, column 3", message: "Map keys must be unique" },
      { path: "line 14004, column 1", message: "Map keys must be unique" },
    ]);
  });
});

describe("a refusal", () => {
  const source = readSource("a: 1\nb: 2\n");

  it("tells of mistakes in the order of the file, the same one once", () => {
    const error = source.errorAt([
      { offset: 8, message: "late" },
      { offset: 0, message: "early" },
      { offset: 8, message: "late" },
      { offset: 8, message: "another" },
    ]);
    expect(error).toMatchObject({
      code: "invalid_file",
      message: "The rules have 3 mistakes.",
      mistakes: [
        { path: "line 1, column 1", message: "early" },
        { path: "line 2, column 4", message: "late" },
        { path: "line 2, column 4", message: "another" },
      ],
    });
    expect(source.errorAt([{ offset: 0, message: "only" }]).message).toBe("The rules have a mistake.");
  });

  it("tells of the first twenty, and how many there are", () => {
    const many = Array.from({ length: 25 }, (_, index) => ({ offset: 0, message: `${index}` }));
    expect(source.errorAt(many)).toMatchObject({ message: "The rules have 25 mistakes." });
    expect(source.errorAt(many).mistakes).toHaveLength(sourceLimits.mistakes);
  });
});

describe("a file", () => {
  it("has 128 kB at most, counted in bytes", () => {
    const most = sourceLimits.bytes;
    expect(refusalOf(() => readSource(`# ${"x".repeat(most - 2)}`))).toBeUndefined();
    expect(refusalOf(() => readSource(`# ${"x".repeat(most - 1)}`))?.message).toBe(
      "The file has 129 kB; at most 128 kB are read.",
    );
    expect(refusalOf(() => readSource(`# ${"я".repeat(most / 2)}`))?.message).toBe(
      "The file has 129 kB; at most 128 kB are read.",
    );
  });

  it.each([
    [`${"[".repeat(32)}${"]".repeat(32)}`, []],
    [`a: b\n${"[".repeat(40)}`, ["nested too deeply"]],
    ["a: *x", ["write it out: *x is an alias, which is not supported"]],
    ["a: &x [1]\nb: [*x, {c: *x}]", [1, 2].map(() => "write it out: *x is an alias, which is not supported")],
    ["? {a: b}\n: [{? [c] : d}]", ["a key must be a single word", "a key must be a single word"]],
    ["a: %b", ["Plain value cannot start with directive indicator character %"]],
  ])("%j has these mistakes: %j", (text, expected) => {
    const refused = refusalOf(() => readSource(text));
    const messages = (refused?.mistakes ?? []).map((mistake) => Object(mistake).message);
    expect(messages).toEqual(expected);
  });
});

describe("what no text has", () => {
  it.each([
    ["a: x\0y", "line 1, column 5"],
    ["a: 1\n# \0", "line 2, column 3"],
    ['a: 1\nb: "x\\0y"', "line 2, column 4"],
    ['{"a": ["\\ud800"]}', "line 1, column 8"],
  ])("%j is refused where it stands", (text, path) => {
    expect(refusalOf(() => readSource(text))?.mistakes).toEqual([
      { path, message: expect.stringContaining("U+0000 or half of a character") },
    ]);
  });
});
