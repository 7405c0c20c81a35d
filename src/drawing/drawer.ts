import { LRUCache } from "lru-cache";
import { entryPoint, type EntryPoint } from "../entry-point.ts";
import { AppError } from "../errors.ts";
import { minutesToWait } from "../limits/rate-limit.ts";
import { createThreadPool } from "../thread-pool.ts";
import type { Picture } from "./picture.ts";

/** Maximum pictures per person. */
const personLimit = { max: 6, windowMs: 10 * 60_000 };
/** Maximum pictures that wait for the thread. */
const maxWaiting = 20;
/** Milliseconds for a picture, including the wait for its turn; the first one loads the drawing code. */
const longest = 30_000;
/** Milliseconds after which an idle thread ends, because its fonts take memory. */
const idle = 30_000;
/** Maximum number of people to remember. */
const capacity = 10_000;

/** Draws pictures in a separate thread, so that neither their duration nor their failures affect the bot. */
export interface Drawer {
  /** A PNG for this person. Throws `rate_limited` if they have to wait, other errors if it failed or took too long. */
  draw(person: string, picture: Picture): Promise<Uint8Array>;
  close(): Promise<void>;
}

interface DrawerSettings {
  /** Monotonic milliseconds. */
  monotonic?: () => number;
  /** The file with the drawing code. */
  thread?: EntryPoint;
  /** Milliseconds for a picture. */
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

  /** Throws if the person has to wait. */
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
      // A thread that works longer is stopped.
      const signal = AbortSignal.timeout(timeoutMs);
      try {
        // The return type of the thread's file.
        return (await threads.run(picture, { signal })) as Uint8Array;
      } finally {
        busy.delete(person);
      }
    },
    close: () => threads.close(),
  };
}
