import { domainToASCII } from "node:url";
import { z } from "zod";
import { lookAlikeKeys } from "../../text/skeleton.ts";
import { suggest } from "../../text/suggest.ts";
import { readText } from "../text/rule-text.ts";
import { clip } from "./explain-issue.ts";

export const listLimits = { lists: 50, values: 10_000 } as const;

/** A domain in the form used for comparison; undefined if the text is not a domain. */
export function readDomain(text: string): string | undefined {
  const written = text.trim().replace(/\.$/, "");
  // domainToASCII drops these and everything after them, so x.example/a would cover all of x.example.
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

/** A list in a rule file: its values in the form used for comparison. */
export const RuleList = z.discriminatedUnion("type", [
  z
    .strictObject({ type: z.literal("domain"), values: values(Domain) })
    .transform(({ type, values }) => ({ type, domains: new Set(values) })),
  z
    .strictObject({ type: z.literal("fid"), values: values(z.int().min(1)) })
    .transform(({ type, values }) => ({ type, fids: new Set(values) })),
  z.strictObject({ type: z.literal("text"), values: values(shortText) }).transform(({ type, values }) => ({
    type,
    texts: new Set(values.map((text) => readText(text).folded)),
    written: new Set(values),
  })),
  z.strictObject({ type: z.literal("name"), values: values(shortText) }).transform(({ type, values }) => ({
    type,
    texts: new Set(values.map((name) => readText(name).folded)),
    names: values,
    lookAlikes: new Map(values.flatMap((name) => [...lookAlikeKeys(name)].map((key) => [key, name]))),
  })),
]);
export type RuleList = z.output<typeof RuleList>;
export type ListType = RuleList["type"];
type ListOf<T extends ListType> = Extract<RuleList, { type: T }>;

/** A value of a list as it is compared with another: what gives the same is one value. */
export function compareAs(type: ListType, value: string | number): string | number {
  if (type === "fid") return Number(value);
  const text = String(value);
  return type === "domain" ? (readDomain(text) ?? text) : readText(text).folded;
}

/** The lists of a file, by name. */
export type RuleLists = ReadonlyMap<string, RuleList>;

/** Why a condition on an empty list never holds. */
export const emptyList = (name: string) => `never holds: the list ${name} is empty`;

/** The name of a list in the file with one of these types, and the list. */
export function listNamed<T extends ListType>(lists: RuleLists, ...types: T[]) {
  return z.string().transform((name, context): { name: string; list: ListOf<T> } => {
    const list = findList(lists, types, name, context);
    return list ? { name, list } : z.NEVER;
  });
}

/** The list with this name and one of these types, or an issue that explains why there is none. */
export function findList<T extends ListType>(
  lists: RuleLists,
  types: readonly T[],
  name: string,
  context: z.RefinementCtx,
): ListOf<T> | undefined {
  const isWanted = (list: RuleList): list is ListOf<T> => types.some((type) => type === list.type);
  const list = lists.get(name);
  if (list && isWanted(list)) return list;
  const message = list
    ? `the list ${name} is of type ${list.type}; here it must be ${types.join(" or ")}`
    : `there is no list "${clip(name)}"${suggest(name, [...lists.keys()])}`;
  context.issues.push({ code: "custom", message, input: name });
  return undefined;
}
