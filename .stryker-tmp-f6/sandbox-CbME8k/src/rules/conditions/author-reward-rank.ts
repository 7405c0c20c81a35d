// @ts-nocheck
import { askRewardRank } from "../facts/reward-rank.ts";
import { userEvents } from "../evaluate/occurrence.ts";
import { numberCondition, readNumber } from "./number-condition.ts";

/** The author's rank in the newest week of creator rewards; for who won nothing, no test holds. */
export const authorRewardRank = numberCondition({
  name: "author.reward_rank",
  called: "the author's reward rank",
  events: userEvents,
  asks: [askRewardRank],
  read: readNumber(askRewardRank),
});
