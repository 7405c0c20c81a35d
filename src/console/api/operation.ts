import type { z } from "zod";
import { explainIssue } from "../../text/explain-issue.ts";
import type { CommandContext } from "../../discord/command-context.ts";
import type { RawValue, RawValues } from "../../discord/command.ts";

/**
 * One operation of Castellan's own API, declared once: the route, the check of its input and the OpenAPI document follow from
 * it. `input` is one flat object: path parameters, then the query (GET) or the body (POST).
 */
interface Declared<Input extends z.ZodObject> {
  id: string;
  /** Below /api/v1, with parameters in braces. */
  path: string;
  summary: string;
  description: string;
  input: Input;
}

/** Shows something. */
export interface ReadOperation extends Declared<z.ZodObject> {
  method: "GET";
  result: z.ZodType;
  run(this: void, context: CommandContext, input: unknown): Promise<unknown>;
}

/** Runs a command as if it were typed and confirmed. */
export interface ActOperation extends Declared<z.ZodObject> {
  method: "POST";
  command: string;
  options(this: void, input: unknown): RawValues;
}

export type Operation = ReadOperation | ActOperation;

const inOurWords = { error: explainIssue };

export function read<Input extends z.ZodObject, Result extends z.ZodType>(
  declared: Declared<Input> & {
    result: Result;
    run(this: void, context: CommandContext, input: z.output<Input>): Promise<z.input<Result>>;
  },
): ReadOperation {
  const { input, run } = declared;
  return {
    ...declared,
    method: "GET",
    run: (context, given) => run(context, input.parse(given, inOurWords)),
  };
}

export function act<Input extends z.ZodObject>(
  declared: Declared<Input> & {
    /** "feed add" */
    command: string;
    /** What to type for it. Options that are left out are undefined. */
    options(this: void, input: z.output<Input>): Readonly<Record<string, RawValue | undefined>>;
  },
): ActOperation {
  const { input, options } = declared;
  const typed = (given: unknown) =>
    Object.entries(options(input.parse(given, inOurWords))).filter(
      (option): option is [string, RawValue] => option[1] !== undefined,
    );
  return { ...declared, method: "POST", options: (given) => Object.fromEntries(typed(given)) };
}
