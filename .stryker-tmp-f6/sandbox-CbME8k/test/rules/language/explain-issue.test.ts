// @ts-nocheck
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { clip, explainIssue, listFaults } from "../../../src/rules/language/explain-issue.ts";

function faultsOf(schema: z.ZodType, value: unknown) {
  const { error } = schema.safeParse(value, { error: explainIssue });
  return error ? listFaults(error) : [];
}
const messagesOf = (schema: z.ZodType, value: unknown) =>
  faultsOf(schema, value).map(({ message }) => message);

const seven = z.enum(["sun", "mon", "tue", "wed", "thu", "fri", "sat"]);
const text = z.string();

describe("what is wrong with a value", () => {
  it.each<[z.ZodType, unknown, string]>([
    [text, undefined, "is missing"],
    [text, null, "must be a text, not empty"],
    [text, [], "must be a text, not a list"],
    [text, {}, 'must be a text, not a map ("key: value")'],
    [text, 1, "must be a text, not a number"],
    [text, true, "must be a text, not true or false"],
    [text, 1n, "must be a text, not bigint"],
    [z.number(), "1", "must be a number, not a text"],
    [z.int(), 1.5, "must be a whole number, not a number"],
    [z.boolean(), "yes", "must be true or false, not a text"],
    [z.array(text), "a", "must be a list, not a text"],
    [z.strictObject({}), [], 'must be a map ("key: value"), not a list'],
    [z.null(), 1, "must be empty, not a number"],
    [z.date(), 1, "must be date, not a number"],
    [z.literal(1), 2, "must be 1"],
    [z.literal("text"), undefined, "is missing: text"],
    [z.enum(["owner", "moderators"]), "ownr", 'must be one of owner, moderators; did you mean "owner"?'],
    [z.enum(["owner", "moderators"]), 7, "must be one of owner, moderators"],
    [z.enum(["owner", "moderators"]), undefined, "is missing: owner, moderators"],
    [seven, "mno", 'unknown "mno"; did you mean "mon"?'],
    [
      z.enum(["sun", "mon", "tue", "wed", "thu", "fri"]),
      "mno",
      'must be one of sun, mon, tue, wed, thu, fri; did you mean "mon"?',
    ],
    [seven, "someday", "must be one of sun, mon, tue, wed, thu, fri, sat"],
    [text.max(3), "long", "is too long: at most 3"],
    [z.array(text).max(1), ["a", "b"], "is too long: at most 1"],
    [z.number().max(3), 4, "is too large: at most 3"],
    [z.int().max(3), 4, "is too large: at most 3"],
    [text.min(1), "", "is empty"],
    [z.array(text).min(1), [], "is empty"],
    [text.min(2), "a", "is too small: at least 2"],
    [z.number().min(1), 0, "is too small: at least 1"],
    [z.record(z.string().regex(/^a/, "must begin with a"), text), { b: "x" }, "must begin with a"],
    [
      z.discriminatedUnion("type", [z.object({ type: z.literal("a") }), z.object({ type: z.literal("b") })]),
      { type: "c" },
      "must be one of a, b",
    ],
    [z.union([text, z.number()]), true, "Invalid input"],
    [text.regex(/a/, "must have an a"), "b", "must have an a"],
  ])("%#: %s", (schema, value, message) => {
    expect(messagesOf(schema, value)).toEqual([message]);
  });

  it("is told for each unknown key, at that key", () => {
    const schema = z.strictObject({ mode: text.optional(), inside: z.strictObject({}).optional() });
    expect(faultsOf(schema, { mdoe: "a", colour: "b" })).toEqual([
      { path: ["mdoe"], message: 'unknown key "mdoe"; did you mean "mode"?', at: "key" },
      { path: ["colour"], message: 'unknown key "colour"', at: "key" },
    ]);
    expect(faultsOf(schema, { inside: { x: 1 } })).toEqual([
      { path: ["inside", "x"], message: 'unknown key "x"', at: "key" },
    ]);
    expect(messagesOf(schema, { ["x".repeat(41)]: 1 })).toEqual([`unknown key "${"x".repeat(39)}…"`]);
  });

  it("is told where it stands, once for each value", () => {
    const schema = z.object({ a: text.min(3).regex(/b/, "needs a b"), c: z.number() });
    expect(faultsOf(schema, { a: "x", c: "y" })).toEqual([
      { path: ["a"], message: "is too small: at least 3", at: undefined },
      { path: ["c"], message: "must be a number, not a text", at: undefined },
    ]);
  });

  it("is at the key where a check says so", () => {
    const check = (at: unknown) =>
      z.unknown().transform((value, context) => {
        context.issues.push({ code: "custom", message: "no", path: ["a"], input: value, params: { at } });
        return z.NEVER;
      });
    expect(faultsOf(check("key"), 1)).toEqual([{ path: ["a"], message: "no", at: "key" }]);
    expect(faultsOf(check("value"), 1)).toEqual([{ path: ["a"], message: "no", at: undefined }]);
    const plain = text.refine(() => false, "no");
    expect(faultsOf(plain, "a")).toEqual([{ path: [], message: "no", at: undefined }]);
  });
});

describe("a word that is repeated", () => {
  it("has forty characters at most", () => {
    expect(clip("x".repeat(40))).toBe("x".repeat(40));
    expect(clip("x".repeat(41))).toBe(`${"x".repeat(39)}…`);
  });
});
