import * as fc from "fast-check";
import { expect, it } from "vitest";
import { evaluate } from "../../../src/rules/evaluate/evaluate.ts";
import { parseRules } from "../../../src/rules/language/parse-rules.ts";
import { domainsToList, isShared } from "../../../src/rules/links/domains-to-list.ts";
import { castCreated, factsOf, rule } from "../../support/rules.ts";

it.each<[string, string[]]>([
  ["evil.example", ["evil.example"]],
  ["www.evil.example", ["evil.example"]],
  ["https://EVIL.example/path?x=1#y", ["evil.example"]],
  ["look: <https://evil.example/a>, everybody!", ["evil.example"]],
  ["[free](https://evil.example)", ["evil.example"]],
  ["hxxps://evil[.]example/claim", ["evil.example"]],
  ["claim at evil.example now", ["evil.example"]],
  ["https://a.example and https://b.example", ["a.example", "b.example"]],
  ["https://a.example https://www.a.example/x", ["a.example"]],
  ["https://münchen.example", ["xn--mnchen-3ya.example"]],
  ["https://x.evil.example", ["x.evil.example"]],
  ["nothing here", []],
  ["", []],
])("%s", (pasted, domains) => {
  expect(domainsToList(pasted)).toEqual(domains);
});

it("lists what a rule finds again in the cast from which it was copied, in whatever form the link stands there", () => {
  const label = fc.string({ unit: fc.constantFrom(..."abcxyz019".split("")), minLength: 1, maxLength: 8 });
  const host = fc.tuple(
    fc.array(label, { minLength: 1, maxLength: 3 }),
    fc.constantFrom("example", "com", "xyz", "рф"),
  );
  const forms = fc.constantFrom<(host: string) => string>(
    (host) => `https://${host}`,
    (host) => `http://${host}/a?b=c`,
    (host) => `HTTPS://${host.toUpperCase()}`,
    (host) => `hxxps://${host.replaceAll(".", "[.]")}/`,
    (host) => `www.${host}`,
    (host) => `(https://${host})`,
    (host) => `https://user@${host}:8080/x`,
  );
  const words = fc.constantFrom("", "see", "gm 🎁", "请看 ", "look:", "e.g.");
  fc.assert(
    fc.property(host, forms, words, words, ([labels, ending], form, before, after) => {
      const text = `${before} ${form([...labels, ending].join("."))} ${after}`;
      const domains = domainsToList(text);
      expect(domains.length).toBeGreaterThan(0);
      const lists = { l: { type: "domain", values: domains } };
      const rules = [rule({ when: { "embed.domain": { in_list: "l" } } })];
      const evaluation = evaluate(
        parseRules(JSON.stringify({ version: 1, lists, rules })),
        castCreated(text),
        factsOf(),
        99,
      );
      expect(evaluation).toMatchObject({ asked: true, verdicts: [{ truth: true }] });
    }),
  );
});

it("knows what everybody links to", () => {
  expect(["github.com", "x.com", "github.io"].map(isShared)).toEqual([true, true, true]);
  expect(["evil.example", "evil.github.io"].map(isShared)).toEqual([false, false]);
});
