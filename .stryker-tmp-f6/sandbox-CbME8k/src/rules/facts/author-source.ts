// @ts-nocheck
import type { Ask, Fact, FactContext, FactSource } from "../evaluate/fact.ts";
import type { Occurrence } from "../evaluate/occurrence.ts";
import { inParallel, readNetwork } from "./read-network.ts";

interface Declaration<T> {
  /** What is asked of the network, for people: "channel members". */
  name: string;
  key: string;
  /** The same for all channels: the answer depends on the author alone. */
  everywhere?: boolean;
  read: (context: FactContext, asked: { channelId: string; fid: number }, signal: AbortSignal) => Promise<T>;
}

/** A question about the author that takes the network one call for each author. */
export function askOfAuthor<T>({ name, key, everywhere, read }: Declaration<T>): Ask<T> {
  const load = async (context: FactContext, { channelId, authorFid: fid }: Occurrence) => {
    if (fid === null) return authorNotKnown(name, context);
    const memoryKey = `${key}:${everywhere ? "" : channelId}:${fid}`;
    return context.memory.recall(memoryKey, () =>
      readNetwork(context, name, (signal) => read(context, { channelId, fid }, signal)),
    );
  };
  const source: FactSource = {
    name,
    far: true,
    load: (context, wanted) => inParallel(wanted, ({ occurrence }) => load(context, occurrence)),
  };
  return { key, source };
}

export function authorNotKnown(source: string, { clock }: FactContext): Fact<never> {
  return { known: false, why: "the author is not known", source, at: clock.now() };
}
