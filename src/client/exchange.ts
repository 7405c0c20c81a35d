import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../clock.ts";
import { AppError, asAppError } from "../errors.ts";
import type { Log } from "../log.ts";
import { attempt, type Answer, type TimedAnswer } from "./attempt.ts";
import type { HttpRequest } from "./build-request.ts";

/** Milliseconds. */
export interface Timeouts {
  /** Until one attempt's whole answer must be there. */
  attempt: number;
  /** From the first attempt on, until no other is begun. */
  deadline: number;
}

export interface Transport {
  fetch: typeof fetch;
  clock: Clock;
  log: Log;
  timeouts: Timeouts;
  /** Bytes of an answer. */
  answerLimit: number;
  /** 0 to 1, spreads repeated calls. */
  random: () => number;
  signal: AbortSignal | undefined;
  /** Hears each answer, with the `monotonic()` of when it was asked for. */
  hear?: ((answer: TimedAnswer, began: number) => void) | undefined;
}

const maxAttempts = 4;
/** Longest pause before the second attempt without `Retry-After`; doubles with each (milliseconds). */
const firstPause = 400;

/**
 * Asks until there is an answer that `read` accepts, repeating what is safe to repeat: reads, and writes that the
 * network did not begin. Throws what `read` or the last attempt threw.
 */
export async function exchange<T>(
  transport: Transport,
  request: HttpRequest,
  headers: () => Promise<Record<string, string>>,
  read: (answer: Answer) => T,
): Promise<T> {
  const { clock, log, timeouts, random, signal, answerLimit } = transport;
  const end = clock.monotonic() + timeouts.deadline;
  for (let count = 1; ; count++) {
    try {
      const options = { fetch: transport.fetch, timeout: timeouts.attempt, answerLimit, signal };
      const own = { ...options, headers: await headers() };
      const began = clock.monotonic();
      const answer = await attempt(request, own);
      transport.hear?.(answer, began);
      return read(answer);
    } catch (thrown) {
      const error = asAppError(thrown);
      const pause = error && pauseBefore(count, error, random);
      if (!error || pause === undefined || !isRepeatable(request, error) || signal?.aborted) throw thrown;
      if (count === maxAttempts || clock.monotonic() + pause > end) throw thrown;
      log.debug({ err: error, url: request.url, count, pause }, "asking the network again");
      await sleep(pause, undefined, { signal }).catch(() => {
        throw new AppError("network_unreachable", "The call was given up.", { cause: error });
      });
    }
  }
}

function isRepeatable({ method }: HttpRequest, error: AppError): boolean {
  if (error.code === "network_unreachable") return !error.mayHaveHappened;
  if (error.status === 429 || error.status === 503) return true;
  return method === "GET" && error.status !== undefined && error.status >= 500;
}

function pauseBefore(count: number, error: AppError, random: () => number): number {
  const spread = random() * firstPause * 2 ** (count - 1);
  return error.retryAfter === undefined ? spread : error.retryAfter * 1000 + random() * firstPause;
}
