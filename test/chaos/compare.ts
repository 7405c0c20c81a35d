import { setTimeout as sleep } from "node:timers/promises";
import { pages } from "../../src/contract/pages.ts";
import { nameCast, readChanges, readRecord, unmarked } from "../crash/check-feed.ts";
import { feedRoom } from "../crash/evidence.ts";
import { channelId } from "../crash/town.ts";
import type { Scene } from "../crash/traffic.ts";
import type { Fleet } from "./fleet.ts";

/** Changes on the network that the feed's room must announce, in order, by rank. */
export interface Recorded {
  names: string[];
  records: string[];
}

/** Reads again until there is an answer. */
async function read<T>(call: () => Promise<T>): Promise<T> {
  for (let left = 240; ; left -= 1) {
    try {
      return await call();
    } catch (error) {
      if (left === 0) throw error;
      await sleep(250);
    }
  }
}

/** Reads on from where it was. */
export function createRecorder(scene: Scene, sinceEvent: number): () => Promise<Recorded> {
  let last = sinceEvent;
  const names: string[] = [];
  const texts = new Map<string, string>();
  /** Of a cast whose answer was lost, the network knows the text. */
  const textOf = async (hash: string) => {
    const known = scene.ledger.casts.get(hash) ?? texts.get(hash) ?? nameCast(hash);
    if (known !== hash) return known;
    const { text } = (await scene.operator().readCast({ hash })).cast;
    texts.set(hash, text);
    return text;
  };
  return async () => {
    const network = scene.as();
    for (let isMore = true; isMore;) {
      const { events } = await read(() => network.hub.events({ from_event_id: last, page_size: 1000 }));
      const fresh = events.filter(({ id }) => id > last);
      for (const { id, mergeUsernameProofBody: body } of fresh) {
        last = id;
        const proof = body?.usernameProof;
        if (proof) names.push(`${proof.fid === 0 ? "released" : "registered"} ${proof.name}`);
      }
      isMore = fresh.length > 0;
    }
    const records = await read(async () => {
      const found: string[] = [];
      for await (const page of pages(network.moderatedCasts.list, { channelId, limit: 1000 })) {
        for (const { castHash, action, moderatedAt } of page.moderationActions) {
          found.push(`${action} ${await textOf(castHash)} ${moderatedAt}`);
        }
      }
      return found;
    });
    // Posts of a rule's hides are grouped by author; their cases are compared in the room of cases.
    const announced = records.filter((record) => !record.startsWith("hide airdrop"));
    return { names: [...names], records: announced.toReversed() };
  };
}

/** The changes that the room shows, in the same words; only those in its first posts if `first` is given. */
export function readPosts(fleet: Fleet, { names }: Recorded, first?: number): Recorded {
  const shown = fleet
    .posts(feedRoom)
    .slice(0, first)
    .flatMap(({ embeds }) => embeds.map((embed) => ({ ...embed, title: unmarked(embed.title) })));
  return { names: readChanges(shown, names), records: shown.flatMap(readRecord) };
}

const kinds = ["names", "records"] as const;

/** Recorded changes that are not posted yet. */
export function findMissing(recorded: Recorded, posted: Recorded): string[] {
  return kinds.flatMap((kind) => {
    const seen = new Set(posted[kind]);
    return recorded[kind].filter((item) => !seen.has(item));
  });
}

/** Posts of changes that never happened, were posted before, or happened before the previous one. */
export function findWrong(recorded: Recorded, posted: Recorded): string[] {
  return kinds.flatMap((kind) => {
    const places = new Map(recorded[kind].map((item, index) => [item, index]));
    const seen = new Set<string>();
    let latest = -1;
    return posted[kind].flatMap((item) => {
      const place = places.get(item);
      if (place === undefined) return [`posted, but not on the network: ${item}`];
      if (seen.has(item)) return [`posted twice: ${item}`];
      seen.add(item);
      if (place < latest) return [`posted late: ${item} after ${recorded[kind][latest]}`];
      latest = place;
      return [];
    });
  });
}
