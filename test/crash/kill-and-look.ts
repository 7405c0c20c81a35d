import { rm, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { besiege, killing } from "./siege.ts";
import type { Mode } from "./site.ts";

/**
 * Kills the program while people work with it. Gives what is lost or told twice, or was not looked at, after what happened,
 * which tells how to try it again; nothing where all is well.
 */
export async function killAndLook(mode: Mode, kills: number): Promise<string[]> {
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
  const faults = verdicts.flatMap(({ title, looked, faults }) =>
    (looked === 0 ? ["nothing was looked at"] : faults).map((fault) => `${title}: ${fault}`),
  );
  if (faults.length > 0) return [...story, ...faults];
  await rm(directory, { recursive: true });
  return [];
}
