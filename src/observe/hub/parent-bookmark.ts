import { messageEpoch, type HubMessage } from "../../contract/hub.ts";

/** One response of `castsByParent`, newest first. */
export interface CastsByParentPage {
  /** The channel's URL if a channel's casts were requested; undefined for replies. */
  url: string | undefined;
  /** What `nextBookmark` returned for this page; empty for the first. */
  bookmark: string;
  messages: readonly HubMessage[];
  nextPageToken: string | undefined;
  /** UNIX seconds. */
  now: number;
}

/** The hub's token of a page, and the time and hash of the first cast on the page before. */
interface Bookmark {
  token: string;
  castAt: number;
  hash: string;
}

/** The token to request a page with; undefined for the first page. */
export function tokenOf(bookmark: string): string | undefined {
  return parseBookmark(bookmark)?.token;
}

/**
 * The position of the next page, as a text to store; undefined at the end. A hub with several shards returns a page of
 * each shard and always a token, which lists the last key of each shard. Only a token of nulls means the end, and sending
 * a null back would begin that shard again. Each node orders this list differently. So every shard is read from the newest
 * of the keys on: some casts arrive twice, none is missed, and loops are impossible.
 */
export function nextBookmark(page: CastsByParentPage): string | undefined {
  const { url, bookmark, messages, nextPageToken, now } = page;
  if (!nextPageToken) return undefined;
  const before = parseBookmark(bookmark);
  const first = messages[0];
  const castAt = first ? first.data.timestamp + messageEpoch : (before?.castAt ?? 0);
  const toText = (token: string) => formatBookmark({ token, castAt, hash: first?.hash ?? "" });
  const shards = decodeShardKeys(nextPageToken);
  if (!shards) {
    const isOver =
      !first || (before !== undefined && isNoOlder(before, { token: nextPageToken, first, castAt }));
    return isOver ? undefined : toText(nextPageToken);
  }
  const isFirst = before === undefined;
  const reached = shards.filter((key) => key !== null).toSorted((one, other) => Buffer.compare(one, other));
  // A shard that has no more may have been unable to respond: see `behindNewest`.
  const isDoubtful = isFirst && url !== undefined && reached.length < shards.length;
  const newest = isDoubtful ? behindNewest(url, now) : reached.at(-1);
  if (!newest) return undefined;
  const sent = before && decodeShardKeys(before.token)?.[0];
  if (sent && Buffer.compare(newest, sent) >= 0) return undefined;
  return toText(encodeShardKeys(shards.map(() => newest)));
}

/** For a hub whose token we cannot decode: a page that does not lead to older casts is the last. */
function isNoOlder(
  before: Bookmark,
  { token, first, castAt }: { token: string; first: HubMessage; castAt: number },
): boolean {
  return token === before.token || first.hash === before.hash || castAt > before.castAt;
}

function parseBookmark(text: string): Bookmark | undefined {
  const [, castAt, hash = "", token] = /^(\d+) (\S*) (.+)$/s.exec(text) ?? [];
  return token === undefined ? undefined : { castAt: Number(castAt), hash, token };
}

function formatBookmark({ castAt, hash, token }: Bookmark): string {
  return `${Math.max(0, castAt)} ${hash} ${token}`;
}

/** The keys in a snapchain token: base64 of a JSON list, with a list of bytes or null for each shard. */
function decodeShardKeys(token: string): (Buffer | null)[] | undefined {
  try {
    const list: unknown = JSON.parse(Buffer.from(token, "base64").toString());
    if (!Array.isArray(list) || list.length === 0) return undefined;
    const isKey = (entry: unknown) => Array.isArray(entry) && entry.every(Number.isInteger);
    if (!list.every((entry) => entry === null || isKey(entry))) return undefined;
    // Each is null or a list of numbers, as was just checked.
    return (list as (number[] | null)[]).map((key) => key && Buffer.from(key));
  } catch {
    return undefined;
  }
}

function encodeShardKeys(keys: readonly Buffer[]): string {
  return Buffer.from(JSON.stringify(keys.map((key) => [...key]))).toString("base64");
}

/** Snapchain's id of the index of casts by parent. */
const castsByParentIndex = 4;
/** How far an author's clock may be ahead. */
const maxAheadSeconds = 86_400;

/**
 * A key just newer than a channel's newest casts. Snapchain 0.14 looks a URL up by all keys that begin with it. If another
 * channel has a longer URL (memes, memes-art) and casts, those come first, cannot be read as this channel's, and the shard
 * reports that it has nothing. A request that starts at this key avoids them.
 */
function behindNewest(url: string, now: number): Buffer {
  const time = Buffer.alloc(4);
  time.writeUInt32BE(now - messageEpoch + maxAheadSeconds);
  return Buffer.concat([Buffer.of(castsByParentIndex), Buffer.from(url), time]);
}
