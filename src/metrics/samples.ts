/**
 * Values read at each scrape, by name, with their description and labels. If a value cannot be read, it is absent
 * rather than outdated.
 */
export const sampled = {
  castellan_build_info: { help: "1, with what runs in this process.", labels: ["role", "version"] },
  castellan_database_up: {
    help: "Whether the database responded to this scrape in time: 1 or 0.",
    labels: [],
  },
  castellan_collector_ok: {
    help: "Whether this part of the scrape could be read in time: 1 or 0.",
    labels: ["collector"],
  },
  castellan_check_ok: {
    help: "Whether this part of the process works, according to /readycheck: 1 or 0.",
    labels: ["check"],
  },
  castellan_database_connections: {
    help: "Connections of this process to the database, by pool and state.",
    labels: ["pool", "state"],
  },
  castellan_database_connections_max: {
    help: "Connections that a pool may open.",
    labels: ["pool"],
  },
  castellan_database_waiting: {
    help: "Statements of this process that wait for a connection.",
    labels: ["pool"],
  },

  castellan_hub_lag_seconds: {
    help: "Age of the newest hub event read, while there is more to read; 0 when all is read.",
    labels: ["shard"],
  },
  castellan_source_age_seconds: {
    help: "Seconds since the source was last read without an error; the maximum if there are several of a kind.",
    labels: ["kind"],
  },
  castellan_sources_failing: { help: "Sources that cannot be read.", labels: ["kind"] },
  castellan_feed_waiting: { help: "Events that wait to be posted in a room.", labels: ["rank"] },
  castellan_feed_oldest_seconds: {
    help: "Age of the oldest event that could be posted now.",
    labels: ["rank"],
  },
  castellan_feed_rooms_paused: { help: "Rooms that are missing or inaccessible.", labels: [] },
  castellan_feed_unsent_messages: {
    help: "Messages that Discord did not accept: blocked by AutoMod and retried, or refused and given up (parked).",
    labels: ["state"],
  },
  castellan_outbox_waiting: {
    help: "Edits, notices, answers and calls that wait.",
    labels: ["kind"],
  },
  castellan_outbox_oldest_seconds: { help: "Age of the oldest of them.", labels: ["kind"] },
  castellan_cases_open: {
    help: "Requested actions that are not settled, by the reason they wait.",
    labels: ["waiting_reason"],
  },
  castellan_cases_oldest_seconds: {
    help: "Age of the oldest of them, except those of bulks, which take longer.",
    labels: ["waiting_reason"],
  },
  castellan_evaluations_waiting: { help: "Events that wait for a server's rules.", labels: [] },
  castellan_evaluations_oldest_seconds: { help: "Age of the oldest of them.", labels: [] },
  castellan_evaluations_failed: {
    help: "Events that rules failed to evaluate repeatedly.",
    labels: [],
  },
  castellan_reviews_open: { help: "Reviews that wait for a moderator.", labels: [] },
  castellan_servers_with_stopped_rules: {
    help: "Servers in which Castellan stopped rules (by a breaker, or because they were slow) that nobody has changed since.",
    labels: [],
  },

  castellan_queue_jobs: { help: "Jobs of a worker, by state.", labels: ["queue", "state"] },
  castellan_queue_oldest_seconds: { help: "Age of the oldest job that waits.", labels: ["queue"] },

  castellan_call_budget_remaining_ratio: {
    help: "Remaining part of a route's hourly calls that Castellan allows itself: 0 to 1.",
    labels: ["route"],
  },
  castellan_route_refused: {
    help: "1 while the network accepts no more calls to a route.",
    labels: ["route"],
  },
  castellan_upstream_down: { help: "1 while a service's circuit breaker is open.", labels: ["upstream"] },
  castellan_discord_refused_calls: {
    help: "Calls that Discord rejected in the last ten minutes, of all processes: at 10,000 it bans the address.",
    labels: [],
  },
  castellan_gateway_shards: {
    help: "Shards that this bot process answers; 0 in a standby.",
    labels: [],
  },
} satisfies Record<string, { help: string; labels: string[] }>;

export type SampleName = keyof typeof sampled;
export type Sample = [name: SampleName, value: number, labels?: Record<string, string>];
