import { beforeEach, describe, expect, it } from "vitest";
import { createMessageSigner, type MessageSigner } from "../../src/api/signatures.ts";
import type { HubMessage } from "../../src/contract/hub.ts";
import { describeCast, hashMessageData } from "../../src/contract/message-data.ts";
import { objectionsTo, readHubMessage } from "../contract/core-message.ts";
import { createTestContext } from "../support/world.ts";
import { useTestNetwork } from "../support/test-cases.ts";

const author = 7;
const stranger = 8;
const url = "https://castle.test/~/channel/memes";
const ownSigner = createMessageSigner("7".repeat(64));
const messageSigners = new Map<number, MessageSigner>([
  [author, ownSigner],
  [stranger, createMessageSigner("8".repeat(64))],
]);

const net = await useTestNetwork({ ...(await createTestContext()), messageSigners });
beforeEach(async () => {
  await net.context.database.truncate();
  await net.api.operator.importNetwork({
    accounts: [
      { fid: author, custodyAddress: `0x${"7".repeat(40)}`, appKeys: [ownSigner.publicKey] },
      { fid: stranger, custodyAddress: `0x${"8".repeat(40)}` },
    ],
    channels: [
      { id: "memes", name: "Memes", url, imageUrl: `${url}.png`, leadFid: author, publicCasting: true },
    ],
  });
});

const cast = (input: object = {}) =>
  net.api.operator.cast({ fid: author, text: "gm", channelId: "memes", ...input });

/** The latest message that the hub merged, and what it deleted. */
async function latest() {
  const { events } = await net.public.hub.events({ reverse: true, page_size: 1 });
  // Of a MERGE_MESSAGE, which is validated when it is stored.
  return events[0]?.mergeMessageBody as { message: HubMessage; deletedMessages: HubMessage[] };
}

describe("a cast of somebody whose application key the network holds", () => {
  it("is signed, and the protocol's own library verifies it", async () => {
    const { hash } = await cast({ mentions: [stranger], embeds: [{ url: "https://a.test/" }] });
    const reply = await cast({ text: "and a reply, ☀", channelId: undefined, parentHash: hash });
    const { message } = await latest();
    expect(message).toMatchObject({ hash: reply.hash, signer: ownSigner.publicKey });
    expect(await objectionsTo(message)).toBeUndefined();
    const { messages } = await net.public.hub.castsByParent({ url });
    expect(messages.map((root) => root.hash)).toEqual([hash]);
    expect(await objectionsTo(messages[0])).toBeUndefined();
    expect(readHubMessage(message).data?.castAddBody?.text).toBe("and a reply, ☀");
  });

  it("does not verify once a letter of it is another", async () => {
    await cast();
    const { message } = await latest();
    const forged = JSON.parse(JSON.stringify(message).replace('"gm"', '"gn"')) as HubMessage;
    expect(await objectionsTo(forged)).toContain("invalid hash");
    const signature = Buffer.alloc(64, 1).toString("base64");
    expect(await objectionsTo({ ...message, signature })).toContain("invalid signature");
  });

  it("is removed by a message that is signed, and that brings it along", async () => {
    const { hash } = await cast();
    await net.api.operator.removeCast({ hash });
    const { message, deletedMessages } = await latest();
    expect(message.data.type).toBe("MESSAGE_TYPE_CAST_REMOVE");
    expect(await objectionsTo(message)).toBeUndefined();
    expect(deletedMessages.map((deleted) => deleted.hash)).toEqual([hash]);
    expect(await objectionsTo(deletedMessages[0])).toBeUndefined();
  });

  it("is signed by nobody once the key is revoked", async () => {
    await net.api.operator.revokeKey({ fid: author, key: ownSigner.publicKey });
    await cast();
    expect((await latest()).message).toMatchObject({
      signatureScheme: "SIGNATURE_SCHEME_NONE",
      signer: "0x",
    });
  });
});

describe("a cast of anybody else", () => {
  it("has its message's hash, and no signature; a held key that is not theirs signs nothing", async () => {
    const { hash } = await cast({ fid: stranger });
    const { message } = await latest();
    expect(message).toMatchObject({ hash, signature: "", signatureScheme: "SIGNATURE_SCHEME_NONE" });
    expect(await objectionsTo(message)).toContain("signatureScheme");
    const timestamp = 1_700_000_000;
    const content = { fid: stranger, text: "gm", timestamp, mentions: [], embeds: [], parentUrl: url };
    expect(hash).toBe(hashMessageData(describeCast(content)));
  });
});

describe("the same words once more in one second", () => {
  it("are a cast of the next second that is free", async () => {
    const hashes = new Set<string>();
    for (let count = 0; count < 3; count += 1) hashes.add((await cast()).hash);
    expect(hashes.size).toBe(3);
    const { messages } = await net.public.hub.castsByParent({ url });
    const [first = 0, ...others] = messages.map(({ data }) => data.timestamp);
    expect(others).toEqual([first + 1, first + 2]);
  });

  it("are casts of their own also where all come at once", async () => {
    const casts = await Promise.all(Array.from({ length: 8 }, () => cast({ channelId: undefined })));
    expect(new Set(casts.map(({ hash }) => hash)).size).toBe(8);
  });
});

describe("an imported cast", () => {
  const content = { fid: author, text: "gm", timestamp: 1_690_000_000, mentions: [], embeds: [] };
  const own = hashMessageData(describeCast(content));

  it.each([
    ["its message's hash is signed", own, "verified", ownSigner.publicKey],
    ["another hash stays as it is given, unsigned", `0x${"ab".repeat(20)}`, "invalid hash", "0x"],
  ])("under %s", async (_case, hash, objection, signer) => {
    await net.api.operator.importNetwork({ casts: [{ hash, ...content }] });
    const { message } = await latest();
    expect(message.hash).toBe(hash);
    expect((await objectionsTo(message)) ?? "verified").toContain(objection);
    expect(message.signer).toBe(signer);
  });
});
