/**
 * A live hub's two shards on loopback, in a separate process: a past of that many events in each, and then 25 more a second
 * in each. Blocks are confirmed, events have no times of their own, and one in a thousand belongs to the linked channel.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { eventsPerBlock, messageEpoch } from "../src/contract/hub.ts";

/** One block a second in each shard, with its confirmation. */
const perBlock = 25;
const firstBlock = 100;
const linkedEvery = 1000;
const shards = [1, 2];
const pageLimit = 1000;

const past = Number(process.argv[2]);
const channelUrl = process.argv[3] ?? "";
const began = Math.floor(Date.now() / 1000);

/** The current number of events in each shard. */
function countEvents(): number {
  return past + (Math.floor(Date.now() / 1000) - began) * perBlock;
}

function idAt(index: number): number {
  return (firstBlock + Math.floor(index / perBlock)) * eventsPerBlock + (index % perBlock);
}

/** Index of the first event whose id is at least this. */
function indexFrom(id: number): number {
  const block = Math.floor(id / eventsPerBlock) - firstBlock;
  return block < 0 ? 0 : block * perBlock + Math.min(id % eventsPerBlock, perBlock);
}

function hashOf(shard: number, index: number): string {
  return `0x${(index * 2 + shard).toString(16).padStart(40, "0")}`;
}

function makeEvent(shard: number, index: number): object {
  const blockNumber = firstBlock + Math.floor(index / perBlock);
  const timestamp = began - Math.floor((past - index) / perBlock) - messageEpoch;
  const common = { id: idAt(index), blockNumber, shardIndex: shard };
  if (index % perBlock === 0) {
    const blockHash = `0x${"ab".repeat(32)}`;
    const body = { blockNumber, shardIndex: shard, timestamp, blockHash, totalEvents: perBlock };
    return { type: "HUB_EVENT_TYPE_BLOCK_CONFIRMED", ...common, blockConfirmedBody: body };
  }
  const message = {
    data: {
      ...makeData(shard, index),
      fid: 1 + (index % 9000),
      timestamp,
      network: "FARCASTER_NETWORK_MAINNET",
    },
    hash: hashOf(shard, index),
    hashScheme: "HASH_SCHEME_BLAKE3",
    signature: "qN0".repeat(29),
    signatureScheme: "SIGNATURE_SCHEME_ED25519",
    signer: `0x${"5e".repeat(32)}`,
  };
  const body = { message, deletedMessages: [] };
  return { type: "HUB_EVENT_TYPE_MERGE_MESSAGE", ...common, mergeMessageBody: body };
}

function makeData(shard: number, index: number): object {
  const kind = index % 4;
  const isLinked = index % linkedEvery === 1;
  if (!isLinked && kind !== 1 && kind !== 2) {
    const target = { fid: 3, hash: hashOf(shard, index) };
    return { type: "MESSAGE_TYPE_REACTION_ADD", reactionBody: { type: "LIKE", targetCastId: target } };
  }
  const elsewhere = { fid: 7, hash: hashOf(shard, index * 7919) };
  return {
    type: "MESSAGE_TYPE_CAST_ADD",
    castAddBody: {
      embedsDeprecated: [],
      mentions: [],
      mentionsPositions: [],
      embeds: [{ url: `https://example.test/${index}` }],
      text: `Event ${index}: a cast of ordinary length, with some words, an emoji 🎉 and a link to read on.`,
      type: "CAST",
      parentCastId: !isLinked && kind === 1 ? elsewhere : null,
      parentUrl: isLinked ? channelUrl : kind === 2 ? `https://example.test/~/${index % 50}` : null,
    },
  };
}

function readEvents(query: URLSearchParams): object[] {
  const named = query.get("shard_index");
  const size = Math.min(Number(query.get("page_size") ?? pageLimit), pageLimit);
  const asked = named === null ? shards : shards.filter((shard) => shard === Number(named));
  const count = countEvents();
  return asked.flatMap((shard) => {
    const start = indexFrom(Number(query.get("from_event_id") ?? 0));
    const indexes = Array.from({ length: Math.max(0, Math.min(size, count - start)) }, (_, at) =>
      query.get("reverse") === "true" ? count - 1 - at : start + at,
    );
    return indexes.map((index) => makeEvent(shard, index));
  });
}

function describeShards(): object {
  const maxHeight = firstBlock + Math.floor(countEvents() / perBlock);
  const shardInfos = [0, ...shards].map((shardId) => ({ shardId, maxHeight, blockDelay: 0, mempoolSize: 0 }));
  return { version: "0.14.2", numShards: shards.length, shardInfos };
}

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
  response.setHeader("content-type", "application/json");
  if (pathname === "/v1/events") response.end(JSON.stringify({ events: readEvents(searchParams) }));
  else if (pathname === "/v1/info") response.end(JSON.stringify(describeShards()));
  else if (pathname === "/v1/castsByParent") response.end(`{"messages":[]}`);
  else response.writeHead(404).end(`{"error":"Not found"}`);
});
server.listen(0, "127.0.0.1", () => {
  // Servers that listen on TCP have an AddressInfo.
  const { port } = server.address() as AddressInfo;
  process.send?.(`http://127.0.0.1:${port}`);
});
