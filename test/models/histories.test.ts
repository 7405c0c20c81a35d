import { expect, test } from "vitest";
import { soak } from "../support/services.ts";
import { liveAll } from "./run-histories.ts";

const runs = 20 * Number(soak ?? 1);
const seed = soak === undefined ? 14 : Date.now() % 1_000_000;

test("whatever moderators, rules and others do to each other: cases, cards, lists, ends and previews say what the network shows", async () => {
  expect((await liveAll(runs, seed)).histories).toBe(runs);
}, 600_000);
