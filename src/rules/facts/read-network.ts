import { mapLimited } from "../../async.ts";
import { AppError, type ErrorCode } from "../../errors.ts";
import type { Fact, FactContext, FactSource, Missing, Parameters } from "./fact.ts";

const timeoutMs = 5000;
const together = 8;

/** Milliseconds for which stored data of the live network is trusted while the polls cannot read it again. */
export const storedLifetime = 6 * 3600_000;

/** Calls the network, for at most five seconds. If it rejects the call or cannot respond, the fact is unknown. */
export async function readNetwork<T>(
  context: FactContext,
  source: string,
  read: (signal: AbortSignal) => Promise<T>,
): Promise<Fact<T>> {
  const at = context.clock.now();
  try {
    return { known: true, value: await read(AbortSignal.timeout(timeoutMs)), source, at };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    context.log.warn({ err: error, source }, "could not read a fact");
    return { known: false, why: error.message, source, at, missing: missingBy[error.code] };
  }
}

const missingBy: Partial<Record<ErrorCode, Missing>> = {
  rate_limited: "limits",
  network_unreachable: "silence",
  network_failed: "silence",
  not_ready: "silence",
};

export interface AuthorSource<T, P> {
  /** A name for people: "channel members". */
  name: string;
  /** The same in all channels: the result depends on the author alone. */
  everywhere?: boolean;
  read: (
    context: FactContext,
    wanted: { channelId: string; fid: number; parameters: P },
    signal: AbortSignal,
  ) => Promise<T>;
}

/** A source of facts about authors that needs one network call per author. */
export function authorSource<T, P extends Parameters = []>({
  name,
  everywhere,
  read,
}: AuthorSource<T, P>): FactSource<T, P> {
  return {
    name,
    far: true,
    load: (context, wanted) =>
      inParallel(wanted, async ({ parameters, occurrence: { channelId, authorFid: fid } }) => {
        if (fid === null) return authorNotKnown(name, context);
        const key = [name, ...parameters, everywhere ? "" : channelId, fid].join(":");
        return context.cache.get(key, () =>
          readNetwork(context, name, (signal) => read(context, { channelId, fid, parameters }, signal)),
        );
      }),
  };
}

export function authorNotKnown(source: string, { clock }: FactContext): Fact<never> {
  return { known: false, why: "the author is not known", source, at: clock.now() };
}

/** Calls `ask` for each item, a few in parallel, and returns the results in order. */
export function inParallel<T, R>(items: readonly T[], ask: (item: T) => Promise<R>): Promise<R[]> {
  return mapLimited(items, together, ask);
}

/** A listing read completely, or up to `most` pages; `whole` shows which. */
export async function readAllPages<T>(
  most: number,
  read: (cursor: string | undefined) => Promise<{ items: readonly T[]; next: string | undefined }>,
): Promise<{ items: T[]; whole: boolean }> {
  const items: T[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < most; page++) {
    const { items: more, next } = await read(cursor);
    items.push(...more);
    if (next === undefined) return { items, whole: true };
    cursor = next;
  }
  return { items, whole: false };
}
