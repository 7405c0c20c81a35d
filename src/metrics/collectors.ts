import type { BotContext } from "../bot-context.ts";
import type { Database } from "../database/database.ts";
import { readOpenBreakers } from "../observe/live/live-status.ts";
import type { LiveContext } from "../observe/live/live-context.ts";
import type { QueueStatus } from "../queue/queue-status.ts";
import type { Sample } from "./samples.ts";

/** Connections of this process. */
export function readConnections({ pools }: Pick<Database, "pools">): Sample[] {
  return Object.entries(pools).flatMap(
    ([pool, { totalCount, idleCount, waitingCount, options }]): Sample[] => [
      ["castellan_database_connections", totalCount - idleCount, { pool, state: "active" }],
      ["castellan_database_connections", idleCount, { pool, state: "idle" }],
      ["castellan_database_connections_max", options.max, { pool }],
      ["castellan_database_waiting", waitingCount, { pool }],
    ],
  );
}

/** Parts of the process, named after /readycheck's: "The bot's key" is bot_key. */
export function readChecks(parts: readonly { part: string; isWell: boolean }[]): Sample[] {
  return parts.map(({ part, isWell }) => {
    const words = part.toLowerCase().replace(/'s\b|^the |[^a-z ]/g, "");
    return ["castellan_check_ok", isWell ? 1 : 0, { check: words.trim().replaceAll(" ", "_") }];
  });
}

export function readQueues(statuses: readonly QueueStatus[]): Sample[] {
  return statuses.flatMap(({ name: queue, oldestMs, ...states }): Sample[] => [
    ...Object.entries(states).map(([state, jobs]): Sample => [
      "castellan_queue_jobs",
      jobs,
      { queue, state },
    ]),
    ["castellan_queue_oldest_seconds", oldestMs / 1000, { queue }],
  ]);
}

/** The remaining calls to the live network, and its services that do not respond. */
export async function readCalls(
  context: Pick<BotContext, "database" | "clock"> & Pick<LiveContext, "live">,
): Promise<Sample[]> {
  const [uses, openBreakers] = await Promise.all([context.live.budget.readUse(), readOpenBreakers(context)]);
  return [
    ...uses.flatMap(({ route, calls, limit, restsUntil }): Sample[] => [
      ["castellan_call_budget_remaining_ratio", Math.max(0, 1 - calls / limit), { route }],
      ["castellan_route_refused", restsUntil === null ? 0 : 1, { route }],
    ]),
    ...openBreakers.map(({ upstream }): Sample => [
      "castellan_upstream_down",
      1,
      { upstream: nameUpstream(upstream) },
    ]),
  ];
}

/** An address may contain a key; the host is enough to distinguish hubs. */
export function nameUpstream(upstream: string): string {
  return URL.canParse(upstream) ? new URL(upstream).host : upstream;
}
