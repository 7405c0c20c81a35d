import { AppError } from "../../errors.ts";

/** Maximum calls per address that run at the same time, and that wait. */
const maxConcurrent = 8;
const maxWaiting = 200;

interface Line {
  working: number;
  /** Each starts a call, in order of arrival. */
  waiting: (() => void)[];
}

export type TakeTurn = <Answer>(address: string, work: () => Promise<Answer>) => Promise<Answer>;

/**
 * Queues the calls of each address, so that no address can fill the database's queue and block the others. A turn ends
 * with the work, not with the connection, because hanging up frees nothing in the database. Throws `rate_limited` if
 * too many calls are waiting.
 */
export function createTurns(): TakeTurn {
  const lines = new Map<string, Line>();
  return async (address, work) => {
    const line = lines.get(address) ?? { working: 0, waiting: [] };
    lines.set(address, line);
    if (line.working < maxConcurrent) line.working += 1;
    else if (line.waiting.length < maxWaiting) {
      // A finished call hands over its turn.
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
