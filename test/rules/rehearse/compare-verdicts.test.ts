import { describe, expect, it } from "vitest";
import type { Verdict } from "../../../src/rules/evaluate/evaluate.ts";
import { Comparison } from "../../../src/rules/rehearse/compare-verdicts.ts";
import {
  author,
  castCreated,
  castHash,
  nameTaken,
  recordHidden,
  rule,
  ruleSetOf,
} from "../../support/rules.ts";

function verdict(id: string, truth: true | "unknown" = true, mode = "enforce"): Verdict {
  const [read] = ruleSetOf(rule({ id, mode })).rules;
  if (!read) throw new Error("no rule was read");
  return { rule: read, truth, tree: { kind: "all", truth, parts: [] } };
}

const gm = castCreated("GM all");
const sample = (text: string | null, eventId = 1, hash: string | null = castHash) => ({
  eventId,
  castHash: hash,
  channelId: "memes",
  authorFid: author,
  at: 1_700_000_000,
  text,
});

describe("what two sets of rules say of the same events", () => {
  it("is told by rule: newly hit, no longer, the same", () => {
    const comparison = new Comparison();
    comparison.add(gm, [verdict("a"), verdict("b")], [verdict("b"), verdict("c", true, "shadow")]);
    const nothing = { newly: [], no_longer: [], same: [] };
    expect(comparison.list()).toEqual([
      {
        ruleId: "c",
        mode: "shadow",
        counts: { newly: 1, no_longer: 0, same: 0 },
        unknown: 0,
        keptBack: 0,
        samples: { ...nothing, newly: [sample("GM all")] },
      },
      {
        ruleId: "a",
        mode: undefined,
        counts: { newly: 0, no_longer: 1, same: 0 },
        unknown: 0,
        keptBack: 0,
        samples: { ...nothing, no_longer: [sample("GM all")] },
      },
      {
        ruleId: "b",
        mode: "enforce",
        counts: { newly: 0, no_longer: 0, same: 1 },
        unknown: 0,
        keptBack: 0,
        samples: { ...nothing, same: [sample("GM all")] },
      },
    ]);
  });

  it("counts where the proposed rule could not tell, which is no hit", () => {
    const comparison = new Comparison();
    comparison.add(gm, [verdict("a", "unknown")], [verdict("a", "unknown")]);
    comparison.add(gm, [verdict("a", "unknown")], [verdict("a")]);
    comparison.add(gm, [verdict("a")], [verdict("a", "unknown")]);
    expect(comparison.list()).toMatchObject([
      { ruleId: "a", unknown: 2, counts: { newly: 1, no_longer: 1, same: 0 } },
    ]);
  });

  it("knows a rule's mode once the proposed rules have shown it", () => {
    const comparison = new Comparison();
    comparison.add(gm, [verdict("a", true, "off")], []);
    comparison.add(gm, [], [verdict("a", true, "shadow")]);
    comparison.add(gm, [verdict("a", true, "off")], []);
    expect(comparison.list()).toMatchObject([{ mode: "shadow" }]);
  });

  it("keeps three samples of each change, with the text or the name, as written", () => {
    const comparison = new Comparison();
    const seen = [castCreated("ＧＭ"), nameTaken("Ann"), recordHidden(), castCreated("four")];
    for (const occurrence of seen) comparison.add(occurrence, [], [verdict("a")]);
    expect(comparison.list()).toMatchObject([
      {
        counts: { newly: 4 },
        samples: { newly: [sample("ＧＭ"), sample("Ann", 1, null), sample(null, 1, null)] },
      },
    ]);
    expect(comparison.list()[0]?.samples.newly).toHaveLength(3);
  });

  it("lists first what differs, then what hits most", () => {
    const comparison = new Comparison();
    comparison.add(gm, [verdict("rare"), verdict("often")], [verdict("rare"), verdict("often")]);
    comparison.add(gm, [verdict("often")], [verdict("often")]);
    comparison.add(gm, [verdict("lost")], [verdict("won")]);
    comparison.add(gm, [verdict("lost")], []);
    expect(comparison.list().map(({ ruleId }) => ruleId)).toEqual(["lost", "won", "often", "rare"]);
    expect(new Comparison().list()).toEqual([]);
  });
});
