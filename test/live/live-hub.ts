/**
 * A double of the live network's hub, written from its source (snapchain 0.14.2, src/network/http_server.rs) and not from ours:
 * shards with blocks of their own, no times but those of blocks, pages of all shards one after the other where none is named,
 * connections that end where an event cannot be written out, and whatever else a node does that ours does not.
 */
import { misbehave, spoil, type Fault } from "./live-faults.ts";
import { answerHub } from "./live-hub-routes.ts";
import { farcasterEpoch, signHubMessage, type LiveData, type LiveMessage } from "./live-messages.ts";
import { serve, type Json } from "./live-server.ts";

/** What all nodes of a network agree on. */
export class LiveChain {
  /** By shard: its blocks, ascending. */
  readonly shards = new Map<number, Block[]>();
  /** Casts that are there, by hash. */
  readonly casts = new Map<string, CastOf["message"]>();

  /** Of them, those that no list names: they can be had by their id alone. */
  readonly hidden = new Set<string>();

  /** Whose each name is, by the latest proof that was made of it. */
  readonly proofs = new Map<string, Json & { fid: number }>();
  /** Custody addresses by fid, as the chain of registrations has them. */
  readonly custody = new Map<number, string>();
  /** Keys that may sign, by fid. */
  readonly signers = new Map<number, ListedSigner[]>();

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

  /** Which shard a user's messages go to. */
  shardOf(fid: number): number {
    const shards = [...this.shards.keys()];
    return shards[fid % shards.length] ?? 0;
  }

  /** A cast, as a message and as the event of its merge. */
  cast(input: { fid: number; text: string; at: number; parentUrl?: string; parent?: CastOf["id"] }): CastOf {
    const { fid, text, at, parentUrl = null, parent = null } = input;
    const message = signHubMessage({
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
    });
    const { hash } = message;
    this.casts.set(hash, message);
    const merged = mergeOf(message);
    return { hash, id: { fid, hash }, message, merged };
  }

  /** Its author takes a cast away. */
  removal(fid: number, hash: string, at: number): Json {
    this.casts.delete(hash);
    const message = signHubMessage({
      type: "MESSAGE_TYPE_CAST_REMOVE",
      fid,
      timestamp: at - farcasterEpoch,
      network: "FARCASTER_NETWORK_MAINNET",
      castRemoveBody: { targetHash: Buffer.from(hash.slice(2), "hex").toString("base64") },
    });
    return mergeOf(message);
  }

  /** What a user says about themselves. */
  userData(fid: number, type: string, value: string, at: number): Json {
    const message = signHubMessage({
      type: "MESSAGE_TYPE_USER_DATA_ADD",
      fid,
      timestamp: at - farcasterEpoch,
      network: "FARCASTER_NETWORK_MAINNET",
      userDataBody: { type, value },
    });
    return mergeOf(message);
  }

  /** A name's proof, which every shard merges. */
  proof(name: string, fid: number, at: number, replaced?: Replaced, signed: Partial<SignedClaim> = {}): Json {
    const proof = (of: number, timestamp: number, proven = name) => ({
      timestamp,
      name: proven,
      owner: `0x${of.toString(16).padStart(40, "0")}`,
      signature: Buffer.alloc(65, 2).toString("base64"),
      fid: of,
      type: proven.endsWith(".eth") ? "USERNAME_TYPE_BASENAME" : "USERNAME_TYPE_FNAME",
    });
    const usernameProof = { ...proof(fid, at), ...signed };
    this.proofs.set(name, usernameProof);
    return {
      type: "HUB_EVENT_TYPE_MERGE_USERNAME_PROOF",
      mergeUsernameProofBody: {
        usernameProof,
        ...(replaced && { deletedUsernameProof: proof(replaced.fid, replaced.at, replaced.name) }),
      },
    };
  }
}

/** A proof that another took the place of. */
interface Replaced {
  name?: string;
  fid: number;
  at: number;
}

/** Who signed a proof, and the signature in base64; one that nobody signed says something of the kind. */
interface SignedClaim {
  owner: string;
  signature: string;
}

function mergeOf(message: LiveMessage): Json {
  return { type: "HUB_EVENT_TYPE_MERGE_MESSAGE", mergeMessageBody: { message, deletedMessages: [] } };
}

/** A key as hubs list it. */
export interface ListedSigner {
  source?: string;
  key: string;
  keyType?: number;
  fid?: number;
  scopes?: unknown[];
  /** UNIX seconds. */
  expiresAt?: number;
}

export interface Block {
  number: number;
  events: (Json & { id: number })[];
}

interface CastOf {
  hash: string;
  /** As replies name their parent. */
  id: { fid: number; hash: string };
  message: LiveMessage<Extract<LiveData, { type: "MESSAGE_TYPE_CAST_ADD" }>>;
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
    /** By path, how it is refused: a used up plan (402), a proxy that waits no longer (408); a text is no JSON. */
    refused: Map<string, { status: number; body: unknown }>;
    /** `/v1/info` is as nodes without shards gave it, and as hosts declare it still. */
    withoutShards: boolean;
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
    /** What goes wrong with calls on the way. */
    http: Fault | undefined;
    /** By shard: the last event that this node has, which may stand in the middle of its block. */
    untilId: Map<number, number>;
    /** Pages give events twice, and not in their order. */
    repeats: boolean;
    /** By shard: how many blocks fewer this node counts, as one that was set up anew; `upTo`, `from` and ids go by the chain's. */
    renumbered: Map<number, number>;
  };
  close(): Promise<void>;
}

/** `now`: its own clock, in UNIX milliseconds. */
export async function startLiveNode(chain: LiveChain, now = Date.now): Promise<LiveNode> {
  const faults: LiveNode["faults"] = {
    unwritable: new Set(),
    dropsSingle: false,
    tooLarge: new Set(),
    unwritableCasts: new Set(),
    shardOrder: undefined,
    missing: new Set(),
    refused: new Map(),
    withoutShards: false,
    hangs: new Set(),
    upTo: new Map(),
    from: new Map(),
    apiKey: undefined,
    down: false,
    http: undefined,
    untilId: new Map(),
    repeats: false,
    renumbered: new Map(),
  };
  const requests: string[] = [];
  const server = await serve(async (request, response) => {
    requests.push(request.url ?? "");
    response.setHeader("date", new Date(now()).toUTCString());
    const { http } = faults;
    const write = (status: number, json: unknown, retryAfter?: number) => {
      const headers = {
        "content-type": "application/json",
        ...(retryAfter !== undefined && { "retry-after": String(retryAfter) }),
      };
      response.writeHead(status, headers).end(JSON.stringify(json));
    };
    if (await misbehave(http, request, response, write)) return;
    const send = (status: number, json: Json) =>
      spoil(http, { status, json }, { request, response, send: write });
    answerHub({ chain, faults, now }, { request, response, send });
  });
  return { ...server, requests, faults };
}
