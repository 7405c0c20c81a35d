import type { IncomingMessage, ServerResponse } from "node:http";
import { answerByParent, describeStatus } from "./casts-by-parent.ts";
import type { Block, LiveChain, LiveNode } from "./live-hub.ts";
import { farcasterEpoch } from "./live-messages.ts";
import type { Json } from "./live-server.ts";

/** A node with all that it knows. */
interface Node {
  chain: LiveChain;
  faults: LiveNode["faults"];
  /** UNIX milliseconds. */
  now: () => number;
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  send: (status: number, json: Json) => void;
}

/** What a node answers; its connection ends where it cannot write something out. */
export function answerHub(node: Node, { request, response, send }: Exchange): void {
  const { chain, faults } = node;
  if (faults.down) return void request.socket.destroy();
  if (faults.apiKey !== undefined && request.headers["x-api-key"] !== faults.apiKey) {
    return send(401, { code: "Unauthorized", message: "Invalid API key" });
  }
  const { pathname, searchParams: query } = new URL(request.url ?? "", "http://hub");
  if (faults.missing.has(pathname)) return void response.writeHead(404).end("Not Found");
  const refusal = faults.refused.get(pathname);
  if (refusal) {
    const { status, body } = refusal;
    if (typeof body === "string")
      return void response.writeHead(status, { "content-type": "text/plain" }).end(body);
    return void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  }
  if (pathname === "/v1/castsByParent") return answerByParent(chain, faults, query, response);
  if (pathname === "/v1/events" && shardsOf(node, query).some((shard) => faults.hangs.has(shard))) return;
  const answer = routes[pathname]?.(node, query);
  if (!answer) return void response.writeHead(404).end("Not Found");
  if (answer === "unwritable") return void request.socket.destroy();
  send("error" in answer ? 400 : 200, answer);
}

const routes: Record<string, (node: Node, query: URLSearchParams) => Json | "unwritable"> = {
  "/v1/info": describeShards,
  "/v1/castById": ({ chain }, query) => {
    const cast = chain.casts.get(`0x${(query.get("hash") ?? "").replace("0x", "")}`);
    if (cast && String(cast.data.fid) === query.get("fid")) return cast;
    return refuse("Failed to get cast", "status: NotFound, message: cast not found");
  },
  "/v1/events": (node, query) => {
    const { chain, faults } = node;
    const shards = shardsOf(node, query);
    if (shards.some((shard) => !chain.shards.has(shard)))
      return refuse("Failed to get events", describeStatus("Shard not found"));
    // One page of each shard, one behind the other.
    const events = shards.flatMap((shard) => readShard(node, shard, query));
    const fails = events.some(({ id }) => faults.unwritable.has(id) || faults.tooLarge.has(id));
    if (fails) return "unwritable";
    return { events: faults.repeats ? [...events, ...events.toReversed()] : events };
  },
  "/v1/eventById": (node, query) => {
    const { unwritable, dropsSingle } = node.faults;
    const event = findEvent(node, query);
    if (!event) return refuse("Failed to get event", "status: Internal, message: NotFound: Event not found");
    // What ends the connection of a page is told of the event by itself, unless the node is older.
    if (!unwritable.has(event.id)) return event;
    return dropsSingle ? "unwritable" : { error: "Invalid message type" };
  },
  "/v1/userNameProofByName": ({ chain }, query) =>
    chain.proofs.get(query.get("name") ?? "") ??
    refuse("Failed to get username proof", "status: NotFound, message: proof not found"),
  "/v1/signersByFid": ({ chain }, query) => ({
    // An empty list is left out.
    signers: (chain.signers.get(Number(query.get("fid"))) ?? []).map(({ scopes = [], ...signer }) => ({
      ...signer,
      ...(scopes.length > 0 && { scopes }),
    })),
    nextPageToken: "",
  }),
  "/v1/onChainEventsByFid": ({ chain }, query) => {
    const fid = Number(query.get("fid"));
    const to = chain.custody.get(fid);
    if (query.get("event_type") !== "EVENT_TYPE_ID_REGISTER" || to === undefined) return { events: [] };
    return { events: [describeRegistration(fid, to)] };
  },
};

function refuse(error: string, error_detail: string): Json {
  return { error, error_detail };
}

function shardsOf({ chain }: Node, query: URLSearchParams): number[] {
  const named = query.get("shard_index");
  return named === null ? [...chain.shards.keys()] : [Number(named)];
}

function findEvent(node: Node, query: URLSearchParams) {
  const page = new URLSearchParams({ from_event_id: query.get("event_id") ?? "", page_size: "1" });
  const [event] = readShard(node, Number(query.get("shard_index")), page);
  return String(event?.id) === query.get("event_id") ? event : undefined;
}

