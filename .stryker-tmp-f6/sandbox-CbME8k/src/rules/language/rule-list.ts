// @ts-nocheck
import { domainToASCII } from "node:url";
import { z } from "zod";
import { lookAlikeKeys } from "../../text/skeleton.ts";
import { readText } from "../text/rule-text.ts";

export const listLimits = { lists: 50, values: 10_000 } as const;

/** A domain as it is compared; undefined where the text is none. */
export function readDomain(text: string): string | undefined {
  const written = text.trim().replace(/\.$/, "");
  // domainToASCII drops these and what follows: x.example/a would stand for all of x.example.
  if (/[/?#\\\s]/.test(written)) return undefined;
  const domain = domainToASCII(written).toLowerCase();
  return /^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/.test(domain) ? domain : undefined;
}

export const Domain = z
  .string()
  .max(253)
  .transform((text, context) => {
    const domain = readDomain(text);
    if (domain !== undefined) return domain;
    const message = 'must be a domain without a path: "free-mint.example"';
    context.issues.push({ code: "custom", message, input: text });
    return z.NEVER;
  });

const shortText = z.string().min(1).max(500);
const values = <V extends z.ZodType>(value: V) => z.array(value).max(listLimits.values);

/** A list of a rule file: its values as they are compared. */
export const RuleList = z.discriminatedUnion("type", [
  z
    .strictObject({ type: z.literal("domain"), values: values(Domain) })
    .transform(({ type, values }) => ({ type, domains: new Set(values) })),
  z
    .strictObject({ type: z.literal("fid"), values: values(z.int().min(1)) })
    .transform(({ type, values }) => ({ type, fids: new Set(values) })),
  z
    .strictObject({ type: z.literal("text"), values: values(shortText) })
    .transform(({ type, values }) => ({ type, texts: new Set(values.map((text) => readText(text).folded)) })),
  z.strictObject({ type: z.literal("name"), values: values(shortText) }).transform(({ type, values }) => ({
    type,
    texts: new Set(values.map((name) => readText(name).folded)),
    names: values,
    lookAlikes: new Map(values.flatMap((name) => [...lookAlikeKeys(name)].map((key) => [key, name]))),
  })),
]);
export type RuleList = z.output<typeof RuleList>;
export type ListType = RuleList["type"];
export type ListOf<T extends ListType> = Extract<RuleList, { type: T }>;

/** Something that is complete once the lists that it names are at hand. */
export interface NeedsLists<T> {
  uses: readonly ListUse[];
  withLists(found: readonly RuleList[]): T;
}

export interface ListUse {
  name: string;
  types: readonly ListType[];
  /** Where the name stands in the condition. */
  path: PropertyKey[];
}

export function needsLists<T extends object>(value: T | NeedsLists<T>): value is NeedsLists<T> {
  return "withLists" in value;
}

/** Makes something of a value, now or when its lists are at hand. */
export function whenComplete<T extends object, R>(
  value: T | NeedsLists<T>,
  make: (value: T) => R,
  step: PropertyKey,
): R | NeedsLists<R> {
  if (!needsLists(value)) return make(value);
  return {
    uses: value.uses.map((use) => ({ ...use, path: [step, ...use.path] })),
    withLists: (found) => make(value.withLists(found)),
  };
}
