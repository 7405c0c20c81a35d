import { AppError } from "../../errors.ts";

/** Calls of one address that are worked on at the same time, and those that may wait for them to end. */
const maxConcurrent = 8;
const maxWaiting = 200;

interface Line {
  working: number;
  /** Each begins a call, in the order in which they came. */
  waiting: (() => void)[];
}

export type TakeTurn = <Answer>(address: string, work: () => Promise<Answer>) => Promise<Answer>;

/**
 * Lets the calls of each address take turns, so that one address cannot fill the database's queue for the others. A turn
 * ends with the work, not with the connection: hanging up frees nothing in the database. Throws `rate_limited` where too
 * many wait already.
 */
export function createTurns(): TakeTurn {
  const lines = new Map<string, Line>();
  return async (address, work) => {
    const line = lines.get(address) ?? { working: 0, waiting: [] };
    lines.set(address, line);
    if (line.working < maxConcurrent) line.working += 1;
    else if (line.waiting.length < maxWaiting) {
      // A call that ends hands its turn on.
      await new Promise<void>((resolve) => line.waiting.push(resolve));
    } else {
      throw new AppError("rate_limited", "Too many calls from this address at once.", { retryAfter: 1 });
    }
    try {
      return await work();
    } finally {
      const next = line.waiting.shift();
      if (next) next();
      else if ((line.working -= 1) === 0) lines.delete(address);
    }
  };
}
