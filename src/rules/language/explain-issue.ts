import { z } from "zod";
import { cutText } from "../../text/message-text.ts";
import { suggest } from "../../text/suggest.ts";

type Issue = Parameters<z.core.$ZodErrorMap>[0];

const typeNames: Record<string, string> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: 'a map ("key: value")',
  null: "empty",
};

/** A zod issue in words. One line per unknown key. */
export function explainIssue(issue: Issue): string | undefined {
  switch (issue.code) {
    case "unrecognized_keys": {
      const known = issue.inst instanceof z.ZodObject ? Object.keys(issue.inst.shape) : [];
      return issue.keys.map((key) => `unknown key "${clip(key)}"${suggest(key, known)}`).join("\n");
    }
    case "invalid_type":
      if (issue.input === undefined) return "is missing";
      return `must be ${typeNames[issue.expected] ?? issue.expected}, not ${nameType(issue.input)}`;
    case "invalid_value": {
      const choices = issue.values.map(String);
      if (issue.input === undefined) return `is missing: ${choices.join(", ")}`;
      const near = typeof issue.input === "string" ? suggest(issue.input, choices) : "";
      // A long list would hide the one word that was meant.
      if (near && choices.length > 6) return `unknown "${clip(String(issue.input))}"${near}`;
      return `must be ${choices.length > 1 ? "one of " : ""}${choices.join(", ")}${near}`;
    }
    case "too_big":
      return `is too ${issue.origin === "number" || issue.origin === "int" ? "large" : "long"}: at most ${issue.maximum}`;
    case "too_small":
      if (Number(issue.minimum) === 1 && issue.origin !== "number") return "is empty";
      return `is too small: at least ${issue.minimum}`;
    case "invalid_key":
      return issue.issues[0]?.message;
    case "invalid_union":
      return "options" in issue && Array.isArray(issue.options)
        ? `must be one of ${issue.options.join(", ")}`
        : undefined;
    default:
      return undefined;
  }
}

function nameType(value: unknown): string {
  if (value === null) return "empty";
  if (Array.isArray(value)) return "a list";
  if (Number.isNaN(value)) return "NaN, which is not a number";
  if (value === Infinity || value === -Infinity) return "an infinite one";
  return typeNames[typeof value] ?? typeof value;
}

/** A user's word, short enough to repeat. */
export function clip(word: string): string {
  return cutText(word, 40);
}

export interface Fault {
  path: PropertyKey[];
  message: string;
  /** The key is wrong, not its value. */
  at: "key" | undefined;
}

/** zod's issues, with one at each unknown key, and only the first for each value. */
export function listFaults(error: z.core.$ZodError): Fault[] {
  const faults = error.issues.flatMap((issue): Fault[] => {
    const { path, message } = issue;
    if (issue.code === "unrecognized_keys") {
      const messages = message.split("\n");
      return issue.keys.map((key, index) => ({
        path: [...path, key],
        message: messages[index] ?? message,
        at: "key",
      }));
    }
    const at = issue.code === "custom" && issue.params?.["at"] === "key" ? "key" : undefined;
    return [{ path, message, at }];
  });
  const first = new Map(faults.toReversed().map((fault) => [JSON.stringify(fault.path), fault]));
  return faults.filter((fault) => first.get(JSON.stringify(fault.path)) === fault);
}
