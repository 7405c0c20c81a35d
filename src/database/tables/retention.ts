import type { Generated } from "kysely";

/** Erasures and the edits they need, and unreadable events. `_ms` columns are UNIX milliseconds. */
export interface RetentionTables {
  /** Requested by an author. A repetition erases data that was in transit at the time. */
  "castellan.erasures": {
    id: Generated<number>;
    fid: number;
    /** Later events are stored again. */
    up_to_event_id: number;
    requested_at_ms: number;
    repeat_until_ms: number;
    finished_at_ms: number | null;
  };
  /** Hub events that could not be read or stored, set aside so that they do not block later ones. */
  "castellan.set_aside_events": {
    id: Generated<number>;
    source: string;
    /** null if the event has no usable id. */
    event_id: number | null;
    type: string;
    reason: string;
    set_aside_at_ms: number;
  };
}
