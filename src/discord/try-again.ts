import { setTimeout as sleep } from "node:timers/promises";
import type { AppError } from "../errors.ts";
import type { Log } from "../log.ts";
import { explainRefusal } from "./explain-refusal.ts";

/** Milliseconds between attempts to reach Discord at the start. */
export const usualPauses: readonly number[] = [1_000, 2_000, 4_000, 8_000];

export interface Attempts {
  log: Log;
  /** Milliseconds to wait after the first, second … failed attempt; after the last one it is given up. */
  pauses?: readonly number[] | undefined;
  /** Gives up when the process is asked to end. */
  signal?: AbortSignal | undefined;
}

/**
 * Does what may fail in passing, again after a pause, and says so each time. What Discord refuses for good is thrown at
 * once; everything thrown is an AppError that says why.
 */
export async function tryAgain<T>(
  attempt: () => Promise<T>,
  { log, pauses = usualPauses, signal }: Attempts,
): Promise<T> {
  for (let count = 1; ; count += 1) {
    const failure = await attempt().then((value) => ({ value }), explainRefusal);
    if ("value" in failure) return failure.value;
    const pause = pauses[count - 1];
    if (failure.code !== "discord_unreachable" || pause === undefined) throw failure;
    log.warn({ err: failure.cause }, describeWait(failure, pause, count + 1, pauses.length + 1));
    await sleep(pause, undefined, signal ? { signal } : {});
  }
}

function describeWait({ message }: AppError, pause: number, next: number, all: number): string {
  return `${message.replace(/\.$/, "")}; trying again in ${pause / 1000} s (${next} of ${all})`;
}
