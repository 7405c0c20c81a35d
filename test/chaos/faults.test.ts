import { readFileSync } from "node:fs";
import { expect, it, test } from "vitest";
import { applyFault } from "../support/broken-copy.ts";
import { findMissing, findWrong } from "./compare.ts";
import { findFaults } from "./faults/index.ts";

const faults = findFaults();

it("At least forty faults are injected, and ten name the protection that they prove", () => {
  const names = faults.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThanOrEqual(40);
  expect(faults.filter(({ without }) => without !== undefined).length).toBeGreaterThanOrEqual(10);
});

const patches = faults.flatMap(({ name, without }) =>
  (without?.patches ?? []).map((patch) => ({ name, patch })),
);

test.each(patches)("$name: the words of its protection are in the source", ({ patch }) => {
  const source = readFileSync(patch.file, "utf8");
  expect(applyFault(source, patch)).not.toBe(source);
});

const recorded = {
  names: ["registered a", "registered b", "released a"],
  records: ["hide x 1"],
};
const comparisons = [
  { when: "everything is posted", names: recorded.names, missing: [], wrong: [] },
  {
    when: "an event is lost",
    names: ["registered a", "released a"],
    missing: ["registered b"],
    wrong: [],
  },
  {
    when: "an event is posted twice",
    names: ["registered a", "registered a", "registered b", "released a"],
    missing: [],
    wrong: ["posted twice: registered a"],
  },
  {
    when: "an event is posted late",
    names: ["registered b", "registered a", "released a"],
    missing: [],
    wrong: ["posted late: registered a after registered b"],
  },
  {
    when: "something is posted that never happened",
    names: [...recorded.names, "registered c"],
    missing: [],
    wrong: ["posted, but not on the network: registered c"],
  },
];

test.each(comparisons)("The comparison with the network notices when $when", ({ names, missing, wrong }) => {
  const posted = { ...recorded, names };
  expect(findMissing(recorded, posted)).toEqual(missing);
  expect(findWrong(recorded, posted)).toEqual(wrong);
});
