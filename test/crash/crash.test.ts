import { rm, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { besiege, killing } from "./siege.ts";

/** `npm run soak` kills 30 times and 10 times. */
test.concurrent.each([
  { mode: "bot", kills: 2, what: "the bot, while network and Discord live on" },
  { mode: "together", kills: 1, what: "everything at once" },
] as const)(
  "killing $what loses nothing answered and tells nothing twice",
  { timeout: 240_000 },
  async ({ mode, kills }) => {
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
  },
);
