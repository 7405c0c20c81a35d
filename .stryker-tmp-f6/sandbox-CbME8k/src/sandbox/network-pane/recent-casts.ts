// @ts-nocheck
import type { Network, Operator } from "../../contract/index.ts";
import type { CastState } from "../../contract/casts.ts";
import { asAppError } from "../../errors.ts";
import { MergeMessageBody } from "../../contract/hub.ts";

/** How many of the newest hub events are looked through, and how many casts are shown. */
const eventsRead = 400;
const castsShown = 25;

/** The newest casts of a channel with who sees them how, newest first. */
export async function readRecentCasts(
  network: Network,
  operator: Operator,
  channelId: string,
): Promise<CastState[]> {
  const { events } = await network.hub.events({ reverse: true, page_size: eventsRead });
  const hashes = events.flatMap(({ mergeMessageBody }) => {
    const body = MergeMessageBody.safeParse(mergeMessageBody);
    return body.success && body.data.message.data.castAddBody ? [body.data.message.hash] : [];
  });
  const shown: CastState[] = [];
  for (let start = 0; start < hashes.length && shown.length < castsShown; start += castsShown) {
    const states = await Promise.all(
      hashes.slice(start, start + castsShown).map((hash) => readCast(operator, hash)),
    );
    shown.push(...states.flat().filter((state) => state.channelId === channelId));
  }
  return shown.slice(0, castsShown);
}

/** None where the cast is unknown to the operator. */
async function readCast(operator: Operator, hash: string): Promise<CastState[]> {
  try {
    return [await operator.readCast({ hash })];
  } catch (error) {
    if (asAppError(error, "not_found")) return [];
    throw error;
  }
}
