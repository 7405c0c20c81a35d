import type { BotContext } from "../../bot-context.ts";
import { seconds } from "../../clock.ts";
import type { HubEvent } from "../../contract/hub.ts";
import type { Source } from "../sources.ts";
import { readBlocks } from "./blocks.ts";
import { createAsk, firstQuestion, isFull, type Answer } from "./fetch-page.ts";

/** What a hub gave before the source stood where it stands; UNIX milliseconds. */
export interface EarlyAnswer extends Answer {
  askedAtMs: number;
}

/**
 * What comes behind the page that is being stored: of a shard that is far behind, reading takes as long as storing, and another
 * processor, or another machine, can do it. It counts only where the source then stands as was foreseen; an answer that did not
 * come is asked for again, by whoever wants it.
 */
export interface PageAhead {
  /** Asks for what will come behind `source` once these events, which are its next, are stored. */
  begin(source: Source, events: readonly HubEvent[]): void;
  /** What came of it, if that is what comes behind this source. */
  take(source: Source): Promise<EarlyAnswer | undefined>;
  /** Gives up what nobody took. */
  drop(): void;
}

/**
 * Pages of a shard that are stored together, where so many came while one was stored: a transaction of two takes less than two.
 * Shards that share the process store one each, for what is in hand of all of them together is what takes memory.
 */
const pagesTogether = { alone: 2, besideOthers: 1 };

/** Nothing is asked for ahead where the hub is in this process: it would wait for what is being stored. */
export function createPageAhead(context: BotContext, shard: number | undefined, isOnly: boolean): PageAhead {
  const most = isOnly ? pagesTogether.alone : pagesTogether.besideOthers;
  let begun: Collection | undefined;
  const drop = () => {
    begun?.stop();
    begun = undefined;
  };
  return {
    begin(source, events) {
      drop();
      const next = context.live && standBehind(context, source, events);
      if (next) begun = collect(context, shard, next, most);
    },
    async take({ position, anchored, unreadable_within }) {
      const isNext = begun?.from === position && anchored && unreadable_within === null;
      const answer = isNext ? await begun?.answer() : undefined;
      drop();
      return answer;
    },
    drop,
  };
}

/** The source as it will be once these events are stored. */
function standBehind({ clock }: BotContext, source: Source, events: readonly HubEvent[]): Source | undefined {
  const last = events.at(-1);
  if (!last) return undefined;
  const { newestAt, left } = readBlocks(source, events, seconds(clock));
  return { ...source, position: last.id, anchored: true, newest_at: newestAt, block_left: left };
}

interface Collection {
  /** The position behind which it begins. */
  from: number;
  /** What came until now, the first page at least; undefined where that did not come. */
  answer(): Promise<EarlyAnswer | undefined>;
  stop(): void;
}

function collect(
  context: BotContext,
  shard: number | undefined,
  source: Source,
  mostPages: number,
): Collection {
  const over = new AbortController();
  const askedAtMs = context.clock.now();
  let collected: Answer | undefined;
  /** Somebody waits for what there is: a page more would be asked for in vain. */
  let isWanted = false;

  /** One page; gives the source behind it where another is to follow. */
  async function askBehind(next: Source): Promise<Source | undefined> {
    const ask = createAsk(context, shard, next, over.signal);
    const page = await ask({ ...firstQuestion(next), attempts: 1 });
    if (collected && page.events[0]?.id !== next.position) return undefined;
    const { events, unreadable } = collected ?? { events: [], unreadable: [] };
    collected = {
      events: [...events, ...page.events.slice(events.length > 0 ? 1 : 0)],
      unreadable: [...unreadable, ...page.unreadable],
    };
    const fresh = page.events.filter(({ id }) => id > next.position);
    const isPlain =
      page.unreadable.length === 0 && fresh.every(({ id }, index) => id > (fresh[index - 1]?.id ?? -1));
    return isPlain && isFull(page) && !isWanted ? standBehind(context, next, fresh) : undefined;
  }

  async function askForMore(first: Source | undefined): Promise<void> {
    let next = first;
    for (let pages = 1; next && pages < mostPages; pages += 1) next = await askBehind(next);
  }

  const first = askBehind(source);
  first.then(askForMore).catch(() => {});
  return {
    from: source.position,
    async answer() {
      isWanted = true;
      await first.catch(() => {});
      return collected && { ...collected, askedAtMs };
    },
    stop: () => over.abort(),
  };
}
