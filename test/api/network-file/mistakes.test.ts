import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { asAppError } from "../../../src/errors.ts";
import { custodyOf } from "../../support/signing.ts";
import { castHash, smallNetworkFile } from "../../support/seed.ts";
import { createTestNetwork, type TestNetwork } from "../../support/world.ts";

let net: TestNetwork;
beforeAll(async () => {
  net = await createTestNetwork();
  await net.api.operator.importNetwork(smallNetworkFile());
});
afterAll(() => net.context.database.close());

/** Paths and messages of the mistakes in a file. */
async function mistakesOf(file: object): Promise<[string, string][]> {
  const error: unknown = await net.api.operator
    .importNetwork(file as Record<string, unknown>)
    .catch((e: unknown) => e);
  expect(error).toMatchObject({ code: "invalid_file" });
  return asAppError(error)?.mistakes.map(({ path, message }) => [path, message]) ?? [];
}

const account = (fid: number, more: object = {}) => ({
  fid,
  custodyAddress: custodyOf(fid).address,
  ...more,
});
const channel = (id: string, more: object = {}) => ({ id, name: id, url: `https://new.test/${id}`, ...more });
const cast = (number: number, more: object = {}) => ({ hash: castHash(number), fid: 1, text: "gm", ...more });
const ms = 1_700_000_000_000;
const action = smallNetworkFile().composerActions[0];

