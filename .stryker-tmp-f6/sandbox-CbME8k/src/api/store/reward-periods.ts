// @ts-nocheck
import type { Queryable } from "../../database/database.ts";
import { AppError } from "../../errors.ts";

export interface RewardPeriod {
  /** UNIX milliseconds, as the end. */
  periodStartTimestamp: number;
  periodEndTimestamp: number;
}

/** The period so many before the newest whose winners were out at the last refresh; none is `not_found`. */
export async function requirePeriod(
  db: Queryable,
  table: "network.creator_reward_periods" | "network.developer_reward_periods",
  refreshed: number,
  periodsAgo: number,
): Promise<RewardPeriod> {
  const period = await db
    .selectFrom(table)
    .select(["period_start_ms as periodStartTimestamp", "period_end_ms as periodEndTimestamp"])
    .where("period_end_ms", "<", refreshed)
    .orderBy("period_start_ms", "desc")
    .offset(periodsAgo)
    .limit(1)
    .executeTakeFirst();
  if (!period) throw new AppError("not_found", "There is no such period.");
  return period;
}
