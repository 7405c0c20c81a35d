import type { z } from "zod";

type Issue = Parameters<z.core.$ZodErrorMap>[0];

const typeNames: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "an array",
  object: "an object",
  null: "null",
};

/**
 * Says what is wrong with one value of an input, to follow the value's name: "must be a number, not a text". Pass it to
 * a schema's `parse`; a schema's own messages take precedence.
 */
export function explainIssue(issue: Issue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      return explainType(issue.expected, issue.input);
    case "invalid_value":
      if (issue.input === undefined) return `is missing: ${chooseFrom(issue.values)}`;
      return `must be ${chooseFrom(issue.values)}`;
    case "too_big":
      if (issue.origin === "string") return `is too long: at most ${issue.maximum} characters`;
      if (issue.origin === "array") return `has too many entries: at most ${issue.maximum}`;
      return `is too large: at most ${issue.maximum}`;
    case "too_small":
      if (issue.origin === "string") return "must not be empty";
      if (issue.origin === "array") return `has too few entries: at least ${issue.minimum}`;
      return `must be ${issue.minimum} or more`;
    case "invalid_format":
      return issue.format === "url" ? "must be an address such as https://example.org" : "is not well-formed";
    case "invalid_union":
      return explainUnion(issue);
    default:
      return undefined;
  }
}

function explainType(expected: string, input: unknown): string {
  if (input === undefined) return "is missing";
  if (expected === "int" && typeof input === "number") return "must be a whole number";
  // A text that was to be converted to a number.
  if (Number.isNaN(input)) return "must be a number";
  return `must be ${typeNames[expected] ?? expected}, not ${nameType(input)}`;
}

/** In a union, the variant of the value's own type explains the problem; in queries, numbers are written in digits. */
function explainUnion({ input, errors }: Extract<Issue, { code: "invalid_union" }>): string | undefined {
  if (input === undefined) return "is missing";
  const issues = errors?.flat() ?? [];
  const near = issues.find(({ code }) => code !== "invalid_type") ?? issues[0];
  return near?.message;
}

function chooseFrom(values: readonly unknown[]): string {
  const names = values.map((value) => JSON.stringify(value));
  return names.length > 1 ? `${names.slice(0, -1).join(", ")} or ${names.at(-1)}` : (names[0] ?? "");
}

function nameType(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return typeNames[typeof value] ?? typeof value;
}