/** Ids in a block. */
const perBlock = 16_384;

function readShard({ chain, faults }: Node, shard: number, query: URLSearchParams) {
  const fewer = (faults.renumbered.get(shard) ?? 0) * perBlock;
  const [lowest, highest] = [faults.from.get(shard) ?? 0, faults.upTo.get(shard) ?? Infinity];
  const from = Math.max(Number(query.get("from_event_id") ?? 0) + fewer, lowest * perBlock);
  const stop = Number(query.get("stop_id") ?? Infinity) + fewer;
  const last = faults.untilId.get(shard) ?? Infinity;
  const size = Number(query.get("page_size") ?? query.get("pageSize") ?? 1000);
  const isReverse = query.get("reverse") === "true";
  const blocks = chain.shards.get(shard) ?? [];
  const found: Block["events"] = [];
  for (let index = isReverse ? blocks.length - 1 : firstFrom(blocks, from); found.length < size;) {
    const block = blocks[index];
    if (!block || (isReverse ? (block.number + 1) * perBlock <= from : block.number > highest)) break;
    const isKept = ({ id }: { id: number }) => id >= from && id < stop && id <= last;
    const own = block.number > highest ? [] : block.events.filter(isKept);
    found.push(...(isReverse ? own.toReversed() : own));
    index += isReverse ? -1 : 1;
  }
  const page = found.slice(0, size);
  return fewer === 0 ? page : page.map((event) => renumber(event, fewer));
}

/** Where the first block stands that may hold this event or a later one. */
function firstFrom(blocks: readonly Block[], id: number): number {
  let [low, high] = [0, blocks.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (((blocks[middle]?.number ?? 0) + 1) * perBlock <= id) low = middle + 1;
    else high = middle;
  }
  return low;
}

function renumber(event: Block["events"][number], fewer: number): Block["events"][number] {
  const blockNumber = Math.floor((event.id - fewer) / perBlock);
  const confirmed = event["blockConfirmedBody"] as Json | undefined; // as `confirm` made it
  return {
    ...event,
    id: event.id - fewer,
    blockNumber,
    ...(confirmed && { blockConfirmedBody: { ...confirmed, blockNumber } }),
  };
}

function describeShards({ chain, faults, now }: Node): Json {
  if (faults.withoutShards) {
    const dbStats = { numMessages: 1, numFidEvents: 1, numFnameEvents: 1 };
    const hub = { version: "1.11.1", isSyncing: false, nickname: "hub", rootHash: "", peerId: "12D3" };
    return { ...hub, dbStats, hubOperatorFid: 9 };
  }
  const shardInfos = [...chain.shards].map(([shardId, blocks]) => {
    const highest = Math.min(
      faults.upTo.get(shardId) ?? Infinity,
      (faults.untilId.get(shardId) ?? Infinity) / perBlock,
    );
    const last = blocks.findLast(({ number }) => number <= highest);
    return {
      shardId,
      maxHeight: (last?.number ?? 0) - (faults.renumbered.get(shardId) ?? 0),
      numMessages: 1,
      numFidRegistrations: 1,
      approxSize: 1,
      blockDelay: Math.floor(now() / 1000) - (timeOf(last) ?? 0),
      mempoolSize: 0,
    };
  });
  const block = { ...shardInfos[0], shardId: 0 };
  return {
    dbStats: { numMessages: 1, numFidRegistrations: 1, approxSize: 1 },
    numShards: chain.shards.size,
    shardInfos: [block, ...shardInfos],
    version: "0.14.2",
    peer_id: "12D3",
    nextEngineVersionTimestamp: 0,
  };
}

/** When a block was confirmed, as its first event says: UNIX seconds. */
function timeOf(block: Block | undefined): number | undefined {
  const confirmed = block?.events[0]?.["blockConfirmedBody"] as { timestamp: number } | undefined; // as `confirm` made it
  return confirmed && confirmed.timestamp + farcasterEpoch;
}

function describeRegistration(fid: number, to: string): Json {
  return {
    type: "EVENT_TYPE_ID_REGISTER",
    chainId: 10,
    blockNumber: 111_888_000 + fid,
    blockHash: `0x${"bc".repeat(32)}`,
    blockTimestamp: 1_699_000_000,
    transactionHash: `0x${"de".repeat(32)}`,
    logIndex: 0,
    txIndex: 0,
    version: 0,
    fid,
    idRegisterEventBody: {
      to,
      eventType: "ID_REGISTER_EVENT_TYPE_REGISTER",
      from: "0x",
      recoveryAddress: `0x${"00".repeat(20)}`,
    },
  };
}
