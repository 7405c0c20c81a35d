/**
 * A double of the live network's hub, written from its source (snapchain 0.14.2, src/network/http_server.rs) and not from ours:
 * shards with blocks of their own, no times but those of blocks, pages of all shards one after the other where none is named,
 * connections that end where an event cannot be written out, and whatever else a node does that ours does not.
 */
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { answerByParent, describeStatus } from "./casts-by-parent.ts";

export type Json = Record<string, unknown>;

/** Seconds between 1970 and 2021-01-01. */
const farcasterEpoch = 1_609_459_200;

/** What all nodes of a network agree on. */
export class LiveChain {
  /** By shard: its blocks, ascending. */
  readonly shards = new Map<number, Block[]>();
  /** Casts that are there, by hash. */
  readonly casts = new Map<string, CastOf["message"]>();

  /** Of them, those that no list names: they can be had by their id alone. */
  readonly hidden = new Set<string>();

  constructor(shards: readonly number[] = [1, 2]) {
    for (const shard of shards) this.shards.set(shard, []);
  }

  /** Confirms a shard's next block with these events; `at` in UNIX seconds. Gives their ids, the confirmation's first. */
  confirm(shard: number, at: number, bodies: readonly Json[] = [], height?: number): number[] {
    const blocks = this.shards.get(shard);
    if (!blocks) throw new Error(`there is no shard ${shard}`);
    const number = height ?? (blocks.at(-1)?.number ?? 99) + 1;
    const confirmed = {
      type: "HUB_EVENT_TYPE_BLOCK_CONFIRMED",
      blockConfirmedBody: {
        blockNumber: number,
        shardIndex: shard,
        timestamp: at - farcasterEpoch,
        blockHash: `0x${"ab".repeat(32)}`,
        totalEvents: bodies.length + 1,
      },
    };
    const events = [confirmed, ...bodies].map((body, sequence) => {
      return { ...body, id: number * 16_384 + sequence, blockNumber: number, shardIndex: shard };
    });
    blocks.push({ number, events });
    return events.map(({ id }) => id);
  }

  /** A cast, as a message and as the event of its merge. */
  cast(input: { fid: number; text: string; at: number; parentUrl?: string; parent?: Json }): CastOf {
    const { fid, text, at, parentUrl = null, parent = null } = input;
    const data = {
      type: "MESSAGE_TYPE_CAST_ADD",
      fid,
      timestamp: at - farcasterEpoch,
      network: "FARCASTER_NETWORK_MAINNET",
      castAddBody: {
        embedsDeprecated: [],
        mentions: [],
        parentCastId: parent,
        parentUrl,
        text,
        embeds: [],
        mentionsPositions: [],
        type: "CAST",
      },
    };
    const hash = `0x${createHash("sha256").update(JSON.stringify(data)).digest("hex").slice(0, 40)}`;
    const message = {
      data,
      hash,
      hashScheme: "HASH_SCHEME_BLAKE3",
      signature: Buffer.alloc(64, 1).toString("base64"),
      signatureScheme: "SIGNATURE_SCHEME_ED25519",
      signer: `0x${"cd".repeat(32)}`,
    };
    this.casts.set(hash, message);
    const merged = {
      type: "HUB_EVENT_TYPE_MERGE_MESSAGE",
      mergeMessageBody: { message, deletedMessages: [] },
    };
    return { hash, id: { fid, hash }, message, merged };
  }

  /** What a user says about themselves. */
  userData(fid: number, type: string, value: string, at: number): Json {
    const data = {
      type: "MESSAGE_TYPE_USER_DATA_ADD",
      fid,
      timestamp: at - farcasterEpoch,
      network: "FARCASTER_NETWORK_MAINNET",
      userDataBody: { type, value },
    };
    const hash = `0x${createHash("sha256").update(JSON.stringify(data)).digest("hex").slice(0, 40)}`;
    return {
      type: "HUB_EVENT_TYPE_MERGE_MESSAGE",
      mergeMessageBody: { message: { data, hash }, deletedMessages: [] },
    };
  }

  /** A name's proof, which every shard merges. */
  proof(name: string, fid: number, at: number, replaced?: { name?: string; fid: number; at: number }): Json {
    const proof = (of: number, timestamp: number, proven = name) => ({
      timestamp,
      name: proven,
      owner: `0x${of.toString(16).padStart(40, "0")}`,
      signature: Buffer.alloc(65, 2).toString("base64"),
      fid: of,
      type: proven.endsWith(".eth") ? "USERNAME_TYPE_BASENAME" : "USERNAME_TYPE_FNAME",
    });
    return {
      type: "HUB_EVENT_TYPE_MERGE_USERNAME_PROOF",
      mergeUsernameProofBody: {
        usernameProof: proof(fid, at),
        ...(replaced && { deletedUsernameProof: proof(replaced.fid, replaced.at, replaced.name) }),
      },
    };
  }
}

interface Block {
  number: number;
  events: (Json & { id: number })[];
}

/** When a block was confirmed, as its first event says: UNIX seconds. */
function timeOf(block: Block | undefined): number | undefined {
  const confirmed = block?.events[0]?.["blockConfirmedBody"] as { timestamp: number } | undefined; // as `confirm` made it
  return confirmed && confirmed.timestamp + farcasterEpoch;
}

interface CastOf {
  hash: string;
  /** As replies name their parent. */
  id: { fid: number; hash: string };
  message: Json & { hash: string; data: { type: string; fid: number; timestamp: number } };
  merged: Json;
}

