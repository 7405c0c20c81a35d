// @ts-nocheck
import { AppError } from "../../errors.ts";
import type { Fact, FactContext } from "../evaluate/fact.ts";

const patience = 5000;
const together = 8;

/** Asks the network, at most for five seconds. What it refuses or cannot say is not known. */
export async function readNetwork<T>(
  context: FactContext,
  source: string,
  read: (signal: AbortSignal) => Promise<T>,
): Promise<Fact<T>> {
  const at = context.clock.now();
  try {
    return { known: true, value: await read(AbortSignal.timeout(patience)), source, at };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    context.log.warn({ err: error, source }, "a fact could not be read");
    return { known: false, why: error.message, source, at };
  }
}

/** Runs `work` for each of many, a few at a time, and gives the results in order. */
export async function inParallel<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < items.length; start += together) {
    results.push(...(await Promise.all(items.slice(start, start + together).map(work))));
  }
  return results;
}
