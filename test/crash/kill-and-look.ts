import { rm, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { besiege, killing } from "./siege.ts";
import type { Mode } from "./site.ts";

/** Kills the program while people work with it, and fails where anything is lost or told twice. */
export async function killAndLook(mode: Mode, kills: number): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "castellan-test-"));
  const seed = Date.now() % 1_000_000;
  const story = [`seed ${seed}`];
  const verdicts = await besiege({
    mode,
    disturb: killing(kills, seed + 1),
    seed,
    directory,
    tell: (line) => story.push(line),
  });
  const faults = verdicts.flatMap(({ title, faults }) => faults.map((fault) => `${title}: ${fault}`));
  // What happened tells how to try it again, and is only wanted where something is amiss.
  expect(faults.length > 0 ? [...story, ...faults] : []).toEqual([]);
  expect(verdicts.filter(({ looked }) => looked === 0)).toEqual([]);
  await rm(directory, { recursive: true });
}
