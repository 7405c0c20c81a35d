import type { ServerResponse } from "node:http";

type Json = Record<string, unknown>;

/** What it needs of the chain, and of the node's faults. */
interface Chain {
  shards: ReadonlyMap<number, unknown>;
  casts: ReadonlyMap<string, Json & { hash: string }>;
  hidden: ReadonlySet<string>;
}
interface Faults {
  shardOrder: readonly number[] | undefined;
  unwritableCasts: ReadonlySet<string>;
}

/** A cast's place in a shard's index: RootPrefix::CastsByParent, the parent, time, hash and fid. */
type Entry = [key: Buffer, message: Json];

/** What the length of a token list must be, and how a shard without an answer looks. */
interface ShardPage {
  messages: Json[];
  token: number[] | null;
}

/** An event or message in a page cannot be written out: the node's task ends, and with it the connection. */
class Unwritable extends Error {}

/** The words of tonic 0.12 for an argument that is none. */
export function describeStatus(message: string): string {
  return `status: InvalidArgument, message: "${message}", details: [], metadata: MetadataMap { headers: {} }`;
}

export function answerByParent(
  chain: Chain,
  faults: Faults,
  query: URLSearchParams,
  response: ServerResponse,
): void {
  try {
    const page = readByParent(chain, faults, query);
    const detail = describeStatus("Page token does not match number of shards");
    response
      .writeHead(page ? 200 : 400, { "content-type": "application/json" })
      .end(JSON.stringify(page ?? { error: "Failed to get casts by mention", error_detail: detail }));
  } catch (error) {
    if (!(error instanceof Unwritable)) throw error;
    response.destroy();
  }
}

/**
 * GET /v1/castsByParent as server.rs and cast_store.rs have it: a page of each shard, one behind the other, in an order of the
 * node's own; one token for each shard, null where it ended, which sent back begins that shard anew; and the token is always
 * there. A shard that cannot answer counts as one that has nothing. Gives undefined for a token that does not fit.
 */
function readByParent(
  chain: Chain,
  { shardOrder, unwritableCasts }: Faults,
  query: URLSearchParams,
): Json | undefined {
  const hash = query.get("hash");
  const prefix =
    hash === null
      ? Buffer.concat([Buffer.of(4), Buffer.from(query.get("url") ?? "")])
      : Buffer.concat([Buffer.of(4), numberKey(Number(query.get("fid"))), hexKey(hash)]);
  const shards = shardOrder ?? [...chain.shards.keys()];
  const tokens = readTokens(query.get("page_token") ?? query.get("pageToken"), shards.length);
  if (!tokens) return undefined;
  const asked = query.get("page_size") ?? query.get("pageSize");
  const size = asked === null ? 1000 : Number(asked);
  const isReverse = query.get("reverse") === "true";
  const pages = shards.map((shard, index) =>
    readShard(indexOf(chain, shard, query), prefix, { size, isReverse, token: tokens[index] ?? null }),
  );
  const messages = pages.flatMap((page) => page.messages);
  if (messages.some((message) => unwritableCasts.has(String(message["hash"])))) throw new Unwritable();
  const next = JSON.stringify(pages.map(({ token }) => token));
  return { messages, nextPageToken: Buffer.from(next).toString("base64") };
}

function readTokens(token: string | null, shards: number): (number[] | null)[] | undefined {
  if (token === null || token === "") return Array.from({ length: shards }, () => null);
  const list = JSON.parse(Buffer.from(token.replaceAll(" ", "+"), "base64").toString()) as unknown[];
  return list.length === shards ? (list as (number[] | null)[]) : undefined;
}

/** What the index of one shard holds around the parent, ascending; users are spread over the shards. */
function indexOf(chain: Chain, shard: number, query: URLSearchParams): Entry[] {
  const shards = [...chain.shards.keys()];
  const [url, hash] = [query.get("url"), query.get("hash")];
  return [...chain.casts.values()]
    .filter((message) => {
      if (chain.hidden.has(message.hash)) return false;
      const { parentUrl, parentCastId } = bodyOf(message);
      return hash === null ? parentUrl?.startsWith(url ?? "") : parentCastId?.hash === hash;
    })
    .map(describe)
    .filter(({ fid }) => shards[fid % shards.length] === shard)
    .map(({ fid, parent, timestamp, hash, message }): Entry => [
      Buffer.concat([Buffer.of(4), parent, numberKey(timestamp), hexKey(hash), numberKey(fid)]),
      message,
    ])
    .toSorted(([one], [other]) => Buffer.compare(one, other));
}

interface CastBody {
  parentUrl: string | null;
  parentCastId: { fid: number; hash: string } | null;
}

function bodyOf(message: Json): CastBody {
  // As LiveChain makes them.
  return (message["data"] as { castAddBody: CastBody }).castAddBody;
}

function describe(message: Json) {
  // As LiveChain makes them.
  const { fid, timestamp } = message["data"] as { fid: number; timestamp: number };
  const { parentUrl, parentCastId: cast } = bodyOf(message);
  const parent = cast
    ? Buffer.concat([numberKey(cast.fid), hexKey(cast.hash)])
    : Buffer.from(parentUrl ?? "");
  return { fid, timestamp, parent, hash: String(message["hash"]), message };
}

function readShard(
  index: readonly Entry[],
  prefix: Buffer,
  { size, isReverse, token }: { size: number; isReverse: boolean; token: number[] | null },
): ShardPage {
  // From the prefix up to whatever comes after all that begins with it: also other parents, if their key is longer.
  const stop = Buffer.from(prefix);
  stop[stop.length - 1] = (stop.at(-1) ?? 0) + 1;
  const from = token && !isReverse ? Buffer.from([...token, 0]) : prefix;
  const until = token && isReverse ? Buffer.from(token) : stop;
  const range = index.filter(([key]) => Buffer.compare(key, from) >= 0 && Buffer.compare(key, until) < 0);
  const page = (isReverse ? range.toReversed() : range).slice(0, size);
  // Time, hash and author are read at the prefix's end: of another parent's key they are those of no message.
  if (page.some(([key]) => key.length !== prefix.length + 28)) return { messages: [], token: null };
  const last = page.length >= size ? page.at(-1) : undefined;
  return { messages: page.map(([, message]) => message), token: last ? [...last[0]] : null };
}

function numberKey(number: number): Buffer {
  const key = Buffer.alloc(4);
  key.writeUInt32BE(number);
  return key;
}

function hexKey(hash: string): Buffer {
  return Buffer.from(hash.slice(2), "hex");
}
