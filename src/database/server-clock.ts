import { sql } from "kysely";
import type { Clock } from "../clock.ts";
import type { Database } from "./database.ts";

/** The database server's time. */
export interface ServerClock extends Clock {
  /** Reads the server's time again, for callers with a reason to distrust the current value. */
  look(): Promise<void>;
  close(): Promise<void>;
}

/** Milliseconds between reads of the server's time, and the maximum age of a useful response. */
const every = 30_000;
const longestAnswer = 2_000;

/**
 * Processes that share a database compare each other's leases and due times, so they use the server's clock instead of
 * their machines'. The server is read first, so that its time is known from the start.
 */
export async function followServerClock(
  { query }: Pick<Database, "query">,
  machine: Clock,
): Promise<ServerClock> {
  let ahead: number | undefined;
  const look = async () => {
    const asked = machine.monotonic();
    const { rows } = await sql<{ now: number }>`
      select (extract(epoch from clock_timestamp()) * 1000)::bigint as now
    `.execute(query);
    const answered = machine.monotonic();
    const isLate = ahead !== undefined && answered - asked > longestAnswer;
    if (rows[0] && !isLate) ahead = rows[0].now - (asked + answered) / 2;
  };
  await look();
  // While the database is unavailable, nothing depends on the time.
  const timer = setInterval(() => void look().catch(() => {}), every).unref();
  return {
    now: () => Math.round((ahead ?? 0) + machine.monotonic()),
    monotonic: () => machine.monotonic(),
    look,
    close: async () => clearInterval(timer),
  };
}
