import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { actOnVerdicts } from "../../../src/rules/verdicts/act-on-verdicts.ts";
import type { Verdict } from "../../../src/rules/evaluate/evaluate.ts";
import { createRuleEngine } from "../../support/rule-engine.ts";
import { castCreated, rule, ruleSetOf } from "../../support/rules.ts";
import { clockOf } from "../../support/world.ts";

const engine = await createRuleEngine();
const { database } = engine.network.context;
afterAll(() => database.close());
beforeEach(() => database.truncate());

/** What comes of a rule that fired on a cast whose author nobody knows. */
async function fire(change: Record<string, unknown>) {
  const [fired] = ruleSetOf(rule(change)).rules;
  if (!fired) throw new Error("no rule was read");
  const tree: Verdict["tree"] = { kind: "leaf", name: "text", sentence: "", truth: true, value: "airdrop" };
  const occurrence = castCreated("airdrop", { authorFid: null });
  const situation = { occurrence, version: 1, pause: undefined, postponements: 0 };
  const clock = clockOf(() => occurrence.event.observedAt);
  return database.transaction((tx) =>
    actOnVerdicts(tx, { clock, propose: engine.context.propose }, situation, [
      { rule: fired, truth: true, tree },
    ]),
  );
}

describe("an action that has no aim", () => {
  it("is said to be impossible, and the others are done", async () => {
    const { events } = await fire({ then: [{ ban: {} }, { hide: {} }] });
    const why = "The author is not known.";
    expect(await engine.decisions()).toMatchObject([
      { action: "ban the author", outcome: "impossible", why, case_id: null },
      { action: "hide the cast", outcome: "acted", why: null },
    ]);
    expect(await engine.cases()).toMatchObject([{ kind: "hide" }]);
    const actions = [`ban the author: not done. ${why}`, "hide the cast"];
    expect(events).toMatchObject([{ kind: "rule.hit", data: { actions } }]);
  });

  it("is not held", async () => {
    await fire({ mode: "review", then: [{ ban: {} }] });
    expect(await engine.decisions()).toMatchObject([{ outcome: "impossible" }]);
    expect(await database.query.selectFrom("castellan.review_items").selectAll().execute()).toEqual([]);
  });
});
