import type { z } from "zod";
import { type FormIssue, invalidForm } from "../discord-error.ts";

/** A rule across fields. It runs only if all fields of a body are valid, and returns the mistakes. */
export type FormCheck<T> = (body: T) => Iterable<FormIssue>;

/** Parses a request body, or throws 50035 with all mistakes. */
export function parseForm<T>(schema: z.ZodType<T>, body: unknown, ...checks: FormCheck<T>[]): T {
  const parsed = safeParse(schema, body ?? {});
  if (!parsed.success) throw invalidForm(parsed.error.issues.map(formIssue));
  const issues = checks.flatMap((check) => [...check(parsed.data)]);
  if (issues.length > 0) throw invalidForm(issues);
  return parsed.data;
}

/** Discord accepts digits as text in place of a number. */
function safeParse<T>(schema: z.ZodType<T>, body: unknown): z.ZodSafeParseResult<T> {
  const parsed = schema.safeParse(body, { reportInput: true });
  const numbers = (parsed.error?.issues ?? []).filter(isWrittenNumber);
  if (numbers.length === 0) return parsed;
  const copy: unknown = structuredClone(body);
  for (const { path, input } of numbers) {
    const holder = path.slice(0, -1).reduce((node: unknown, key) => Object(node)[key], copy);
    Object(holder)[path.at(-1) ?? ""] = Number(input);
  }
  return schema.safeParse(copy, { reportInput: true });
}

function isWrittenNumber(issue: z.core.$ZodIssue): boolean {
  const number = issue.code === "invalid_type" && (issue.expected === "number" || issue.expected === "int");
  return number && typeof issue.input === "string" && /^-?\d{1,15}$/.test(issue.input);
}

function formIssue(issue: z.core.$ZodIssue): FormIssue {
  const path = issue.path.map((key) => (typeof key === "number" ? key : String(key)));
  return { path, ...reason(issue) };
}

function reason(issue: z.core.$ZodIssue): { code: string; message: string } {
  if (issue.input === undefined && (issue.code === "invalid_type" || issue.code === "invalid_value")) {
    return { code: "BASE_TYPE_REQUIRED", message: "This field is required" };
  }
  switch (issue.code) {
    case "too_big":
      return issue.origin === "number"
        ? { code: "NUMBER_TYPE_MAX", message: `int value should be less than or equal to ${issue.maximum}.` }
        : { code: "BASE_TYPE_MAX_LENGTH", message: `Must be ${issue.maximum} or fewer in length.` };
    case "too_small":
      return issue.origin === "number"
        ? {
            code: "NUMBER_TYPE_MIN",
            message: `int value should be greater than or equal to ${issue.minimum}.`,
          }
        : { code: "BASE_TYPE_MIN_LENGTH", message: `Must be ${issue.minimum} or more in length.` };
    case "invalid_value":
      return {
        code: "BASE_TYPE_CHOICES",
        message: `Value must be one of {${issue.values.map(String).join(", ")}}.`,
      };
    case "invalid_union":
      return { code: "BASE_TYPE_CHOICES", message: "The value is of no known type." };
    case "invalid_format":
      return issue.format === "url"
        ? { code: "URL_TYPE_INVALID_URL", message: "Not a well formed URL." }
        : { code: "STRING_TYPE_REGEX", message: "String value did not match validation regex." };
    case "invalid_type":
      return wrongType(issue.expected, issue.input);
    case "custom":
      return { code: String(issue.params?.["code"] ?? "BASE_TYPE_INVALID"), message: issue.message };
    case "invalid_element":
    case "invalid_key":
    case "not_multiple_of":
    case "unrecognized_keys":
      return { code: "BASE_TYPE_INVALID", message: issue.message };
  }
}

function wrongType(expected: string, input: unknown): { code: string; message: string } {
  const given = JSON.stringify(input);
  switch (expected) {
    case "number":
    case "int":
      return { code: "NUMBER_TYPE_COERCE", message: `Value ${given} is not int.` };
    case "string":
      return { code: "STRING_TYPE_CONVERT", message: `Could not interpret ${given} as string.` };
    case "array":
      return { code: "LIST_TYPE_CONVERT", message: "Only iterables may be used in a ListType" };
    case "object":
      return { code: "MODEL_TYPE_CONVERT", message: "Only dictionaries may be used in a ModelType" };
    default:
      return { code: "BASE_TYPE_BAD_TYPE", message: `Value is not of type ${expected}.` };
  }
}
