import type { ListType } from "../language/rule-list.ts";

/** The list that is created for each type if a server has none. */
export const usualLists = {
  domain: "blocked_links",
  text: "blocked_phrases",
  fid: "blocked_people",
  name: "blocked_names",
} as const satisfies Record<ListType, string>;

/** The simplest rule that uses a list, as written in a file; `what` is its purpose in one sentence. */
export function ruleOfList(
  list: string,
  type: ListType,
): { id: string; what: string; rule: Readonly<Record<string, unknown>> } {
  const { what, ...rule } = rules[type](list);
  return { id: list.replaceAll("_", "-"), what, rule };
}

const hideCast = {
  on: ["cast.created"],
  then: [{ hide: {} }],
  limits: { breaker: { max: 30, per: "1h", then: "review" } },
};

const rules: Record<ListType, (list: string) => { what: string; [key: string]: unknown }> = {
  domain: (list) => ({
    what: `Hides casts that link to an address of the list ${list}.`,
    ...hideCast,
    when: { "embed.domain": { in_list: list } },
  }),
  text: (list) => ({
    what: `Hides casts that contain a phrase of the list ${list}.`,
    ...hideCast,
    when: { text: { contains_in_list: list } },
  }),
  fid: (list) => ({
    what: `Hides casts of the people on the list ${list}.`,
    ...hideCast,
    when: { "author.fid": { in_list: list } },
  }),
  name: (list) => ({
    what: `Holds for review anyone who takes a name that looks like one of the list ${list}.`,
    on: ["username_proof.merged"],
    when: { name: { confusable_with: [list] } },
    then: [{ review: { queue: "names" } }],
  }),
};
