import { sql } from "kysely";
import type { Clock } from "../clock.ts";
import type { Database } from "./database.ts";

/** The time of the database's server. */
export interface ServerClock extends Clock {
  /** Asks the server again, for whoever has reason to doubt it. */
  look(): Promise<void>;
  close(): Promise<void>;
}

/** Milliseconds: how often the server is asked, and how long an answer may take to be of use. */
const every = 30_000;
const longestAnswer = 2_000;

/**
 * Processes that share a database judge each other's leases and due times, so they go by the one clock that they share, and not
 * by those of their machines. The server is asked first, so that it is known from the beginning.
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
  // While the database is away there is nothing to do at a time.
  const timer = setInterval(() => void look().catch(() => {}), every).unref();
  return {
    now: () => Math.round((ahead ?? 0) + machine.monotonic()),
    monotonic: () => machine.monotonic(),
    look,
    close: async () => clearInterval(timer),
  };
}
