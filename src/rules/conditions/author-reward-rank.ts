import { userEvents } from "../evaluate/occurrence.ts";
import { needOf, type Fact, type FactContext, type FactSource } from "../facts/fact.ts";
import { authorNotKnown, readAllPages, readNetwork } from "../facts/read-network.ts";
import { factField, numberCondition } from "./make-condition.ts";

const maxPages = 10;
/** Milliseconds for which the winners are cached; they change once a week. */
const lifetime = 300_000;

const source: FactSource<number | null, []> = {
  name: "creator rewards",
  far: true,
  async load(context, wanted) {
    const ranks = await context.cache.get("reward_ranks", () => readRanks(context), lifetime);
    return wanted.map(({ occurrence: { authorFid: fid } }): Fact<number | null> => {
      if (fid === null) return authorNotKnown(source.name, context);
      return ranks.known ? { ...ranks, value: ranks.value.get(fid) ?? null } : ranks;
    });
  },
};
export const rewardRank = needOf(source);

function readRanks(context: FactContext): Promise<Fact<Map<number, number>>> {
  return readNetwork(context, source.name, async (signal) => {
    const { items } = await readAllPages(maxPages, async (cursor) => {
      const input = { periodsAgo: 0, limit: 1000, cursor };
      const { result, next } = await context.network.creatorRewards.winnerHistory(input, { signal });
      return { items: result.history.winners, next: next?.cursor };
    });
    return new Map(items.map(({ fid, rank }) => [fid, rank]));
  });
}

/** The author's rank in the newest week of creator rewards; no test holds for an author without a reward. */
export const authorRewardRank = numberCondition({
  name: "author.reward_rank",
  called: "the author's reward rank",
  events: userEvents,
  field: factField(rewardRank),
});
