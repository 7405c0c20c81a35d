import { eip712, UserNameProof } from "@farcaster/core";
import { Configuration, NeynarHubClient } from "@neynar/nodejs-sdk";
import { HubRestAPIClient } from "@standard-crypto/farcaster-js-hub-rest";
import { afterAll, describe, expect, it } from "vitest";
import { createMessageSigner } from "../../../src/api/signatures.ts";
import { liveNameDomain, ownNameDomain } from "../../../src/contract/name-claim.ts";
import { objectionsTo } from "../../contract/core-message.ts";
import { serveNetwork } from "../../support/served-network.ts";
import { custodyOf } from "../../support/signing.ts";
import { createTestContext, createTestNetwork } from "../../support/world.ts";

/**
 * Clients of hubs that others wrote, each with what it can read here: they know live hubs alone. Below, `fid` casts one root
 * and two replies, of which one is taken back.
 */
const fid = 7;
const url = "https://castle.test/~/channel/memes";
const signer = createMessageSigner("7".repeat(64));

async function openHub(nameDomain = liveNameDomain) {
  const net = await createTestNetwork({
    ...(await createTestContext({ nameDomain })),
    messageSigners: new Map([[fid, signer]]),
  });
  const { operator } = net.api;
  await operator.importNetwork({
    accounts: [
      { fid, custodyAddress: custodyOf(fid).address, appKeys: [signer.publicKey], username: "sevena" },
    ],
    channels: [
      { id: "memes", name: "Memes", url, imageUrl: `${url}.png`, leadFid: fid, publicCasting: true },
    ],
  });
  const { hash: root } = await operator.cast({ fid, text: "gm", channelId: "memes", mentions: [fid] });
  const { hash: reply } = await operator.cast({ fid, text: "re", parentHash: root });
  const { hash: oops } = await operator.cast({ fid, text: "oops", parentHash: root });
  await operator.removeCast({ hash: oops });
  const { url: address, server } = await serveNetwork(net);
  const close = async () => {
    await server.close();
    await net.context.database.close();
  };
  return { address, registry: net.context.registry.address, root, reply, close };
}

const hub = await openHub();
afterAll(() => hub.close());

const eventTypes = [
  "HUB_EVENT_TYPE_MERGE_USERNAME_PROOF",
  ...Array.from({ length: 4 }, () => "HUB_EVENT_TYPE_MERGE_MESSAGE"),
];
const collect = async <Item>(items: AsyncIterable<Item>) => {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
};

describe("@standard-crypto/farcaster-js-hub-rest", () => {
  const client = () => new HubRestAPIClient({ hubUrl: hub.address });

  it("reads the events, page by page to their end, and one of them", async () => {
    const events = await collect(client().listHubEvents());
    expect(events.map(({ type }) => type)).toEqual(eventTypes);
    const last = events.at(-1);
    expect(await client().getHubEventById(Number(last?.id))).toEqual(last);
  });

  it("reads casts by id, author and parent, to the end of their pages", async () => {
    const { root, reply } = hub;
    expect(await client().getCastById({ fid, hash: root })).toMatchObject({ hash: root });
    const hashes = async (casts: AsyncIterable<{ hash: string }>) =>
      (await collect(casts)).map(({ hash }) => hash);
    expect(await hashes(client().listCastsByParent({ url }, { pageSize: 1 }))).toEqual([root]);
    expect(await hashes(client().listCastsByParent({ fid, hash: root }))).toEqual([reply]);
    const own = await collect(client().listCastsByFid(fid, { pageSize: 1 }));
    expect(own.map(({ data }) => data.type).toSorted()).toEqual([
      "MESSAGE_TYPE_CAST_ADD",
      "MESSAGE_TYPE_CAST_ADD",
      "MESSAGE_TYPE_CAST_REMOVE",
    ]);
  });

  it("reads a user's data, the proof of a name, and what the hub says of itself", async () => {
    const data = await collect(client().listAllUserDataByFid(fid));
    expect(data).toMatchObject([{ data: { userDataBody: { value: "sevena" } } }]);
    expect(await client().getUsernameProof("sevena")).toMatchObject({ name: "sevena", fid });
    await expect(client().getUsernameProof("nobody")).rejects.toMatchObject({
      response: { status: 400, data: { error: "Failed to get username proof" } },
    });
    expect(await client().getHubInfo()).toMatchObject({ version: "castellan" });
  });
});

