import type { Clock, ClockWatch } from "../clock.ts";
import type { Config } from "../config.ts";
import type { Log } from "../log.ts";
import type { Health } from "./health.ts";
import type { Keys } from "./keys.ts";

/** What every role of the program starts from. */
export interface Parts {
  config: Config;
  clock: Clock;
  clockWatch: ClockWatch;
  log: Log;
  keys: Keys;
  health: Health;
  /** Whether everything of this process is up. */
  isReady: () => boolean;
}
