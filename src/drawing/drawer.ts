import { LRUCache } from "lru-cache";
import { entryPoint, type EntryPoint } from "../entry-point.ts";
import { AppError } from "../errors.ts";
import { minutesToWait } from "../limits/rate-limit.ts";
import { createThreadPool } from "../thread-pool.ts";
import type { Picture } from "./picture.ts";

/** Pictures that one person may have. */
const personLimit = { max: 6, windowMs: 10 * 60_000 };
/** How many may wait for the thread at once. */
const maxWaiting = 20;
/** Milliseconds that one picture may take with waiting for its turn: a first one loads what draws. */
const longest = 30_000;
/** Milliseconds after which a thread without work is ended, for the fonts in it take memory. */
const idle = 30_000;
/** People that are remembered at once. */
const capacity = 10_000;

/** Draws pictures in a thread of its own: neither its time nor its failure is the bot's. */
export interface Drawer {
  /** A PNG for this person. Throws `rate_limited` where they have to wait, and anything else where it failed or took too long. */
  draw(person: string, picture: Picture): Promise<Uint8Array>;
  close(): Promise<void>;
}

interface DrawerSettings {
  /** Milliseconds of a clock that nobody sets. */
  monotonic?: () => number;
  /** The file that draws. */
  thread?: EntryPoint;
  /** Milliseconds that one picture may take. */
  timeoutMs?: number;
}

export function createDrawer({
  monotonic = () => performance.now(),
  thread = entryPoint(import.meta.url, "draw-thread"),
  timeoutMs = longest,
}: DrawerSettings = {}): Drawer {
  const drawn = new LRUCache<string, number[]>({ max: capacity });
  const busy = new Set<string>();
  const threads = createThreadPool(thread, {
    minThreads: 0,
    maxThreads: 1,
    maxQueue: maxWaiting,
    idleTimeout: idle,
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  });

  /** Throws where the person has to wait. */
  function admit(person: string): void {
    const now = monotonic();
    const earlier = drawn.get(person) ?? [];
    const minutes = minutesToWait(earlier, personLimit, now);
    if (minutes > 0) {
      throw new AppError(
        "rate_limited",
        `You had ${personLimit.max} pictures within ten minutes; the next can be drawn in ${minutes} min.`,
      );
    }
    if (busy.has(person)) throw new AppError("rate_limited", "Your last picture is still being drawn.");
    if (busy.size >= maxWaiting)
      throw new AppError("rate_limited", "Too many pictures are being drawn. Try again in a moment.");
    drawn.set(person, [...earlier, now].slice(-personLimit.max));
  }

  return {
    async draw(person, picture) {
      admit(person);
      busy.add(person);
      // A thread that works longer is ended.
      const signal = AbortSignal.timeout(timeoutMs);
      try {
        // What the thread's file gives back.
        return (await threads.run(picture, { signal })) as Uint8Array;
      } finally {
        busy.delete(person);
      }
    },
    close: () => threads.close(),
  };
}
