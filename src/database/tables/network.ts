/** The embedded network's tables (migration 0001). Times are UNIX seconds unless the name says otherwise. */
export interface NetworkTables {
  "network.stream_heads": { stream: string; last_id: number };
}
