import { messageEpoch, type HubMessage } from "../../contract/hub.ts";

/** A page of casts, newest first, as it was asked for and answered. */
export interface PastPage {
  /** The channel's URL, where its casts are asked for; undefined for replies. */
  url: string | undefined;
  /** What `nextPage` gave for this page; empty for the first. */
  place: string;
  messages: readonly HubMessage[];
  nextPageToken: string | undefined;
  /** UNIX seconds. */
  now: number;
}

/** Where reading goes on: a token of the hub's, and the page before, by the time and hash of its first cast. */
interface Place {
  token: string;
  castAt: number;
  hash: string;
}

/** The token to ask for a page with; undefined for the first. */
export function tokenOf(place: string): string | undefined {
  return readPlace(place)?.token;
}

/**
 * Where the page after this one is, as a text to keep; undefined at the end. A hub of several shards gives a page of each and
 * always a token, which is a list with the last key of each shard: only nulls are the end, and a null sent back would begin
 * that shard anew. Neither the order of the list is certain, for each node has its own. So we ask every shard from the newest
 * of the keys on: some casts come twice, none is passed over, and no circle is possible.
 */
export function nextPage({ url, place, messages, nextPageToken, now }: PastPage): string | undefined {
  if (!nextPageToken) return undefined;
  const before = readPlace(place);
  const first = messages[0];
  const castAt = first ? first.data.timestamp + messageEpoch : (before?.castAt ?? 0);
  const toText = (token: string) => writePlace({ token, castAt, hash: first?.hash ?? "" });
  const shards = readShardKeys(nextPageToken);
  if (!shards) {
    const isOver =
      !first || (before !== undefined && isNoOlder(before, { token: nextPageToken, first, castAt }));
    return isOver ? undefined : toText(nextPageToken);
  }
  const isFirst = before === undefined;
  const reached = shards.filter((key) => key !== null).toSorted((one, other) => Buffer.compare(one, other));
  // A shard that has no more may have been unable to answer: see `behindNewest`.
  const isDoubtful = isFirst && url !== undefined && reached.length < shards.length;
  const newest = isDoubtful ? behindNewest(url, now) : reached.at(-1);
  if (!newest) return undefined;
  const sent = before && readShardKeys(before.token)?.[0];
  if (sent && Buffer.compare(newest, sent) >= 0) return undefined;
  return toText(writeShardKeys(shards.map(() => newest)));
}

/** The token of a hub that keeps its own counsel: a page that does not lead on, to older casts, is the last. */
function isNoOlder(
  before: Place,
  { token, first, castAt }: { token: string; first: HubMessage; castAt: number },
): boolean {
  return token === before.token || first.hash === before.hash || castAt > before.castAt;
}

function readPlace(place: string): Place | undefined {
  const [, castAt, hash = "", token] = /^(\d+) (\S*) (.+)$/s.exec(place) ?? [];
  return token === undefined ? undefined : { castAt: Number(castAt), hash, token };
}

function writePlace({ castAt, hash, token }: Place): string {
  return `${Math.max(0, castAt)} ${hash} ${token}`;
}

/** The keys of a token as snapchain writes it: base64 of a JSON list, with a list of bytes or null for each shard. */
function readShardKeys(token: string): (Buffer | null)[] | undefined {
  try {
    const list: unknown = JSON.parse(Buffer.from(token, "base64").toString());
    if (!Array.isArray(list) || list.length === 0) return undefined;
    const isKey = (entry: unknown) => Array.isArray(entry) && entry.every(Number.isInteger);
    if (!list.every((entry) => entry === null || isKey(entry))) return undefined;
    // Each is null or a list of numbers, as was just seen.
    return (list as (number[] | null)[]).map((key) => key && Buffer.from(key));
  } catch {
    return undefined;
  }
}

function writeShardKeys(keys: readonly Buffer[]): string {
  return Buffer.from(JSON.stringify(keys.map((key) => [...key]))).toString("base64");
}

/** The index of casts by their parent, as snapchain numbers it. */
const castsByParent = 4;
/** Seconds by which an author's clock may be ahead. */
const mostAhead = 86_400;

/**
 * A key behind those of a channel's newest casts. Snapchain 0.14 looks for a URL by all keys that begin with it; where another
 * channel's URL is longer (memes, memes-art) and has casts, these come first, cannot be read as this one's, and the shard
 * answers that it has nothing. Asked from here it does not come across them.
 */
function behindNewest(url: string, now: number): Buffer {
  const time = Buffer.alloc(4);
  time.writeUInt32BE(now - messageEpoch + mostAhead);
  return Buffer.concat([Buffer.of(castsByParent), Buffer.from(url), time]);
}
