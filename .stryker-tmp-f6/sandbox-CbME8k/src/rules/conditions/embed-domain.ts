// @ts-nocheck
import { z } from "zod";
import type { ConditionKind, Leaf } from "../evaluate/condition.ts";
import { unknown } from "../evaluate/condition.ts";
import { domainsOf, withParents } from "../text/links.ts";
import { castEvents } from "../evaluate/occurrence.ts";
import { Domain, type NeedsLists } from "../language/rule-list.ts";
import { oneOf, showSome } from "../comparisons/text-test.ts";
import { castNotKnown } from "./thread-depth.ts";

interface DomainTest {
  domains: ReadonlySet<string>;
  sentence: string;
}

const tests = [
  {
    name: "eq",
    schema: Domain.transform((domain): DomainTest => ({
      domains: new Set([domain]),
      sentence: `is ${domain}`,
    })),
  },
  {
    name: "in",
    schema: z
      .array(Domain)
      .min(1)
      .max(1000)
      .transform((domains): DomainTest => ({
        domains: new Set(domains),
        sentence: `is one of ${showSome(domains)}`,
      })),
  },
  {
    name: "in_list",
    schema: z.string().transform((name): NeedsLists<DomainTest> => ({
      uses: [{ name, types: ["domain"], path: [] }],
      withLists: ([list]) => ({
        domains: list?.type === "domain" ? list.domains : new Set(),
        sentence: `is in the list ${name}`,
      }),
    })),
  },
];

/** A domain that the cast embeds or links to; a domain stands for all below it. */
export const embedDomain: ConditionKind = {
  name: "embed.domain",
  events: castEvents,
  schema: oneOf<DomainTest, Leaf>(tests, ({ domains, sentence }) => ({
    asks: [],
    cost: 3,
    sentence: `a domain that the cast links to ${sentence}`,
    needs: { domains: [...domains] },
    read: (occurrence) => {
      const linked = domainsOf(occurrence);
      const hit = linked.find((domain) => withParents(domain).some((parent) => domains.has(parent)));
      if (hit !== undefined) return { truth: true, value: hit };
      if (!occurrence.cast || !occurrence.text) return unknown(castNotKnown);
      if (occurrence.text.cut) return unknown("only the first part of this long text was read");
      return { truth: false, value: linked.length === 0 ? null : linked.slice(0, 10).join(", ") };
    },
  })),
};
