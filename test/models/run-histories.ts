import * as fc from "fast-check";
import { createWorld } from "../support/world.ts";
import { history, live } from "./histories.ts";
import { prepareStaff } from "./history-world.ts";

/** Lives through so many histories in a database; how many steps they had. Throws the first that goes wrong, as it is. */
export async function liveAll(numRuns: number, seed: number): Promise<{ histories: number; steps: number }> {
  const bot = await createWorld();
  const counted = { histories: 0, steps: 0 };
  try {
    await prepareStaff(bot);
    await fc.assert(
      fc.asyncProperty(history, async (steps) => {
        counted.histories += 1;
        counted.steps += await live(bot, counted.histories, steps);
      }),
      // To make it shorter takes minutes, and what those before left behind may matter.
      { numRuns, seed, endOnFailure: true },
    );
    return counted;
  } finally {
    await bot.database.close();
  }
}
