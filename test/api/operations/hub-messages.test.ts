import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { createMessageSigner } from "../../../src/api/signatures.ts";
import type { MergeMessageBody, MessagePage } from "../../../src/contract/hub.ts";
import { messageEpoch } from "../../../src/contract/values.ts";
import { objectionsTo } from "../../contract/core-message.ts";
import { serveNetwork } from "../../support/served-network.ts";
import { custodyOf, signTransfer } from "../../support/signing.ts";
import { createTestContext } from "../../support/world.ts";
import { useTestNetwork } from "../../support/test-cases.ts";

const signer = createMessageSigner("7".repeat(64));
const net = await useTestNetwork({
  ...(await createTestContext()),
  messageSigners: new Map([[7, signer]]),
});
const served = await serveNetwork(net);
afterAll(() => served.server.close());
beforeEach(async () => {
  await net.context.database.truncate();
  await net.api.operator.importNetwork({
    accounts: [
      { fid: 7, custodyAddress: custodyOf(7).address, appKeys: [signer.publicKey], username: "sevena" },
      { fid: 8, custodyAddress: custodyOf(8).address },
    ],
  });
});

const cast = async (text: string, fid = 7) => {
  net.context.clock.advance(1);
  return (await net.api.operator.cast({ fid, text })).hash;
};
const read = async (path: string, query: Record<string, string | number>) => {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) parameters.set(name, String(value));
  const response = await fetch(`${served.url}/v1/${path}?${parameters.toString()}`);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};
const hashesOf = ({ messages }: MessagePage) => messages.map(({ hash }) => hash);
const hub = () => net.public.hub;

describe("GET /v1/castById", () => {
  it.each([
    ["with 0x", (hash: string) => hash],
    ["without", (hash: string) => hash.slice(2).toUpperCase()],
  ])("gives a cast by its author and hash, %s", async (_case, write) => {
    const hash = await cast("gm");
    const { status, body } = await read("castById", { fid: 7, hash: write(hash) });
    expect(status).toBe(200);
    const [event] = (await hub().events({ reverse: true, page_size: 1 })).events;
    expect(event?.mergeMessageBody).toEqual({ message: body, deletedMessages: [] });
  });

  it("says as hubs do that there is none: of another author, of a removed one, of none at all", async () => {
    const hash = await cast("gm");
    const removed = await cast("oops");
    await net.api.operator.removeCast({ hash: removed });
    for (const query of [
      { fid: 8, hash },
      { fid: 7, hash: removed },
      { fid: 7, hash: `0x${"0".repeat(40)}` },
    ]) {
      expect(await read("castById", query)).toEqual({
        status: 400,
        body: { error: "Failed to get cast", error_detail: expect.stringContaining(query.hash) as unknown },
      });
    }
    expect(await read("castById", { fid: 7, hash: "gm" })).toMatchObject({
      status: 400,
      body: { error: "invalid_request" },
    });
  });
});

describe("GET /v1/castsByFid", () => {
  it("pages what a user cast and took back in order of time, both ways, by either spelling", async () => {
    const hashes = [];
    for (const text of ["one", "two", "three", "four"]) hashes.push(await cast(text));
    await cast("of somebody else", 8);
    net.context.clock.advance(1);
    await net.api.operator.removeCast({ hash: hashes[1] ?? "" });
    const [event] = (await hub().events({ reverse: true, page_size: 1 })).events;
    // Of a MERGE_MESSAGE, which is validated when it is stored.
    const merged = event?.mergeMessageBody as MergeMessageBody | undefined;
    const left = [hashes[0], hashes[2], hashes[3], merged?.message.hash];
    for (const [size, token, reverse] of [
      ["pageSize", "pageToken", "false"],
      ["page_size", "page_token", "true"],
    ] as const) {
      const seen: string[] = [];
      let next: string | undefined = "";
      do {
        const { body } = await read("castsByFid", { fid: 7, [size]: 2, [token]: next, reverse });
        const page = body as MessagePage;
        expect(page.messages.length).toBeLessThanOrEqual(2);
        seen.push(...hashesOf(page));
        next = page.nextPageToken;
      } while (next);
      expect(seen).toEqual(reverse === "true" ? left.toReversed() : left);
    }
    const { messages } = await hub().castsByFid({ fid: 7 });
    for (const message of messages) expect(await objectionsTo(message)).toBeUndefined();
  });

  it("takes times in seconds since 2021, both inclusive", async () => {
    const hashes = [];
    for (const text of ["one", "two", "three"]) hashes.push(await cast(text));
    const last = Math.floor(net.context.clock.now() / 1000) - messageEpoch;
    const within = async (start: number, stop: number) =>
      hashesOf(await hub().castsByFid({ fid: 7, startTimestamp: start, stop_timestamp: stop }));
    expect(await within(last - 1, last)).toEqual(hashes.slice(1));
    expect(await within(last - 2, last - 2)).toEqual(hashes.slice(0, 1));
    expect(await within(last + 1, last + 9)).toEqual([]);
  });
});

