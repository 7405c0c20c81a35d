import { describe, expect, it } from "vitest";
import {
  castAdded,
  castMessage,
  castRemoved,
  checkDraft,
  hexToBase64,
  usernameProofMerged,
  type CastMessage,
  type HubEventDraft,
} from "../../../src/api/domain/hub-event.ts";

const hash = `0x${"ab".repeat(20)}`;
const parentHash = `0x${"cd".repeat(20)}`;
const root: CastMessage = {
  hash,
  fid: 7,
  timestamp: 1_609_459_260,
  text: "gm",
  mentions: [],
  embeds: [],
  parentUrl: "https://example.org/~/channel/garden",
};

/** The body of a cast that says gm, as hubs write it out: whatever it has not, too. */
const plain = {
  text: "gm",
  mentions: [],
  mentionsPositions: [],
  embeds: [],
  embedsDeprecated: [],
  parentUrl: null,
  parentCastId: null,
  type: "CAST",
};

/** The event as a reader gets it: its JSON text, read again. */
const read = (draft: HubEventDraft): unknown => JSON.parse(JSON.stringify(draft));

/** A merged message as the hub writes it, a minute after the zero of message times. */
const message = (type: string, body: object) => ({
  type: "HUB_EVENT_TYPE_MERGE_MESSAGE",
  author: 7,
  body: {
    mergeMessageBody: {
      deletedMessages: [],
      message: {
        data: { type, fid: 7, timestamp: 60, network: "FARCASTER_NETWORK_DEVNET", ...body },
        hash,
        hashScheme: "HASH_SCHEME_BLAKE3",
        signature: "",
        signatureScheme: "SIGNATURE_SCHEME_NONE",
        signer: "0x",
      },
    },
  },
});

describe("a cast's event", () => {
  it("of a root cast carries the text and the channel's url, and no parent cast", () => {
    const draft = castAdded(root);
    expect(read(draft)).toEqual(
      message("MESSAGE_TYPE_CAST_ADD", {
        castAddBody: {
          ...plain,
          parentUrl: root.parentUrl,
        },
      }),
    );
    expect(checkDraft(draft)).toBe(draft);
  });

  it("of a reply names the parent's author and hash, and no url", () => {
    const parent = { fid: 3, hash: parentHash, text: "what it replies to" };
    const draft = castAdded({ ...root, parentUrl: undefined, parent });
    expect(read(draft)).toEqual(
      message("MESSAGE_TYPE_CAST_ADD", {
        castAddBody: {
          ...plain,
          parentCastId: { fid: 3, hash: parentHash },
        },
      }),
    );
    expect(checkDraft(draft)).toBe(draft);
  });

  it("has a position for each mention, as hubs demand, and its embeds", () => {
    const embeds = [{ url: "https://example.org/a.png" }];
    const draft = castAdded({ ...root, mentions: [3, 4], embeds });
    expect(draft.body).toHaveProperty("mergeMessageBody.message.data.castAddBody", {
      ...plain,
      mentions: [3, 4],
      mentionsPositions: [0, 0],
      embeds,
      parentUrl: root.parentUrl,
    });
    expect(checkDraft(draft)).toBe(draft);
  });

  it("of a removal names the removed cast in base64, beside its own hash in hex", () => {
    const draft = castRemoved({ hash, fid: 7, timestamp: root.timestamp, targetHash: parentHash });
    expect(read(draft)).toEqual(
      message("MESSAGE_TYPE_CAST_REMOVE", { castRemoveBody: { targetHash: "zc3Nzc3Nzc3Nzc3Nzc3Nzc3Nzc0=" } }),
    );
    expect(checkDraft(draft)).toBe(draft);
  });
});

describe("a message", () => {
  const signed = { signer: `0x${"12".repeat(32)}`, signature: "c2lnbmVk" };

  it("that was signed says by which key, and how", () => {
    expect(castMessage({ ...root, ...signed })).toMatchObject({
      ...signed,
      hashScheme: "HASH_SCHEME_BLAKE3",
      signatureScheme: "SIGNATURE_SCHEME_ED25519",
    });
  });

  it("that removes a cast comes with the cast that it deletes", () => {
    const removal = { hash: parentHash, fid: 7, timestamp: root.timestamp, targetHash: hash };
    expect(castRemoved(removal, root).body).toHaveProperty("mergeMessageBody.deletedMessages", [
      castMessage(root),
    ]);
  });
});

describe("a name's event", () => {
  const owner = `0x${"1".repeat(40)}`;
  const transfer = {
    timestamp: 1_700_000_000,
    username: "alice",
    owner,
    to: 1,
    server_signature: "0x00ff10",
  };
  const proof = {
    timestamp: 1_700_000_000,
    name: "alice",
    owner,
    signature: "AP8Q",
    fid: 1,
    type: "USERNAME_TYPE_FNAME",
  };
  const event = (body: object) => ({
    type: "HUB_EVENT_TYPE_MERGE_USERNAME_PROOF",
    body: { mergeUsernameProofBody: body },
  });

  it("proves the transfer in UNIX seconds, with the registry's signature in base64", () => {
    const draft = usernameProofMerged(transfer);
    expect(draft).toStrictEqual(event({ usernameProof: proof }));
    expect(checkDraft(draft)).toBe(draft);
  });

  it("carries the proof that it replaces; a release belongs to fid 0", () => {
    const released = { ...transfer, timestamp: 1_700_000_009, to: 0, server_signature: "0x" };
    const draft = usernameProofMerged(released, transfer);
    expect(draft).toStrictEqual(
      event({
        usernameProof: { ...proof, timestamp: 1_700_000_009, fid: 0, signature: "" },
        deletedUsernameProof: proof,
      }),
    );
    expect(checkDraft(draft)).toBe(draft);
  });
});

describe("an event is not stored", () => {
  const usernameProof = {
    timestamp: 1,
    name: "a",
    owner: "0x",
    signature: "",
    fid: 1,
    type: "USERNAME_TYPE_FNAME",
  };

  it.each<[string, HubEventDraft, place: string]>([
    ["a message without body", { type: "HUB_EVENT_TYPE_MERGE_MESSAGE", body: {} }, "mergeMessageBody"],
    [
      "a message with the body of a proof",
      { type: "HUB_EVENT_TYPE_MERGE_MESSAGE", body: { mergeUsernameProofBody: { usernameProof } } },
      "mergeMessageBody",
    ],
    ["a cast with a fraction of a second", castAdded({ ...root, timestamp: 1.5 }), "timestamp"],
    [
      "a proof without body",
      { type: "HUB_EVENT_TYPE_MERGE_USERNAME_PROOF", body: {} },
      "mergeUsernameProofBody",
    ],
    [
      "a proof of nothing",
      { type: "HUB_EVENT_TYPE_MERGE_USERNAME_PROOF", body: { mergeUsernameProofBody: {} } },
      "usernameProof",
    ],
    [
      "a proof that replaces half a proof",
      {
        type: "HUB_EVENT_TYPE_MERGE_USERNAME_PROOF",
        body: { mergeUsernameProofBody: { usernameProof, deletedUsernameProof: { fid: 1 } } },
      },
      "deletedUsernameProof",
    ],
  ])("when it is %s", (_case, draft, place) => {
    expect(() => checkDraft(draft)).toThrow(`"${place}"`);
  });
});

describe("bytes in hex", () => {
  it.each([
    ["0x", ""],
    ["0x00ff10", "AP8Q"],
    ["0xFF", "/w=="],
  ])("%s are %j in base64", (hex, base64) => {
    expect(hexToBase64(hex)).toBe(base64);
  });
});
