import type { REST } from "discord.js";
import type { ClockWatch } from "../clock.ts";

/**
 * discord.js notes until when it has to wait by the machine's clock: set back by an hour, it would send nothing for an
 * hour. So it forgets its limits then, of which Discord tells again. The result ends that.
 */
export function forgetLimitsOnJump(rest: REST, clockWatch: Pick<ClockWatch, "onJump">): () => void {
  return clockWatch.onJump(({ by }) => {
    if (by > 0) return;
    rest.globalReset = -1;
    rest.globalRemaining = rest.options.globalRequestsPerSecond;
    rest.handlers.clear();
  });
}
