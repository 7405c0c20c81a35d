import { describe, expect, test } from "vitest";
import { soak } from "../support/services.ts";
import { aspects, interleaveAll } from "./own-actions.ts";

const runs = 20 * Number(soak ?? 1);
const seed = soak === undefined ? 38 : Date.now() % 1_000_000;

describe("whatever we and others do to the same, in whichever order it is done, answered and read", () => {
  test.each(aspects)(
    "%s: each change has one event and one case, and cases in force are what stands",
    async (aspect) => {
      expect(await interleaveAll(aspect, runs, seed)).toBe(runs);
    },
    600_000,
  );
});
