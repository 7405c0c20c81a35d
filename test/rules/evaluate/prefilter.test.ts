import { describe, expect, it } from "vitest";
import type { Occurrence } from "../../../src/rules/evaluate/occurrence.ts";
import { textLimit } from "../../../src/rules/text/rule-text.ts";
import { castCreated, nameTaken, recordHidden, rule, ruleSetOf } from "../../support/rules.ts";

describe("rules that one look at the event rules out", () => {
  // Read anew for each look: what is found out about rules is kept with them.
  const readKinds = () =>
    ruleSetOf(
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
  const left = (occurrence: Occurrence) =>
    readKinds()
      .findCandidates(occurrence)
      .map(({ id }) => id);

  it("are left out, the others keep their order", () => {
    expect(left(castCreated("gm"))).toEqual(["free", "never"]);
    expect(left(castCreated("free Аirdrop"))).toEqual(["either", "free", "never", "text"]);
    expect(left(castCreated("just claim it"))).toEqual(["either", "free", "never"]);
    expect(left(castCreated("see https://b.a.example/ x"))).toEqual(["domain", "free", "never"]);
  });

  it("need a link where they ask for links, written out or not", () => {
    const bad = { "links.known_bad": true };
    const rules = ruleSetOf(
      rule({ id: "all", when: { all: [bad, { text: { contains: "airdrop" } }] } }),
      rule({ id: "any", when: { any: [bad, { text: { contains: "airdrop" } }] } }),
      rule({ id: "bad", when: bad }),
      rule({ id: "good", when: { "links.known_bad": false } }),
    );
    const found = (text: string) => rules.findCandidates(castCreated(text)).map(({ id }) => id);
    expect(found("gm.")).toEqual(["good"]);
    expect(found("gm, see evil.com")).toEqual(["any", "bad", "good"]);
    expect(found("an airdrop")).toEqual(["all", "any", "good"]);
  });

  it("are not ruled out by a disguise", () => {
    expect(left(castCreated("just c1a1m it"))).toEqual(["either", "free", "never"]);
    expect(left(castCreated("a free a.i.r.d.r.o.p"))).toEqual(["either", "free", "never", "text"]);
  });

  it("are not ruled out by a text that was not read, or not to its end", () => {
    expect(left(castCreated(`gm${" ".repeat(textLimit)}`))).toHaveLength(5);
    expect(left(castCreated("gm", { cast: null }))).toHaveLength(5);
    const hidden = ruleSetOf(rule({ on: ["record.hidden"], then: [{ ban: {} }] }));
    expect(hidden.findCandidates(recordHidden())).toHaveLength(1);
  });

  it("are ruled out by name as well", () => {
    const named = (eq: string) =>
      rule({ id: eq, on: ["username_proof.merged"], when: { name: { eq } }, then: [{ ban: {} }] });
    const names = ruleSetOf(named("alice"), named("bob"));
    expect(names.findCandidates(nameTaken("bob")).map(({ id }) => id)).toEqual(["bob"]);
  });

  it("are only those that listen, in force or on trial", () => {
    const taken = rule({
      id: "name",
      on: ["username_proof.merged"],
      when: { name: { eq: "a" } },
      then: [{ ban: {} }],
    });
    const rules = ruleSetOf(taken, rule({ mode: "off", when: { is_reply: true } }), rule({ id: "text" }));
    expect(rules.findCandidates(castCreated("airdrop")).map(({ id }) => id)).toEqual(["text"]);
    expect(rules.findCandidates(recordHidden())).toEqual([]);
  });

  const isLeft = (when: object, occurrence: Occurrence) =>
    ruleSetOf(rule({ when })).findCandidates(occurrence).length === 1;
  const text = (contains: string) => ({ text: { contains } });
  const domain = { "embed.domain": { eq: "a.example" } };

  it.each<[object, string, boolean]>([
    [text("airdrop"), "gm", false],
    [text("airdrop"), "airdrop", true],
    [{ all: [text("ab"), text("airdrop")] }, "ab", false],
    [{ all: [text("airdrop"), text("ab")] }, "ab", false],
    [{ all: [text("ab"), text("airdrop")] }, "airdrop", true],
    [{ all: [text("airdrop"), domain] }, "airdrop", false],
    [{ all: [domain, text("airdrop")] }, "airdrop", false],
    [{ all: [domain, text("airdrop")] }, "www.a.example", true],
    [{ all: [text("ab"), { text: { in: ["a", "airdrops"] } }] }, "airdrops", false],
    [{ all: [text("ab"), { text: { in: ["a", "airdrops"] } }] }, "ab", true],
    [{ all: [{ "text.length": { gte: 1 } }, text("airdrop")] }, "gm", false],
    [{ all: [{ "text.length": { gte: 1 } }, { is_reply: true }] }, "gm", true],
    [{ any: [text("airdrop"), domain] }, "gm", false],
    [{ any: [text("airdrop"), domain] }, "airdrop", true],
    [{ any: [text("airdrop"), domain] }, "www.b.a.example", true],
    [{ any: [text("airdrop"), domain] }, "www.b.example", false],
    [{ any: [text("airdrop"), { is_reply: true }] }, "gm", true],
    [{ not: text("airdrop") }, "gm", true],
    [{ text: { eq: "\u200B" } }, "", true],
    [{ any: [text("airdrop"), { text: { eq: "\u200B" } }] }, "gm", true],
    [{ all: [text("gm"), { text: { eq: "\u200B" } }] }, "gn", false],
    [text("airdrop"), "Аirdrор", true],
    [text("Аirdrор"), "Аirdrор", true],
    [{ text: { matches: "cafe" } }, "cafe\u0301", true],
    [{ text: { matches: "(?i)cafe" } }, "CAFE\u0301", true],
    [{ text: { matches: "(?i)scams" } }, "ſcamſ\u0301", true],
    [{ text: { matches: "(?i)scams" } }, "ſcamſ", true],
    [{ text: { matches: "(?i)casino" } }, "scaſino\u0301", true],
  ])("%j on %j: %s", (when, written, expected) => {
    expect(isLeft(when, castCreated(written))).toBe(expected);
  });
});
