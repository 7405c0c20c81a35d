import { AppError } from "../errors.ts";

/** Calls of one caller, such as an address, that are worked on at the same time, and those that may wait for them to end. */
const maxConcurrent = 8;
const maxWaiting = 200;

interface Line {
  working: number;
  /** Each begins a call, in the order in which they came. */
  waiting: (() => void)[];
}

export type TakeTurn = <Answer>(caller: string, work: () => Promise<Answer>) => Promise<Answer>;

/**
 * Lets the calls of each caller take turns, so that one cannot fill the database's queue for the others. A turn ends with the
 * work, not with the connection: hanging up frees nothing in the database. Throws `rate_limited` where too many wait already;
 * `from` names the caller there.
 */
export function createTurns(from: string): TakeTurn {
  const lines = new Map<string, Line>();
  return async (caller, work) => {
    const line = lines.get(caller) ?? { working: 0, waiting: [] };
    lines.set(caller, line);
    if (line.working < maxConcurrent) line.working += 1;
    else if (line.waiting.length < maxWaiting) {
      // A call that ends hands its turn on.
      await new Promise<void>((resolve) => line.waiting.push(resolve));
    } else {
      throw new AppError("rate_limited", `Too many calls from ${from} at once.`, { retryAfter: 1 });
    }
    try {
      return await work();
    } finally {
      const next = line.waiting.shift();
      if (next) next();
      else if ((line.working -= 1) === 0) lines.delete(caller);
    }
  };
}
