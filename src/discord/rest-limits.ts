import type { REST } from "discord.js";
import { exponentialBackoff } from "../async.ts";
import type { ClockWatch } from "../clock.ts";
import { AppError } from "../errors.ts";

/**
 * discord.js notes until when it has to wait by the machine's clock: set back by an hour, it would send nothing for an
 * hour. So it is made to forget its limits then; Discord sends them again. Call the result to stop.
 */
export function forgetLimitsOnJump(rest: REST, clockWatch: Pick<ClockWatch, "onJump">): () => void {
  return clockWatch.onJump(({ by }) => {
    if (by > 0) return;
    rest.globalReset = -1;
    rest.globalRemaining = rest.options.globalRequestsPerSecond;
    rest.handlers.clear();
  });
}

/** Milliseconds: the first time that calls are kept back when this machine is blocked, and the longest. */
const blockPauses = { first: 60_000, longest: 15 * 60_000 };

/** Keeps calls back while Discord refuses all of them, so that they do not add to what it counts against us. */
export function createGate() {
  let closedUntil = 0;
  let blocks = 0;
  const close = (time: number) => void (closedUntil = Math.max(closedUntil, performance.now() + time));
  return {
    close,
    /** Throws `discord_unreachable` while it is closed. */
    pass(): void {
      const left = Math.ceil((closedUntil - performance.now()) / 1000);
      if (left <= 0) return;
      const message = "Discord refuses what this machine sends; Castellan waits before it tries again.";
      throw new AppError("discord_unreachable", message, { retryAfter: left });
    },
    blocked(): void {
      close(exponentialBackoff(blocks + 1, blockPauses));
      blocks += 1;
    },
    opened: () => void (blocks = 0),
  };
}
