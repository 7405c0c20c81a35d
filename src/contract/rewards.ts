import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { Fid, PositionText, usualPaging } from "./values.ts";

const Milliseconds = z.int().min(0).describe("UNIX time in milliseconds");

const Winner = z.object({
  fid: Fid,
  score: z.number(),
  rank: z.int().min(1).describe("1 is first"),
  rewardCents: z.int().min(0),
  walletAddress: z.string().optional().describe("Absent if the user has no verified wallet"),
});

export const CreatorRewardWinner = Winner.extend({ username: z.string().optional() });
export type CreatorRewardWinner = z.infer<typeof CreatorRewardWinner>;

export const DeveloperRewardWinner = Winner.extend({ domain: z.string(), frameName: z.string() });
export type DeveloperRewardWinner = z.infer<typeof DeveloperRewardWinner>;

const history = <W extends z.ZodType>(winner: W) =>
  z.object({
    periodStartTimestamp: Milliseconds,
    periodEndTimestamp: Milliseconds,
    winners: z.array(winner),
  });

/** 0 or absent: the newest period with published winners. */
const periods = z.object({ periodsAgo: PositionText.default(0) });

export const creatorRewards = {
  winnerHistory: endpoint({
    method: "GET",
    path: "/v1/creator-rewards-winner-history",
    refusals: ["not_found"],
    paginated: usualPaging,
    summary: "Winners of a week's creator rewards by rank, published on Tuesdays at 17:00 UTC",
    input: periods,
    result: z.object({ history: history(CreatorRewardWinner) }),
  }),
};

export const developerRewards = {
  winnerHistory: endpoint({
    method: "GET",
    path: "/v1/developer-rewards-winner-history",
    refusals: ["not_found"],
    paginated: usualPaging,
    summary: "Winners of a week's developer rewards by rank, published on Wednesdays at 17:00 UTC",
    input: periods,
    result: history(DeveloperRewardWinner),
  }),
};
