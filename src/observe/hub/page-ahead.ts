import type { BotContext } from "../../bot-context.ts";
import { seconds } from "../../clock.ts";
import type { HubEvent } from "../../contract/hub.ts";
import type { Source } from "../sources.ts";
import { readBlocks } from "./blocks.ts";
import { createAsk, firstQuestion, type Answer } from "./fetch-page.ts";

/** A hub's answer that was asked for before the source stood where it stands; UNIX milliseconds. */
export interface EarlyAnswer extends Answer {
  askedAtMs: number;
}

/**
 * The page behind the one that is being stored: of a shard that is far behind, reading takes as long as storing, and another
 * processor can do it. What comes of it counts only where the source then stands as was foreseen; an answer that did not come
 * is asked for again, by whoever wants it.
 */
export interface PageAhead {
  /** Asks for what will come behind `source` once these events, which are its next, are stored. */
  begin(source: Source, events: readonly HubEvent[]): void;
  /** What was asked for, if that is what comes behind this source. */
  take(source: Source): Promise<EarlyAnswer | undefined>;
  /** Gives up what nobody took. */
  drop(): void;
}

export function createPageAhead(context: BotContext, shard: number | undefined): PageAhead {
  const { clock } = context;
  let begun:
    { position: number; answer: Promise<EarlyAnswer | undefined>; over: AbortController } | undefined;
  const drop = () => {
    begun?.over.abort();
    begun = undefined;
  };
  return {
    begin(source, events) {
      drop();
      const last = events.at(-1);
      if (!last) return;
      const { newestAt, left } = readBlocks(source, events, seconds(clock));
      const position = last.id;
      const next = { ...source, position, anchored: true, newest_at: newestAt, block_left: left };
      const over = new AbortController();
      const askedAtMs = clock.now();
      const asking = createAsk(context, shard, next, over.signal)({ ...firstQuestion(next), attempts: 1 });
      const answer = asking.then(
        (given) => ({ ...given, askedAtMs }),
        () => undefined,
      );
      begun = { position, answer, over };
    },
    async take({ position, anchored, unreadable_within }) {
      const isNext = begun?.position === position && anchored && unreadable_within === null;
      const answer = isNext ? await begun?.answer : undefined;
      drop();
      return answer;
    },
    drop,
  };
}
