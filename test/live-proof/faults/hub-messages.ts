import type { Point } from "../fault.ts";

const clients = "test/api/http/independent-clients.test.ts";
const doctor = "test/start/doctor.test.ts";
const doctorKey = "test/start/doctor-key.test.ts";
const hubs = "test/client/hubs.test.ts";
const messageData = "test/contract/message-data.test.ts";
const parents = "test/observe/live-parents.test.ts";
const past = "test/observe/read-casts-by-parent.test.ts";
const pollHub = "test/observe/poll-hub.test.ts";

/** H10 to H14: requests to hubs, and the content of their messages. */
export const hubMessages: readonly Point[] = [
  {
    id: "H10",
    holds:
      "Each hub receives only its own headers, such as a key. A hub that refuses access or is unreachable is replaced by the next.",
    faults: [
      {
        broken: "a hub's own headers are not sent",
        file: "src/client/choose-hub.ts",
        from: "...(headers && { headers }),",
        to: "",
        tests: { [hubs]: ["each hub is sent its own headers, and no other's"] },
      },
      {
        broken: "a hub that answers 401 is still used",
        file: "src/errors.ts",
        from: "[401, 402, 403, 408, 425, 429].includes(status)",
        to: "[402, 408, 425, 429].includes(status)",
        tests: {
          [hubs]: ["skips a hub that refuses the API key, but does not retry a bad request on other hubs"],
        },
      },
      {
        broken: "doctor takes a hub that requires a key for an unreachable one",
        file: "src/start/doctor/check-hubs.ts",
        from: "    case 401:\n    case 403: {",
        to: "    case 403: {",
        tests: {
          [doctor]: [
            "castellan doctor > says what is wrong with a hub that wants a key, and nothing else is",
          ],
        },
      },
    ],
  },
  {
    id: "H11",
    holds:
      "Data that events do not contain is requested: a channel's casts, replies to them, and the unknown parent of a reply.",
    faults: [
      {
        broken: "a finished shard is read again with the hub's own token",
        file: "src/observe/hub/parent-bookmark.ts",
        from: "return toText(encodeShardKeys(shards.map(() => newest)));",
        to: "return toText(nextPageToken);",
        tests: {
          [past]: [
            "pages of a hub of two shards, which always name a next one > are read until each shard has ended, and a shard that ended sooner is not begun anew",
          ],
        },
      },
      {
        broken:
          "a channel counts as having no past if the hub first returns nothing because of another channel's longer name",
        file: "src/observe/hub/parent-bookmark.ts",
        from: "const isDoubtful = isFirst && url !== undefined && reached.length < shards.length;",
        to: "const isDoubtful = false;",
        tests: {
          [past]: [
            "pages of a hub of two shards, which always name a next one > are read though a channel with a longer name makes the hub say that there is nothing",
          ],
        },
      },
      {
        broken: "the parent of a reply is not requested",
        file: "src/observe/hub/read-casts-by-parent.ts",
        from: "  if (!reply || reply.fid === null) return false;\n",
        to: "  if (!reply || reply.fid !== undefined) return false;\n",
        tests: {
          [parents]: [
            "the unknown parent of a reply > by somebody who casts in a linked channel is asked for, and the reply is told where it belongs",
          ],
        },
      },
      {
        broken: "any cast in the hub's answer counts as the parent",
        file: "src/observe/hub/read-casts-by-parent.ts",
        from: ".filter((cast) => cast.hash === hash);",
        to: ";",
        tests: {
          [parents]: ["the unknown parent of a reply > is none of another hash, whatever the hub answers"],
        },
      },
    ],
  },
  {
    id: "H12",
    holds:
      "Events are not searched for one channel: its past comes from its casts, and strangers' replies cost no call.",
    faults: [
      {
        broken: "a channel's casts from before the link are not requested",
        file: "src/observe/sources.ts",
        from: "select channel_id, max(channel_url), min(linked_at_ms), ''\n",
        to: "select channel_id, max(channel_url), min(linked_at_ms), null\n",
        tests: {
          [past]: [
            "a channel's past > is asked for by its casts, not read from events; replies to it are placed, and it is no news",
          ],
        },
      },
      {
        broken: "the parent of every reply on the network is requested",
        file: "src/observe/hub/waiting-replies.ts",
        from: "is_requested or ${mayBeOurs}, merged_at",
        to: "true, merged_at",
        tests: {
          [parents]: [
            "the unknown parent of a reply > is not fetched for replies of strangers, so most of the network's replies cost no call",
          ],
        },
      },
    ],
  },
  {
    id: "H13",
    holds:
      "Messages are read as hubs write them, and the embedded hub writes them in the same way: the protocol's own library verifies their hashes and signatures.",
    faults: [
      {
        broken: "a message's time is read as UNIX seconds",
        file: "src/observe/hub/parse-events.ts",
        from: 'const castAt = asInteger(data["timestamp"]) + messageEpoch;',
        to: 'const castAt = asInteger(data["timestamp"]);',
        tests: {
          [past]: [
            "pages of a hub of two shards, which always name a next one > reach casts on one shard that are newer than all of the other",
          ],
        },
      },
      {
        broken: "a removal's hash in base64 counts as malformed",
        file: "src/observe/hub/hub-json.ts",
        from: 'Buffer.from(value, "base64")',
        to: 'Buffer.from(value, "hex")',
        tests: { [pollHub]: ["casts > that are removed are told once, and only of linked channels"] },
      },
      {
        broken: "a cast's hash is another part of BLAKE3",
        file: "src/contract/message-data.ts",
        from: "blake3(encodeMessageData(data, layout), { dkLen: 20 })",
        to: "blake3(encodeMessageData(data, layout), { dkLen: 32 }).subarray(12)",
        tests: {
          [messageData]: ["a message's data > has a hash that the library recognizes, and no other"],
          [clients]: ["@farcaster/core > verifies every message that the hub gives over HTTP"],
        },
      },
      {
        broken: "positions of mentions are not encoded",
        file: "src/contract/message-data.ts",
        from: "    numbers(5, body.mentionsPositions),\n",
        to: "",
        tests: {
          [messageData]: ["a message's data > is encoded as the protocol's own library does"],
          [clients]: ["@farcaster/core > verifies every message that the hub gives over HTTP"],
        },
      },
      {
        broken: "a removal is reported without the removed cast",
        file: "src/api/domain/hub-event.ts",
        from: "deleted ? [castMessage(deleted)] : []",
        to: "[]",
        tests: {
          "test/api/domain/hub-event.test.ts": [
            "a message > that removes a cast comes with the cast that it deletes",
          ],
        },
      },
    ],
  },
  {
    id: "H14",
    holds:
      "A key that may sign nothing, expires soon or has expired is reported, using the hub's data about the bot's keys.",
    faults: [
      {
        broken: "the expiry of a key is not checked",
        file: "src/start/doctor/check-key.ts",
        from: 'if (left <= 0) return { state: "ended", message: `expired ${when}.` };',
        to: "",
        tests: {
          [doctorKey]: [
            "castellan doctor, of the bot's key > says what is wrong with an expired key, and nothing else is",
          ],
        },
      },
      {
        broken: "a key that expires tomorrow is fine today",
        file: "src/start/doctor/check-key.ts",
        from: "const endsSoon = 14 * 86_400;",
        to: "const endsSoon = 0;",
        tests: {
          [doctorKey]: [
            "castellan doctor, of the bot's key > says what is wrong with a key that ends soon, and nothing else is",
          ],
        },
      },
      {
        broken: "a key without scopes has all scopes",
        file: "src/start/doctor/check-key.ts",
        from: "if (isOffChain && scopes.length === 0)",
        to: "if (isOffChain && scopes.length < 0)",
        tests: {
          [doctorKey]: [
            "castellan doctor, of the bot's key > says what is wrong with a key whose scopes are left out, and nothing else is",
          ],
        },
      },
    ],
  },
];
