import type { Generated } from "kysely";

/** What is to be erased and edited, and what could not be read. `_ms` columns are UNIX milliseconds. */
export interface RetentionTables {
  /** An author asked for it. What was on its way at that moment is erased by a repetition. */
  "castellan.erasures": {
    id: Generated<number>;
    fid: number;
    /** What happened later is kept again. */
    up_to_event_id: number;
    requested_at_ms: number;
    repeat_until_ms: number;
    finished_at_ms: number | null;
  };
  /** Hub events that could not be read or stored, so that they hold up nothing behind them. */
  "castellan.set_aside_events": {
    id: Generated<number>;
    source: string;
    /** null where the event has no usable id. */
    event_id: number | null;
    type: string;
    reason: string;
    set_aside_at_ms: number;
  };
}