describe("@neynar/nodejs-sdk", () => {
  const client = () =>
    new NeynarHubClient(new Configuration({ apiKey: "none", baseOptions: {}, basePath: hub.address }));

  it("reads events and one of them", async () => {
    const { events } = await client().fetchEvents({ fromEventId: 0 });
    expect(events.map(({ type }) => type)).toEqual(eventTypes);
    expect(await client().lookupEvent({ eventId: Number(events[0]?.id) })).toMatchObject({
      type: "HUB_EVENT_TYPE_MERGE_USERNAME_PROOF",
    });
  });

  it("reads casts by id, author and parent", async () => {
    const { root, reply } = hub;
    expect(await client().lookupCastByHashAndFid({ fid, hash: root })).toMatchObject({ hash: root });
    const page = await client().fetchUsersCasts({ fid, pageSize: 1 });
    expect(page.messages).toHaveLength(1);
    const next = await client().fetchUsersCasts({ fid, pageSize: 1, pageToken: page.nextPageToken });
    expect(next.messages[0]).not.toEqual(page.messages[0]);
    const replies = await client().fetchCastsByParent({ fid, hash: root });
    expect(replies.messages.map(({ hash }) => hash)).toEqual([reply]);
  });

  it("reads a user's data, the proof of a name, and what the hub says of itself", async () => {
    const data = await client().fetchUserData({ fid });
    expect(JSON.stringify(data)).toContain("sevena");
    expect(await client().fetchUsernameProofByName({ name: "sevena" })).toMatchObject({
      name: "sevena",
      fid,
    });
    await expect(client().fetchUsernameProofByName({ name: "nobody" })).rejects.toMatchObject({
      response: { status: 400, data: { error: "Failed to get username proof" } },
    });
    expect(await client().lookupHubInfo({ dbstats: false })).toMatchObject({ version: "castellan" });
  });
});

describe("@farcaster/core", () => {
  const read = async (path: string, address = hub.address): Promise<unknown> =>
    (await fetch(`${address}/v1/${path}`)).json();

  it("verifies every message that the hub gives over HTTP", async () => {
    const pages = ["castsByFid?fid=7", `castsByParent?url=${encodeURIComponent(url)}`, "userDataByFid?fid=7"];
    for (const path of pages) {
      const { messages } = (await read(path)) as { messages: Parameters<typeof objectionsTo>[0][] };
      expect(messages.length).toBeGreaterThan(0);
      for (const message of messages) expect(await objectionsTo(message)).toBeUndefined();
    }
  });

  /** Whether the protocol's own library takes a name's proof for the registry's word. */
  const isProven = async (address: string, registry: string) => {
    const proof = (await read("userNameProofByName?name=sevena", address)) as {
      name: string;
      owner: `0x${string}`;
    };
    const { timestamp, signature } = UserNameProof.fromJSON(proof);
    const claim = { name: proof.name, owner: proof.owner, timestamp: BigInt(timestamp) };
    const result = await eip712.verifyUserNameProofClaim(
      claim,
      signature,
      Buffer.from(registry.slice(2), "hex"),
    );
    return result.unwrapOr(false);
  };

  it("verifies a name's proof with NAME_DOMAIN=live, and not under the domain of our own", async () => {
    expect(await isProven(hub.address, hub.registry)).toBe(true);
    expect(await isProven(hub.address, custodyOf(fid).address)).toBe(false);
    const own = await openHub(ownNameDomain);
    expect(await isProven(own.address, own.registry)).toBe(false);
    await own.close();
  });
});
