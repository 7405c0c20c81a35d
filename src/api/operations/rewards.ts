import { creatorRewards, developerRewards } from "../../contract/rewards.ts";
import type { Queryable } from "../../database/database.ts";
import { AppError } from "../../errors.ts";
import { lastRefresh, refreshWeekdays } from "../domain/reward-refresh.ts";
import { implement, read } from "../operation.ts";
import { listing } from "../store/paging.ts";

export const creatorRewardsOperations = implement(creatorRewards, {
  winnerHistory: read(async ({ context, db }, { periodsAgo, ...page }) => {
    const refreshed = lastRefresh(context.clock.now(), refreshWeekdays.creators);
    const period = await requirePeriod(db, "network.creator_reward_periods", refreshed, periodsAgo);
    const { rows, next } = await listCreators(db, { period: period.periodStartTimestamp }, page);
    const history = {
      ...period,
      winners: rows.map(({ username, ...row }) => ({
        ...toWinner(row),
        ...(username !== null && { username }),
      })),
    };
    return { result: { history }, ...next };
  }),
});

export const developerRewardsOperations = implement(developerRewards, {
  winnerHistory: read(async ({ context, db }, { periodsAgo, ...page }) => {
    const refreshed = lastRefresh(context.clock.now(), refreshWeekdays.developers);
    const period = await requirePeriod(db, "network.developer_reward_periods", refreshed, periodsAgo);
    const { rows, next } = await listDevelopers(db, { period: period.periodStartTimestamp }, page);
    return {
      result: {
        ...period,
        winners: rows.map(({ domain, frame_name: frameName, ...row }) => ({
          ...toWinner(row),
          domain,
          frameName,
        })),
      },
      ...next,
    };
  }),
});

const listCreators = listing({
  path: creatorRewards.winnerHistory.path,
  order: ["rank", "fid"],
  direction: "asc",
  select: (db, { period }: { period: number }) =>
    db
      .selectFrom("network.creator_reward_winners")
      .select(["fid", "username", "score", "rank", "reward_cents", "wallet_address"])
      .where("period_start_ms", "=", period),
});

const listDevelopers = listing({
  path: developerRewards.winnerHistory.path,
  // A user may win twice, with two mini apps.
  order: ["rank", "fid", "id"],
  direction: "asc",
  select: (db, { period }: { period: number }) =>
    db
      .selectFrom("network.developer_reward_winners")
      .select(["fid", "domain", "frame_name", "score", "rank", "reward_cents", "wallet_address"])
      .where("period_start_ms", "=", period),
});

interface WinnerRow {
  fid: number;
  score: number;
  rank: number;
  reward_cents: number;
  wallet_address: string | null;
}

function toWinner({ fid, score, rank, reward_cents: rewardCents, wallet_address: walletAddress }: WinnerRow) {
  return { fid, score, rank, rewardCents, ...(walletAddress !== null && { walletAddress }) };
}

interface RewardPeriod {
  /** UNIX milliseconds, like the end. */
  periodStartTimestamp: number;
  periodEndTimestamp: number;
}

/** The period that many before the newest one published at the last refresh; `not_found` if there is none. */
async function requirePeriod(
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
