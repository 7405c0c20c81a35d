import { describe, expect, it } from "vitest";
import { findBrokenInvariants } from "../support/sample-network.ts";
import { soak } from "../support/services.ts";
import { modelRuns } from "./subjects.ts";
import { useTestNetwork } from "../support/test-cases.ts";

const times = Number(soak ?? 1);
const seed = soak === undefined ? 20 : Date.now() % 1_000_000;

const network = await useTestNetwork();
await network.seed.bot(9001);

describe.each(modelRuns)("$title", ({ inOrder, atOnce }) => {
  it("the network answers like the model for any calls in any order", async () => {
    expect(await inOrder({ network, runs: 50 * times, seed })).toBe(50 * times);
  }, 600_000);

  it("eight callers at once: some order of one call after the other explains all that they saw", async () => {
    expect(await atOnce({ network, runs: 15 * times, seed })).toBe(15 * times);
  }, 600_000);
});

it("what they leave in the database holds together", async () => {
  expect(await findBrokenInvariants(network.context.database.query)).toEqual([]);
});
