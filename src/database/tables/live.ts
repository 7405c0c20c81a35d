/** What calls to the live network leave (migration 0027). `_ms` columns are UNIX milliseconds, others UNIX seconds. */
export interface LiveTables {
  /** Calls that went out, by the second in which they did. */
  "castellan.calls": {
    route: string;
    second: number;
    /** The background task; empty for what people wait for. */
    purpose: string;
    calls: number;
  };
  /** Routes that the network wants to be left alone. */
  "castellan.route_rests": { route: string; until_ms: number };
  /** Services that are left alone, for they failed again and again. */
  "castellan.upstream_rests": { upstream: string; since_ms: number; told_at_ms: number; reason: string };
  /** Events of channels that were read. */
  "castellan.channel_events": { event_id: string; happened_at_ms: number };
}
