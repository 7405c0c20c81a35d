import { describe, expect, it } from "vitest";
import { starterRules } from "../../../src/rules/starter/starter-rules.ts";
import { actionsExample, readActions, writeActions } from "../../../src/rules/starter/write-actions.ts";
import { ruleSetOf } from "../../support/rules.ts";

describe("actions in one line", () => {
  it.each<[string, object[]]>([
    ["hide", [{ hide: {} }]],
    [" Hide ,  review ", [{ hide: {} }, { review: {} }]],
    ["review in links", [{ review: { queue: "links" } }]],
    ["ban", [{ ban: {} }]],
    ["ban permanently", [{ ban: {} }]],
    ["ban for 1d 12h", [{ ban: { for: "1d 12h" } }]],
    ["soft ban", [{ soft_ban: {} }]],
    ["strike", [{ strike: {} }]],
    ["strike for 7d", [{ strike: { ttl: "7d" } }]],
    ["invite, alert", [{ invite: { role: "member" } }, { alert: {} }]],
  ])("%s", (line, entries) => {
    expect(readActions(line)).toEqual(entries);
  });

  it("of the example can be read, and are actions that a rule takes", () => {
    const then = readActions(actionsExample);
    expect(then).toHaveLength(5);
    for (const action of then) {
      const rule = { id: "x", on: ["cast.created"], when: { "text.links": { gte: 1 } }, then: [action] };
      expect(() => ruleSetOf(rule)).not.toThrow();
    }
  });

  it.each(["", "hide,", "explode", "strike many", "ban: 1d"])("refuses %j", (line) => {
    expect(() => readActions(line)).toThrow(/Write it as in:/);
  });

  it.each(starterRules.map(({ id, entry }) => [id, entry] as const))(
    "of %s are written as they are read",
    (_, entry) => {
      const line = writeActions(entry);
      expect(writeActions({ then: readActions(line) })).toBe(line);
    },
  );
});
