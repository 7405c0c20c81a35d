import type { MessageSigner } from "../api/signatures.ts";
import type { Clock, ClockWatch } from "../clock.ts";
import type { Config } from "../config.ts";
import type { Database } from "../database/database.ts";
import type { AppError } from "../errors.ts";
import type { Log } from "../log.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { Health } from "./health.ts";
import type { Keys } from "./keys.ts";

/** Shared by all parts of a process when they open. */
export interface StartContext {
  config: Config;
  /** The machine's clock. */
  clock: Clock;
  clockWatch: ClockWatch;
  log: Log;
  keys: Keys;
  /** By fid, for the sandbox's people, whose keys it adds. */
  messageSigners: Map<number, MessageSigner>;
  database: Database;
  health: Health;
  /** Absent without metrics. */
  metrics?: Metrics | undefined;
  /** Whether this process's network is up. */
  isReady: () => boolean;
  /** Called with the reason when the process cannot continue. It should then end, so that a supervisor restarts it. */
  onFatal: (error: AppError) => void;
  /** Aborted when the process is asked to end while it starts. */
  signal: AbortSignal;
}
