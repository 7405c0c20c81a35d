// @ts-nocheck
import { creatorRewards, developerRewards } from "../../contract/rewards.ts";
import type { Contract } from "../../contract/index.ts";
import { lastRefresh, refreshWeekdays } from "../domain/reward-refresh.ts";
import { read, type Operations } from "../operation.ts";
import { readPage } from "../store/paging.ts";
import { requirePeriod } from "../store/reward-periods.ts";

const path = { creators: creatorRewards.winnerHistory.path, developers: developerRewards.winnerHistory.path };

export const creatorRewardsOperations: Operations<Contract>["creatorRewards"] = {
  winnerHistory: read(creatorRewards.winnerHistory, async ({ context, db }, { periodsAgo, ...page }) => {
    const refreshed = lastRefresh(context.clock.now(), refreshWeekdays.creators);
    const period = await requirePeriod(db, "network.creator_reward_periods", refreshed, periodsAgo);
    const winners = db
      .selectFrom("network.creator_reward_winners")
      .select(["fid", "username", "score", "rank", "reward_cents", "wallet_address"])
      .where("period_start_ms", "=", period.periodStartTimestamp);
    const { rows, next } = await readPage(winners, {
      listing: [path.creators, period.periodStartTimestamp],
      order: ["rank", "fid"],
      direction: "asc",
      ...page,
    });
    const history = {
      ...period,
      winners: rows.map(({ username, ...row }) => ({
        ...toWinner(row),
        ...(username !== null && { username }),
      })),
    };
    return { result: { history }, ...next };
  }),
};

export const developerRewardsOperations: Operations<Contract>["developerRewards"] = {
  winnerHistory: read(developerRewards.winnerHistory, async ({ context, db }, { periodsAgo, ...page }) => {
    const refreshed = lastRefresh(context.clock.now(), refreshWeekdays.developers);
    const period = await requirePeriod(db, "network.developer_reward_periods", refreshed, periodsAgo);
    const winners = db
      .selectFrom("network.developer_reward_winners")
      .select(["fid", "domain", "frame_name", "score", "rank", "reward_cents", "wallet_address"])
      .where("period_start_ms", "=", period.periodStartTimestamp);
    const { rows, next } = await readPage(winners, {
      listing: [path.developers, period.periodStartTimestamp],
      // A user may win twice with two mini apps.
      order: ["rank", "fid", "id"],
      direction: "asc",
      ...page,
    });
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
};

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
