import type { MessageSigner } from "../api/signatures.ts";
import type { Clock, ClockWatch } from "../clock.ts";
import type { Config } from "../config.ts";
import type { Database } from "../database/database.ts";
import type { AppError } from "../errors.ts";
import type { Log } from "../log.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { Health } from "./health.ts";
import type { Keys } from "./keys.ts";

/** What each part of a process is opened with. */
export interface StartContext {
  config: Config;
  /** The machine's. */
  clock: Clock;
  clockWatch: ClockWatch;
  log: Log;
  keys: Keys;
  /** By fid, for people of the sandbox, whose keys it adds. */
  messageSigners: Map<number, MessageSigner>;
  database: Database;
  health: Health;
  /** Absent where nobody scrapes this process. */
  metrics?: Metrics | undefined;
  /** Whether the network of this process is up. */
  isReady: () => boolean;
  /** Hears why the process cannot go on: it should end, so that a supervisor starts it anew. */
  onFatal: (error: AppError) => void;
  /** Aborted when the process is asked to end while it starts. */
  signal: AbortSignal;
}
