import type { Generated } from "kysely";

/** `_ms` columns are UNIX milliseconds. */
export interface LinkListTables {
  /** One row per list that the operator names. */
  "castellan.link_lists": {
    name: string;
    url: string;
    /** What it lists is not bad, whatever other lists say. */
    allows: boolean;
    /** Drawn for each content that it has had; 0 as long as it was never read. */
    revision: Generated<number>;
    hosts: Generated<number>;
    allowed_hosts: Generated<number>;
    /** Lines that were no host. */
    skipped: Generated<number>;
    /** Hosts that it calls bad, and that everybody links to (common-hosts.ts). */
    left_out: Generated<string[]>;
    etag: string | null;
    modified: string | null;
    /** When it was last read, or said that nothing changed. */
    succeeded_at_ms: number | null;
    attempted_at_ms: number | null;
    next_at_ms: number;
    /** How often it failed since it was last good. */
    failures: Generated<number>;
    error: string | null;
  };
  /** What a list holds, 16,384 hosts in a part at most. */
  "castellan.link_list_parts": {
    list: string;
    revision: number;
    part: number;
    allows: boolean;
    /** See HostKey: two unsigned numbers of 32 bits for each host, little-endian. */
    keys: Uint8Array;
  };
}
