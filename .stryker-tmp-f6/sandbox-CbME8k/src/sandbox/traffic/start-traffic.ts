// @ts-nocheck
import { setTimeout as wait } from "node:timers/promises";
import { followOrLeave } from "./follow-channels.ts";
import { inviteFollower } from "./membership.ts";
import { registerOrRelease } from "./register-names.ts";
import { hideFromOutside, spamTheMarket } from "./spam.ts";
import { castSomething, replyToSomething } from "./talk.ts";
import type { Scene, Town } from "./town.ts";

/** How often each scene starts, in milliseconds, and when first: a pace that one can watch. */
const programme: readonly { scene: Scene; every: number; first: number }[] = [
  { scene: castSomething, every: 9000, first: 2000 },
  { scene: replyToSomething, every: 13_000, first: 6000 },
  { scene: registerOrRelease, every: 17_000, first: 4000 },
  { scene: followOrLeave, every: 21_000, first: 8000 },
  { scene: spamTheMarket, every: 90_000, first: 10_000 },
  { scene: hideFromOutside, every: 70_000, first: 35_000 },
  { scene: inviteFollower, every: 55_000, first: 45_000 },
];

export interface Traffic {
  /** Ends after the calls under way. */
  stop(): Promise<void>;
}

/** Lets the sample network live until it is stopped. A scene that fails is logged and comes again. */
export function startTraffic(parts: Omit<Town, "pause" | "memory">): Traffic {
  const ending = new AbortController();
  const town: Town = {
    ...parts,
    memory: { casts: [], visitors: [] },
    pause: async (milliseconds) => {
      await wait(milliseconds, undefined, { signal: ending.signal });
    },
  };
  const lanes = programme.map(({ scene, every, first }) =>
    repeatScene(town, scene, every, first, ending.signal),
  );
  return {
    stop: async () => {
      ending.abort();
      await Promise.all(lanes);
    },
  };
}

async function repeatScene(town: Town, scene: Scene, every: number, first: number, ending: AbortSignal) {
  for (let delay = first; !ending.aborted; delay = every * (0.7 + 0.6 * town.random())) {
    try {
      await town.pause(delay);
      await scene(town);
    } catch (error) {
      if (!ending.aborted)
        town.log.warn({ err: error, scene: scene.name }, "a scene of the sample network failed");
    }
  }
}
