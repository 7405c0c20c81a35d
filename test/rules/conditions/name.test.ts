import { expect, it } from "vitest";
import { truthOf, createLeafReader } from "../../../src/rules/evaluate/condition.ts";
import { conditionOf, factsOf, nameTaken } from "../../support/rules.ts";

it.each([
  [{ eq: "alice" }, "alice", true],
  [{ eq: "Alice" }, "alice", true],
  [{ eq: "alice" }, "alice2", false],
  [{ in: ["bob", "ALICE"] }, "alice", true],
  [{ in: ["bob", "carol"] }, "alice", false],
  [{ matches: "^al" }, "alice", true],
  [{ matches: "^lice" }, "alice", false],
  [{ matches: "support|help-?desk" }, "memes-helpdesk", true],
])("the name %j of %s: %s", (name, taken, expected) => {
  const condition = conditionOf({ name }, "username_proof.merged");
  expect(truthOf(condition, createLeafReader(nameTaken(taken), factsOf()))).toBe(expected);
});
