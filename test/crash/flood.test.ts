import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkFlood } from "./check-flood.ts";
import { floodAndKill } from "./flood.ts";

test("killed in the middle of a flood, rules forget nothing: windows, cooldowns, breakers, strikes, ends of bans", async () => {
  const directory = await mkdtemp(join(tmpdir(), "castellan-test-"));
  const verdicts = await checkFlood(await floodAndKill(directory));
  expect(verdicts.flatMap(({ title, faults }) => faults.map((fault) => `${title}: ${fault}`))).toEqual([]);
  expect(verdicts.filter(({ looked }) => looked === 0)).toEqual([]);
  await rm(directory, { recursive: true });
});
