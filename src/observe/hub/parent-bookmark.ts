import { messageEpoch, type HubMessage } from "../../contract/hub.ts";

/** One answer of `castsByParent`, newest first. */
export interface CastsByParentPage {
  /** The channel's URL, where a channel's casts were requested; undefined for replies. */
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

/** The token to request a page with; undefined for the first. */
export function tokenOf(bookmark: string): string | undefined {
  return parseBookmark(bookmark)?.token;
}

/**
 * Where the page after this one is, as a text to store; undefined at the end. A hub of several shards returns a page of each
 * shard and always a token, which lists the last key of each shard. Only nulls are the end, and a null sent back would begin
 * that shard again. Each node has its own order of the list. So every shard is read from the newest of the keys on: some
 * casts come twice, none is missed, and no loop is possible.
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
  // A shard that has no more may have been unable to answer: see `behindNewest`.
  const isDoubtful = isFirst && url !== undefined && reached.length < shards.length;
  const newest = isDoubtful ? behindNewest(url, now) : reached.at(-1);
  if (!newest) return undefined;
  const sent = before && decodeShardKeys(before.token)?.[0];
  if (sent && Buffer.compare(newest, sent) >= 0) return undefined;
  return toText(encodeShardKeys(shards.map(() => newest)));
}

/** For a hub whose token we cannot decode: a page that does not lead on to older casts is the last. */
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

/** The keys in a token of snapchain: base64 of a JSON list, with a list of bytes or null for each shard. */
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

/** Snapchain's number of the index of casts by their parent. */
const castsByParentIndex = 4;
/** An author's clock may be ahead by so much. */
const maxAheadSeconds = 86_400;

/**
 * A key just newer than a channel's newest casts. Snapchain 0.14 looks a URL up by all keys that begin with it. Where another
 * channel's URL is longer (memes, memes-art) and has casts, those come first, cannot be read as this channel's, and the shard
 * answers that it has nothing. A request from this key on does not meet them.
 */
function behindNewest(url: string, now: number): Buffer {
  const time = Buffer.alloc(4);
  time.writeUInt32BE(now - messageEpoch + maxAheadSeconds);
  return Buffer.concat([Buffer.of(castsByParentIndex), Buffer.from(url), time]);
}
