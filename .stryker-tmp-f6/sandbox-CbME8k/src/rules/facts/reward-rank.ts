// @ts-nocheck
import type { Ask, Fact, FactSource } from "../evaluate/fact.ts";
import { readAllPages } from "./all-pages.ts";
import { authorNotKnown } from "./author-source.ts";
import { readNetwork } from "./read-network.ts";

const mostPages = 10;
/** Milliseconds for which the winners are kept; they change once a week. */
const lifetime = 300_000;

const winners: FactSource = {
  name: "creator rewards",
  far: true,
  async load(context, wanted) {
    const ranks = await context.memory.recall(
      "reward_ranks",
      () =>
        readNetwork(context, winners.name, async (signal) => {
          const { items } = await readAllPages(mostPages, async (cursor) => {
            const input = { periodsAgo: 0, limit: 1000, cursor };
            const { result, next } = await context.network.creatorRewards.winnerHistory(input, { signal });
            return { items: result.history.winners, next: next?.cursor };
          });
          return new Map(items.map(({ fid, rank }) => [fid, rank]));
        }),
      lifetime,
    );
    return wanted.map(({ occurrence: { authorFid: fid } }): Fact<number | null> => {
      if (fid === null) return authorNotKnown(winners.name, context);
      return ranks.known ? { ...ranks, value: ranks.value.get(fid) ?? null } : ranks;
    });
  },
};

/** The author's rank among the winners of the newest week of creator rewards; null for who won nothing. */
export const askRewardRank: Ask<number | null> = { key: "reward_rank", source: winners };
