import { describe, expect, it } from "vitest";
import { findCandidates } from "../../../src/rules/evaluate/rule-index.ts";
import { textLimit } from "../../../src/rules/text/rule-text.ts";
import { castCreated, nameTaken, recordHidden, rule, ruleSetOf } from "../../support/rules.ts";

describe("rules that one look at the event rules out", () => {
  const kinds = ruleSetOf(
    rule({
      id: "domain",
      when: { all: [{ "embed.domain": { eq: "a.example" } }, { text: { contains: "x" } }] },
    }),
    rule({
      id: "either",
      when: { any: [{ text: { contains: "airdrop" } }, { text: { matches: "claim.*now" } }] },
    }),
    rule({ id: "free", when: { "text.length": { gte: 1 } } }),
    rule({ id: "never", when: { not: { text: { contains: "airdrop" } } } }),
    rule({ id: "off", mode: "off", when: { text: { contains: "airdrop" } } }),
    rule({ id: "text", when: { all: [{ text: { contains: "airdrop" } }, { "author.is_member": false }] } }),
  );
  const left = (occurrence: Parameters<typeof findCandidates>[1]) =>
    findCandidates(kinds, occurrence).map(({ id }) => id);

  it("are left out, the others keep their order", () => {
    expect(left(castCreated("gm"))).toEqual(["free", "never"]);
    expect(left(castCreated("free Аirdrop"))).toEqual(["either", "free", "never", "text"]);
    expect(left(castCreated("just claim it"))).toEqual(["either", "free", "never"]);
    expect(left(castCreated("see https://b.a.example/ x"))).toEqual(["domain", "free", "never"]);
  });

  it("are not ruled out by a text that was not read, or not to its end", () => {
    expect(left(castCreated(`gm${" ".repeat(textLimit)}`))).toHaveLength(5);
    expect(left(castCreated("gm", { cast: null }))).toHaveLength(5);
    const hidden = ruleSetOf(rule({ on: ["record.hidden"], then: [{ ban: {} }] }));
    expect(findCandidates(hidden, recordHidden())).toHaveLength(1);
  });

  it("are ruled out by name as well", () => {
    const named = (eq: string) =>
      rule({ id: eq, on: ["username_proof.merged"], when: { name: { eq } }, then: [{ ban: {} }] });
    const names = ruleSetOf(named("alice"), named("bob"));
    expect(findCandidates(names, nameTaken("bob")).map(({ id }) => id)).toEqual(["bob"]);
  });
});
