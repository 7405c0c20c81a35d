import { z } from "zod";
import { oneOf, showSome, type TestKind } from "../comparisons/one-of.ts";
import { unknown, type ConditionKind, type Leaf } from "../evaluate/condition.ts";
import { castEvents } from "../evaluate/occurrence.ts";
import { Domain, emptyList, listNamed } from "../language/rule-list.ts";
import { hostsOfAddress } from "../links/address.ts";
import { withOwners } from "../links/hosts.ts";
import { domainsOf } from "../text/web-links.ts";
import { castNotKnown, onlyFirstPart } from "./cast-text.ts";

interface DomainTest {
  domains: ReadonlySet<string>;
  sentence: string;
  lists?: readonly string[];
  never?: string;
}

const tests: TestKind<DomainTest>[] = [
  {
    name: "eq",
    schema: () =>
      Domain.transform((domain): DomainTest => ({ domains: new Set([domain]), sentence: `is ${domain}` })),
  },
  {
    name: "in",
    schema: () =>
      z
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
    schema: (lists) =>
      listNamed(lists, "domain").transform(({ name, list: { domains } }): DomainTest => ({
        domains,
        sentence: `is in the list ${name}`,
        lists: [name],
        ...(domains.size === 0 && { never: emptyList(name) }),
      })),
  },
];

/** Hints about values that cannot be domains, the first few. */
function hintsOf(domains: ReadonlySet<string>): Pick<Leaf, "hints"> {
  const odd = [...domains].filter((domain) => hostsOfAddress(`https://${domain}/`)[0] !== domain);
  return odd.length === 0 ? {} : { hints: [`not a domain: ${showSome(odd)}`] };
}

/** A domain that the cast embeds or links to; a domain covers its subdomains. */
export const embedDomain: ConditionKind = {
  name: "embed.domain",
  events: castEvents,
  schema: (lists) =>
    oneOf(tests, lists, ({ domains, sentence, lists: named, never }): Leaf => ({
      needs: [],
      cost: 3,
      sentence: `a domain that the cast links to ${sentence}`,
      clues: { domains: [...domains] },
      ...(named && { lists: named }),
      ...(never !== undefined && { never }),
      ...hintsOf(domains),
      read(occurrence) {
        const linked = domainsOf(occurrence);
        const hit = linked.find((domain) => withOwners(domain).some((owner) => domains.has(owner)));
        if (hit !== undefined) return { truth: true, value: hit };
        if (!occurrence.cast || !occurrence.text) return unknown(castNotKnown);
        if (occurrence.text.cut) return unknown(onlyFirstPart);
        return { truth: false, value: linked.length === 0 ? null : linked.slice(0, 10).join(", ") };
      },
    })),
};
