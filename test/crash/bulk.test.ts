import { expect, test } from "vitest";
import { killBulk, type BulkDeed } from "./kill-bulk.ts";

const [targets, kills] = [120, 3];

/** `npm run soak:bulk` kills one of 500 ten times. */
test.each<BulkDeed>(["hide", "ban", "ban in two channels"])(
  `a bulk of ${targets} to %s that is killed ${kills} times does each target once, and counts right`,
  async (deed) => {
    const verdicts = await killBulk({ deed, targets, kills, tell: () => {} });
    expect(verdicts.flatMap(({ title, faults }) => faults.map((fault) => `${title}: ${fault}`))).toEqual([]);
    expect(verdicts.map(({ looked }) => looked)).toEqual([kills, targets, targets, targets, 1]);
  },
);