describe("GET /v1/userDataByFid", () => {
  it("gives the name that a user goes by, as a message that verifies; of nobody an empty page", async () => {
    const { messages } = await hub().userDataByFid({ fid: 7 });
    expect(messages).toMatchObject([
      {
        data: {
          type: "MESSAGE_TYPE_USER_DATA_ADD",
          fid: 7,
          userDataBody: { type: "USER_DATA_TYPE_USERNAME", value: "sevena" },
        },
      },
    ]);
    expect(await objectionsTo(messages[0])).toBeUndefined();
    expect(await read("userDataByFid", { fid: 8 })).toEqual({
      status: 200,
      body: { messages: [], nextPageToken: "" },
    });
  });
});

describe("GET /v1/userNameProofByName", () => {
  it("gives the proof that the event of its transfer carried", async () => {
    const { body } = await read("userNameProofByName", { name: "sevena" });
    const { events } = await hub().events({});
    expect(events[0]?.mergeUsernameProofBody?.usernameProof).toEqual(body);
    expect(body).toMatchObject({ name: "sevena", fid: 7, type: "USERNAME_TYPE_FNAME" });
  });

  it("says as hubs do that nobody has a name, also where somebody gave it up", async () => {
    net.context.clock.advance(1);
    const timestamp = Math.floor(net.context.clock.now() / 1000);
    await net.public.transfers.create(await signTransfer({ name: "sevena", from: 7, to: 0, timestamp }));
    for (const name of ["sevena", "nobody", "a\0b", ""]) {
      expect(await read("userNameProofByName", { name })).toMatchObject({
        status: 400,
        body: { error: "Failed to get username proof" },
      });
    }
  });
});

describe("GET /v1/signersByFid", () => {
  it("gives the keys that count now, page by page", async () => {
    const keys = ["11", "22", "33", "44"].map((byte) => `0x${byte.repeat(32)}`);
    await net.api.operator.importNetwork({
      accounts: [{ fid: 9, custodyAddress: custodyOf(9).address, appKeys: keys }],
    });
    await net.api.operator.revokeKey({ fid: 9, key: keys[1] ?? "" });
    const later = Math.floor(net.context.clock.now() / 1000) + 10;
    await net.context.database.query
      .updateTable("network.app_keys")
      .set({ valid_from: later })
      .where("key", "=", keys[3] ?? "")
      .execute();
    expect(await read("signersByFid", { fid: 9 })).toMatchObject({
      status: 200,
      body: {
        signers: [0, 2].map((index) => ({
          source: "SIGNER_SOURCE_ONCHAIN",
          key: keys[index],
          keyType: 1,
          fid: 9,
        })),
        gaslessSignerCount: 0,
      },
    });
    net.context.clock.advance(10);
    const seen: unknown[] = [];
    let pageToken: string | undefined;
    do {
      const page = await hub().signersByFid({ fid: 9, pageSize: 2, pageToken });
      seen.push(...page.signers.map(({ key, addedAt }) => [key, addedAt]));
      pageToken = page.nextPageToken ?? undefined;
    } while (pageToken);
    expect(seen).toEqual([
      [keys[0], undefined],
      [keys[2], undefined],
      [keys[3], later],
    ]);
    for (const pageToken of ["!", "AAAA"])
      await expect(hub().signersByFid({ fid: 9, pageToken })).rejects.toMatchObject({
        instancePath: "/pageToken",
      });
  });
});
