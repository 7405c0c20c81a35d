import { setTimeout as wait } from "node:timers/promises";
import { asAppError, httpErrors, isFinalStatus, type AppError } from "../../errors.ts";
import {
  castSomething,
  followOrLeave,
  hideFromOutside,
  inviteFollower,
  registerOrRelease,
  replyToSomething,
  type Scene,
  spamTheMarket,
  type TrafficContext,
} from "./scenes.ts";

/** The interval of each scene and its first start, in milliseconds: a pace that people can follow. */
const schedule: readonly { scene: Scene; every: number; first: number }[] = [
  { scene: castSomething, every: 9000, first: 2000 },
  { scene: replyToSomething, every: 13_000, first: 6000 },
  { scene: registerOrRelease, every: 17_000, first: 4000 },
  { scene: followOrLeave, every: 21_000, first: 8000 },
  { scene: spamTheMarket, every: 90_000, first: 10_000 },
  { scene: hideFromOutside, every: 70_000, first: 35_000 },
  { scene: inviteFollower, every: 55_000, first: 45_000 },
];

export interface Traffic {
  /** Resolves after pending calls. */
  stop(): Promise<void>;
}

/**
 * Keeps the sample network busy until it is stopped. A failed scene is logged and repeated. Refusals are expected:
 * people may be banned or lose their role.
 */
export function startTraffic(parts: Omit<TrafficContext, "pause" | "memory">): Traffic {
  const ending = new AbortController();
  const context: TrafficContext = {
    ...parts,
    memory: { casts: [], visitors: [] },
    pause: async (milliseconds) => {
      await wait(milliseconds, undefined, { signal: ending.signal });
    },
  };
  const loops = schedule.map(({ scene, every, first }) =>
    repeatScene(context, scene, every, first, ending.signal),
  );
  return {
    stop: async () => {
      ending.abort();
      await Promise.all(loops);
    },
  };
}

async function repeatScene(
  context: TrafficContext,
  scene: Scene,
  every: number,
  first: number,
  ending: AbortSignal,
): Promise<void> {
  for (let delay = first; !ending.aborted; delay = every * (0.7 + 0.6 * context.random())) {
    try {
      await context.pause(delay);
      await scene(context);
    } catch (error) {
      if (ending.aborted) return;
      const refusal = asRefusal(error);
      if (refusal) context.log.debug({ scene: scene.name, reason: refusal.code }, refusal.message);
      else context.log.warn({ err: error, scene: scene.name }, "a scene of the sample network failed");
    }
  }
}

/** Errors that repeating cannot fix. */
function asRefusal(error: unknown): AppError | undefined {
  const known = asAppError(error);
  return known && isFinalStatus(httpErrors[known.code]?.status ?? 0) ? known : undefined;
}
