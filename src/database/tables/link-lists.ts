import type { Generated } from "kysely";

/** `_ms` columns are UNIX milliseconds. */
export interface LinkListTables {
  /** One row per list in the operator's settings. */
  "castellan.link_lists": {
    name: string;
    url: string;
    /** Its entries are never bad, even if other lists contain them. */
    allows: boolean;
    /** Random for each version of the list's content; 0 until the first read. */
    revision: Generated<number>;
    hosts: Generated<number>;
    allowed_hosts: Generated<number>;
    /** Lines that are not a host. */
    skipped: Generated<number>;
    /** Listed hosts that are ignored because so many people link to them (common-hosts.ts). */
    left_out: Generated<string[]>;
    etag: string | null;
    modified: string | null;
    /** When it was last read or found unchanged. */
    succeeded_at_ms: number | null;
    attempted_at_ms: number | null;
    next_at_ms: number;
    /** Failures since the last success. */
    failures: Generated<number>;
    error: string | null;
  };
  /** A list's entries, at most 16,384 hosts per part. */
  "castellan.link_list_parts": {
    list: string;
    revision: number;
    part: number;
    allows: boolean;
    /** See HostKey: two unsigned 32-bit numbers per host, little-endian. */
    keys: Uint8Array;
  };
}
