import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A hub on loopback with prepared pages, so that only the reader is measured. Runs in a separate process. */
const [total = 0, pageSize = 0] = process.argv.slice(2).map(Number);
const channelUrl = process.argv[4] ?? "";
const merged = Math.floor(Date.now() / 1000);
const firstId = 1000;
/** One event in a hundred belongs to the linked channel; half of them are replies. */
const linkedEvery = 100;

function hashOf(index: number): string {
  return `0x${index.toString(16).padStart(40, "0")}`;
}

function castData(index: number): Record<string, unknown> {
  const text = `Event ${index}: a cast of ordinary length, with some words, an emoji 🎉 and a link to read on.`;
  const body = {
    text,
    mentions: [],
    mentionsPositions: [],
    embeds: [{ url: `https://example.test/${index}` }],
  };
  if (index % linkedEvery === 0) {
    const isReply = index % (2 * linkedEvery) !== 0;
    const parent = isReply
      ? { parentCastId: { fid: 7, hash: hashOf(index - linkedEvery) } }
      : { parentUrl: channelUrl };
    return { type: "MESSAGE_TYPE_CAST_ADD", castAddBody: { ...body, ...parent } };
  }
  if (index % 4 === 1) {
    const parentCastId = { fid: 7, hash: `0x${(index * 7919).toString(16).padStart(40, "a")}` };
    return { type: "MESSAGE_TYPE_CAST_ADD", castAddBody: { ...body, parentCastId } };
  }
  if (index % 4 === 2) {
    return {
      type: "MESSAGE_TYPE_CAST_ADD",
      castAddBody: { ...body, parentUrl: `https://example.test/~/${index % 50}` },
    };
  }
  const reactionBody = { type: "REACTION_TYPE_LIKE", targetCastId: { fid: 3, hash: hashOf(index) } };
  return { type: "MESSAGE_TYPE_REACTION_ADD", reactionBody };
}

function makeEvent(index: number): string {
  const id = firstId + index * 3;
  const common = { id, blockNumber: id >> 14, shardIndex: 1, timestamp: merged };
  if (index % 500 === 250) {
    const usernameProof = {
      timestamp: merged,
      name: `name-${index}`,
      owner: "0x8773442740c17c9d0f0b87022c722f9a136206ed",
      signature: "c2lnbmF0dXJl",
      fid: index,
      type: "USERNAME_TYPE_FNAME",
    };
    const type = "HUB_EVENT_TYPE_MERGE_USERNAME_PROOF";
    return JSON.stringify({ type, ...common, mergeUsernameProofBody: { usernameProof } });
  }
  const data = {
    fid: 1 + (index % 9000),
    timestamp: merged - 1_609_459_200,
    network: "FARCASTER_NETWORK_MAINNET",
  };
  const message = {
    data: { ...castData(index), ...data },
    hash: hashOf(index),
    hashScheme: "HASH_SCHEME_BLAKE3",
    signature: "qN0".repeat(29),
    signatureScheme: "SIGNATURE_SCHEME_ED25519",
    signer: `0x${"5e".repeat(32)}`,
  };
  return JSON.stringify({ type: "HUB_EVENT_TYPE_MERGE_MESSAGE", ...common, mergeMessageBody: { message } });
}

const events = Array.from({ length: total }, (_, index) => makeEvent(index));

const server = createServer((request, response) => {
  const query = new URL(request.url ?? "", "http://localhost").searchParams;
  const from = Number(query.get("from_event_id") ?? 0);
  const start = Math.max(0, Math.ceil((from - firstId) / 3));
  const page = events.slice(start, start + pageSize);
  const next = firstId + (start + page.length) * 3;
  response.setHeader("content-type", "application/json");
  response.end(`{"nextPageEventId":${next},"events":[${page.join(",")}]}`);
});
server.listen(0, "127.0.0.1", () => {
  // Servers that listen on TCP have an AddressInfo.
  const { port } = server.address() as AddressInfo;
  process.send?.(`http://127.0.0.1:${port}`);
});
