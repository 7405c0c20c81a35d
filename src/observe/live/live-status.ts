import type { RouteUse } from "./call-budget.ts";
import { readCurrentPlan } from "./current-plan.ts";
import type { LiveContext } from "./live-context.ts";
import type { ReadingPlan } from "./plan-reading.ts";

/** How much the live network is used, and how soon changes there are noticed. */
export interface LiveStatus {
  plan: ReadingPlan;
  /** Channels whose members and pins are read at the rate for busy channels. */
  busy: ReadonlySet<string>;
  /** The last hour, the most used route first. */
  uses: RouteUse[];
  /** Services whose circuit breaker is open after repeated failures. UNIX milliseconds. */
  openBreakers: { upstream: string; sinceMs: number; reason: string }[];
}

/** If a service's backoff was not reported for this long, it responds again, or nobody calls it. Milliseconds. */
const restLasts = 5 * 60_000;

export async function readLiveStatus(context: LiveContext): Promise<LiveStatus> {
  const { plan, channels } = await readCurrentPlan(context);
  const busy = new Set(channels.flatMap(({ channelId, isBusy }) => (isBusy ? [channelId] : [])));
  const uses = await context.live.budget.readUse();
  return { plan, busy, uses, openBreakers: await readOpenBreakers(context) };
}

/** Services whose circuit breaker is open in any process. */
export async function readOpenBreakers({
  database,
  clock,
}: Pick<LiveContext, "database" | "clock">): Promise<LiveStatus["openBreakers"]> {
  const rows = await database.query
    .selectFrom("castellan.upstream_backoffs")
    .selectAll()
    .where("announced_at_ms", ">", clock.now() - restLasts)
    .orderBy("upstream")
    .execute();
  return rows.map(({ upstream, since_ms, reason }) => ({ upstream, sinceMs: since_ms, reason }));
}

/** Milliseconds without a reading after which a source counts as late, by its name. */
export function lateAfter(plan: ReadingPlan, source: string): number {
  const [kind] = source.split("/");
  const seconds =
    kind === "listings" && !plan.byEvents
      ? plan.whole
      : kind === "followers"
        ? plan.whole
        : Math.max(plan.newest, plan.events);
  return (2 * seconds + 90) * 1000;
}