describe("a mistake in a network file", () => {
  it.each<[string, object, string, RegExp]>([
    ["an unknown kind", { chanels: [] }, "/chanels", /is not a known kind of record \(accounts, channels/],
    ["a kind that is no array", { casts: {} }, "/casts", /must be an array/],
    [
      "a record that is no object",
      { accounts: [account(20), 7] },
      "/accounts/1",
      /must be an object, not a number/,
    ],
    ["a fid of 0", { accounts: [{ ...account(20), fid: 0 }] }, "/accounts/0/fid", /1/],
    ["a missing address", { accounts: [{ fid: 20 }] }, "/accounts/0/custodyAddress", /^is missing$/],
    [
      "a short key",
      { accounts: [account(20, { appKeys: ["0x12"] })] },
      "/accounts/0/appKeys/0",
      /64 hex digits/,
    ],
    ["a bad name", { accounts: [account(20, { username: "A b" })] }, "/accounts/0/username", /1 to 16/],
    [
      "two accounts of one fid",
      { accounts: [account(20), account(20)] },
      "/accounts/1/fid",
      /same as \/accounts\/0\/fid/,
    ],
    [
      "two accounts of one name",
      { accounts: [account(20, { username: "x" }), account(21, { username: "x" })] },
      "/accounts/1/username",
      /same as \/accounts\/0\/username/,
    ],
    [
      "a taken name",
      { accounts: [account(20, { username: "alice" })] },
      "/accounts/0/username",
      /registered to fid 1/,
    ],
    ["a bad channel id", { channels: [channel("Bad!")] }, "/channels/0/id", /a-z/],
    ["a channel twice", { channels: [channel("a"), channel("a", { url: "u" })] }, "/channels/1/id", /same/],
    [
      "two channels of one url",
      { channels: [channel("a"), channel("b", { url: "https://new.test/a" })] },
      "/channels/1/url",
      /same/,
    ],
    [
      "a url of an existing channel",
      { channels: [channel("a", { url: "https://example.test/~/channel/memes" })] },
      "/channels/0/url",
      /url of channel memes/,
    ],
    [
      "an unknown owner",
      { channels: [channel("a", { leadFid: 70 })] },
      "/channels/0/leadFid",
      /no account 70/,
    ],
    [
      "an unknown moderator",
      { channels: [channel("a", { moderatorFids: [1, 70] })] },
      "/channels/0/moderatorFids/1",
      /no account 70/,
    ],
    [
      "an unknown member",
      { channels: [channel("a", { memberFids: [70] })] },
      "/channels/0/memberFids/0",
      /no account 70/,
    ],
    [
      "eleven moderators",
      { channels: [channel("a", { moderatorFids: Array(11).fill(1) })] },
      "/channels/0/moderatorFids",
      /10/,
    ],
    [
      "mentions without positions",
      { channels: [channel("a", { descriptionMentions: [1] })] },
      "/channels/0/descriptionMentionsPositions",
      /as many/,
    ],
    [
      "a stray pin",
      { channels: [channel("a", { pinnedCastHash: castHash(1) })] },
      "/channels/0/pinnedCastHash",
      /not a cast of this channel/,
    ],
    [
      "a follow of nothing",
      { channelFollows: [{ fid: 1, channelId: "zz" }] },
      "/channelFollows/0/channelId",
      /no channel zz/,
    ],
    [
      "a follow by nobody",
      { channelFollows: [{ fid: 70, channelId: "memes" }] },
      "/channelFollows/0/fid",
      /no account 70/,
    ],
    [
      "a follow twice",
      {
        userFollows: [
          { fid: 1, targetFid: 2 },
          { fid: 1, targetFid: 2 },
        ],
      },
      "/userFollows/1",
      /same as \/userFollows\/0/,
    ],
    [
      "a follow of nobody",
      { userFollows: [{ fid: 1, targetFid: 70 }] },
      "/userFollows/0/targetFid",
      /no account 70/,
    ],
    ["a cast by nobody", { casts: [cast(20, { fid: 70 })] }, "/casts/0/fid", /no account 70/],
    [
      "a cast into nothing",
      { casts: [cast(20, { channelId: "zz" })] },
      "/casts/0/channelId",
      /no channel zz/,
    ],
    [
      "a reply to nothing",
      { casts: [cast(20, { parentHash: castHash(99) })] },
      "/casts/0/parentHash",
      /no cast 0x0/,
    ],
    ["a cast twice", { casts: [cast(20), cast(20)] }, "/casts/1/hash", /same/],
    ["a cast before 2021", { casts: [cast(20, { timestamp: 5 })] }, "/casts/0/timestamp", /2021/],
    ["a cast in milliseconds", { casts: [cast(20, { timestamp: ms })] }, "/casts/0/timestamp", /in seconds/],
    [
      "a channel in milliseconds",
      { channels: [channel("a", { createdAt: ms })] },
      "/channels/0/createdAt",
      /in seconds/,
    ],
    [
      "a follow in milliseconds",
      { channelFollows: [{ fid: 1, channelId: "memes", followedAt: ms }] },
      "/channelFollows/0/followedAt",
      /in seconds/,
    ],
    ["text with NUL", { casts: [cast(20, { text: "a\0" })] }, "/casts/0/text", /NUL/],
    [
      "its own parent",
      { casts: [cast(20, { parentHash: castHash(20) })] },
      "/casts/0/parentHash",
      /own ancestor/,
    ],
    [
      "a circle of casts",
      { casts: [cast(20, { parentHash: castHash(21) }), cast(21, { parentHash: castHash(20) })] },
      "/casts/1/parentHash",
      /own ancestor/,
    ],
    [
      "a parent in another channel of the file",
      {
        channels: [channel("a"), channel("b")],
        casts: [cast(20, { channelId: "a" }), cast(21, { channelId: "b", parentHash: castHash(20) })],
      },
      "/casts/1/channelId",
      /parent is in channel a/,
    ],
    [
      "a parent in another channel of the network",
      { channels: [channel("a")], casts: [cast(21, { channelId: "a", parentHash: castHash(2) })] },
      "/casts/0/channelId",
      /parent is in channel memes/,
    ],
    [
      "a parent in no channel",
      { casts: [cast(20), cast(21, { channelId: "memes", parentHash: castHash(20) })] },
      "/casts/1/channelId",
      /parent is in no channel/,
    ],
    [
      "an unknown platform",
      { verifications: [{ fid: 1, platform: "myspace" }] },
      "/verifications/0/platform",
      /x/,
    ],
    [
      "an action without post",
      { actions: [{ ...action, action: { actionType: "get", postUrl: "https://a.test" } }] },
      "/actions/0/action/actionType",
      /post/,
    ],
    [
      "a bad url",
      { composerActions: [{ ...action, imageUrl: "nowhere" }] },
      "/composerActions/0/imageUrl",
      /must be an address such as/,
    ],
    [
      "a period that ends first",
      { creatorRewards: [{ periodStartTimestamp: 9, periodEndTimestamp: 1 }] },
      "/creatorRewards/0/periodEndTimestamp",
      /before/,
    ],
    [
      "an unknown winner",
      {
        developerRewards: [
          {
            periodStartTimestamp: 9,
            periodEndTimestamp: 10,
            winners: [{ fid: 70, domain: "d", frameName: "f", score: 1, rank: 1, rewardCents: 1 }],
          },
        ],
      },
      "/developerRewards/0/winners/0/fid",
      /no account 70/,
    ],
    [
      "a bad address",
      { primaryAddresses: [{ fid: 1, protocol: "solana", address: "0OIl" }] },
      "/primaryAddresses/0/address",
      /base58/,
    ],
    [
      "an unknown pack member",
      { starterPacks: [{ id: "p", members: [{ fid: 70, memberAt: 1 }] }] },
      "/starterPacks/0/members/0/fid",
      /no account 70/,
    ],
  ])("%s is told with its path", async (_, file, path, message) => {
    const mistakes = await mistakesOf(file);
    expect(mistakes).toContainEqual([path, expect.stringMatching(message)]);
  });

  it("does not hide another: all of them are told, and nothing is imported", async () => {
    const events = await net.public.hub.events({});
    const mistakes = await mistakesOf({
      accounts: [account(30), { fid: "x" }],
      channels: [channel("good"), channel("bad", { leadFid: 71 })],
      casts: [cast(40), cast(41, { parentHash: castHash(98) })],
      nonsense: [],
    });
    expect(mistakes.map(([path]) => path).toSorted()).toEqual([
      "/accounts/1/custodyAddress",
      "/accounts/1/fid",
      "/casts/1/parentHash",
      "/channels/1/leadFid",
      "/nonsense",
    ]);
    await expect(net.public.channels.get({ channelId: "good" })).rejects.toMatchObject({ code: "not_found" });
    expect(await net.public.hub.events({})).toEqual(events);
  });

  it("escapes what a JSON pointer must", async () => {
    expect(await mistakesOf({ "a/b~c": [] })).toMatchObject([["/a~1b~0c", expect.any(String)]]);
  });
});