/** One node of the network, with what may be wrong with it. */
export interface LiveNode {
  url: string;
  /** Paths with queries, in order. */
  requests: string[];
  faults: {
    /** Events that cannot be written out: a page that holds one ends the connection. */
    unwritable: Set<number>;
    /** One by itself ends the connection, too. */
    dropsSingle: boolean;
    /** Pages that hold one of these end the connection, but it can be had by itself. */
    tooLarge: Set<number>;
    /** Casts that cannot be written out, by hash. */
    unwritableCasts: Set<string>;
    /** In which order this node goes through its shards where it is asked for all: any, and another than its neighbour. */
    shardOrder: readonly number[] | undefined;
    /** Paths that whoever stands before this node does not pass on. */
    missing: Set<string>;
    /** By shard: pages that never come. */
    hangs: Set<number>;
    /** By shard: the highest block that this node has. */
    upTo: Map<number, number>;
    /** By shard: the lowest block that this node keeps. */
    from: Map<number, number>;
    /** What a request must carry as x-api-key. */
    apiKey: string | undefined;
    /** Each call ends its connection. */
    down: boolean;
  };
  close(): Promise<void>;
}

export async function startLiveNode(chain: LiveChain): Promise<LiveNode> {
  const faults: LiveNode["faults"] = {
    unwritable: new Set(),
    dropsSingle: false,
    tooLarge: new Set(),
    unwritableCasts: new Set(),
    shardOrder: undefined,
    missing: new Set(),
    hangs: new Set(),
    upTo: new Map(),
    from: new Map(),
    apiKey: undefined,
    down: false,
  };
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? "");
    answer(chain, faults, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A TCP server that listens has an address of this kind.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    faults,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function answer(
  chain: LiveChain,
  faults: LiveNode["faults"],
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const send = (status: number, body: unknown) => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  };
  if (faults.down) return void request.socket.destroy();
  if (faults.apiKey !== undefined && request.headers["x-api-key"] !== faults.apiKey) {
    return send(401, { code: "Unauthorized", message: "Invalid API key" });
  }
  const { pathname, searchParams: query } = new URL(request.url ?? "", "http://hub");
  if (faults.missing.has(pathname)) return void response.writeHead(404).end("Not Found");
  if (pathname === "/v1/info") return send(200, describeShards(chain, faults));
  if (pathname === "/v1/castsByParent") return answerByParent(chain, faults, query, response);
  if (pathname === "/v1/castById") {
    const cast = chain.casts.get(`0x${(query.get("hash") ?? "").replace("0x", "")}`);
    if (cast && String(cast.data.fid) === query.get("fid")) return send(200, cast);
    return send(400, {
      error: "Failed to get cast",
      error_detail: "status: NotFound, message: cast not found",
    });
  }
  if (pathname === "/v1/eventById") {
    const event = findEvent(chain, faults, query);
    if (!event) {
      const error_detail = "status: Internal, message: NotFound: Event not found";
      return send(400, { error: "Failed to get event", error_detail });
    }
    // What ends the connection of a page is told of the event by itself, unless the node is older.
    if (faults.unwritable.has(event.id)) {
      if (faults.dropsSingle) return void request.socket.destroy();
      return send(400, { error: "Invalid message type" });
    }
    return send(200, event);
  }
  if (pathname !== "/v1/events") return void response.writeHead(404).end("Not Found");
  const named = query.get("shard_index");
  const shards = named === null ? [...chain.shards.keys()] : [Number(named)];
  if (shards.some((shard) => faults.hangs.has(shard))) return;
  if (shards.some((shard) => !chain.shards.has(shard))) {
    return send(400, { error: "Failed to get events", error_detail: describeStatus("Shard not found") });
  }
  // One page of each shard, one behind the other.
  const events = shards.flatMap((shard) => readShard(chain, faults, shard, query));
  if (events.some(({ id }) => faults.unwritable.has(id) || faults.tooLarge.has(id)))
    return void request.socket.destroy();
  send(200, { events });
}

function findEvent(chain: LiveChain, faults: LiveNode["faults"], query: URLSearchParams) {
  const page = new URLSearchParams({ from_event_id: query.get("event_id") ?? "", page_size: "1" });
  const [event] = readShard(chain, faults, Number(query.get("shard_index")), page);
  return String(event?.id) === query.get("event_id") ? event : undefined;
}

function readShard(chain: LiveChain, faults: LiveNode["faults"], shard: number, query: URLSearchParams) {
  const [lowest, highest] = [faults.from.get(shard) ?? 0, faults.upTo.get(shard) ?? Infinity];
  const all = (chain.shards.get(shard) ?? [])
    .filter(({ number }) => number >= lowest && number <= highest)
    .flatMap(({ events }) => events);
  const from = Number(query.get("from_event_id") ?? 0);
  const stop = Number(query.get("stop_id") ?? Infinity);
  const size = Number(query.get("page_size") ?? query.get("pageSize") ?? 1000);
  const found = all.filter(({ id }) => id >= from && id < stop);
  return (query.get("reverse") === "true" ? found.toReversed() : found).slice(0, size);
}

function describeShards(chain: LiveChain, { upTo }: LiveNode["faults"]): Json {
  const shardInfos = [...chain.shards].map(([shardId, blocks]) => ({
    shardId,
    maxHeight: Math.min(blocks.at(-1)?.number ?? 0, upTo.get(shardId) ?? Infinity),
    numMessages: 1,
    numFidRegistrations: 1,
    approxSize: 1,
    blockDelay: Math.floor(Date.now() / 1000) - (timeOf(blocks.at(-1)) ?? 0),
    mempoolSize: 0,
  }));
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
