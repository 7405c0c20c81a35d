import type { Database } from "../src/database/database.ts";
import { createAppendEvents, type NewChannelEvent } from "../src/observe/events.ts";
import { storeFingerprints } from "../src/rules/conditions/duplicate.ts";

const page = 1000;
const authors = 1000;
const words =
  "gm the new drop is live claim your free airdrop today with friends onchain art frames builders".split(" ");

/** Stores that many casts from the last days, as observing them would have. */
export async function storePastCasts(database: Database, count: number, channelId: string): Promise<void> {
  const append = createAppendEvents({ claim: async (_tx, events) => events, fanOut: [storeFingerprints] });
  const now = Math.floor(Date.now() / 1000);
  const since = now - 6 * 86_400;
  for (let first = 0; first < count; first += page) {
    const casts = Array.from({ length: Math.min(page, count - first) }, (_, index) => {
      const number = first + index;
      const at = since + Math.floor((number * 6 * 86_400) / count);
      return {
        hash: `0x${number.toString(16).padStart(40, "0")}`,
        fid: 1000 + ((number * 7) % authors),
        at,
        text: textOf(number),
      };
    });
    await database.transaction(async (tx) => {
      const place = { channel_id: channelId, parent_hash: null, thread_depth: 0, embeds: "[]" };
      const rows = casts.map(({ hash, fid, text, at }) => {
        return {
          ...place,
          hash,
          fid,
          text,
          root_hash: hash,
          cast_at: at,
          removed_at: null,
          erased_at_ms: null,
        };
      });
      await tx.insertInto("castellan.casts").values(rows).execute();
      await append(
        tx,
        casts.map(({ hash, fid, text, at }): NewChannelEvent => ({
          sourceKey: `cast:${hash}`,
          kind: "cast.created",
          channelId,
          subjectFid: fid,
          occurredAt: at,
          observedAt: at * 1000,
          depth: 0,
          caseId: null,
          data: { castHash: hash, text, rootHash: hash, threadDepth: 0, mentions: [], embeds: [] },
        })),
      );
    });
  }
}

/** Twenty words; one cast in fifty repeats another. */
function textOf(number: number): string {
  const seed = number % 50 === 0 ? 0 : number;
  const said = Array.from(
    { length: 20 },
    (_, word) => words[(seed * 7 + word * (1 + (seed % 5))) % words.length],
  );
  return `${said.join(" ")} ${seed}`;
}
