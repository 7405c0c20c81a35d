import { describe, expect, it } from "vitest";
import { asAppError } from "../../../src/errors.ts";
import { custodyOf } from "../../support/signing.ts";
import { castHash, smallNetworkFile } from "../../support/seed.ts";
import { useTestNetwork } from "../../support/test-cases.ts";

const net = await useTestNetwork();
await net.api.operator.importNetwork(smallNetworkFile());

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
const memes = "https://example.test/~/channel/memes";
const winner = { fid: 70, domain: "d", frameName: "f", score: 1, rank: 1, rewardCents: 1 };

/** Records of one kind, with the mistake in the first, and the place of the mistake in it. */
const inOneRecord: Record<string, [what: string, record: object, place: string, message: RegExp][]> = {
  accounts: [
    ["a fid of 0", { ...account(20), fid: 0 }, "/fid", /1/],
    ["no address", { fid: 20 }, "/custodyAddress", /^is missing$/],
    ["a short key", account(20, { appKeys: ["0x12"] }), "/appKeys/0", /64 hex digits/],
    ["a bad name", account(20, { username: "A b" }), "/username", /1 to 16/],
    ["a taken name", account(20, { username: "alice" }), "/username", /registered to fid 1/],
  ],
  channels: [
    ["a bad id", channel("Bad!"), "/id", /a-z/],
    ["the url of an existing channel", channel("a", { url: memes }), "/url", /url of channel memes/],
    ["an unknown owner", channel("a", { leadFid: 70 }), "/leadFid", /no account 70/],
    ["an unknown moderator", channel("a", { moderatorFids: [1, 70] }), "/moderatorFids/1", /no account 70/],
    ["an unknown member", channel("a", { memberFids: [70] }), "/memberFids/0", /no account 70/],
    ["eleven moderators", channel("a", { moderatorFids: Array(11).fill(1) }), "/moderatorFids", /10/],
    [
      "mentions without positions",
      channel("a", { descriptionMentions: [1] }),
      "/descriptionMentionsPositions",
      /as many/,
    ],
    ["a stray pin", channel("a", { pinnedCastHash: castHash(1) }), "/pinnedCastHash", /not a cast of this/],
    ["a time in milliseconds", channel("a", { createdAt: ms }), "/createdAt", /in seconds/],
  ],
  channelFollows: [
    ["an unknown channel", { fid: 1, channelId: "zz" }, "/channelId", /no channel zz/],
    ["an unknown follower", { fid: 70, channelId: "memes" }, "/fid", /no account 70/],
    ["a time in milliseconds", { fid: 1, channelId: "memes", followedAt: ms }, "/followedAt", /in seconds/],
  ],
  userFollows: [["an unknown target", { fid: 1, targetFid: 70 }, "/targetFid", /no account 70/]],
  casts: [
    ["an unknown author", cast(20, { fid: 70 }), "/fid", /no account 70/],
    ["an unknown channel", cast(20, { channelId: "zz" }), "/channelId", /no channel zz/],
    ["an unknown parent", cast(20, { parentHash: castHash(99) }), "/parentHash", /no cast 0x0/],
    ["a time before 2021", cast(20, { timestamp: 5 }), "/timestamp", /2021/],
    ["a time in milliseconds", cast(20, { timestamp: ms }), "/timestamp", /in seconds/],
    ["text with NUL", cast(20, { text: "a\0" }), "/text", /NUL/],
    ["itself as parent", cast(20, { parentHash: castHash(20) }), "/parentHash", /own ancestor/],
  ],
  verifications: [["an unknown platform", { fid: 1, platform: "myspace" }, "/platform", /x/]],
  actions: [
    [
      "no post",
      { ...action, action: { actionType: "get", postUrl: "https://a.test" } },
      "/action/actionType",
      /post/,
    ],
  ],
  composerActions: [["a bad url", { ...action, imageUrl: "nowhere" }, "/imageUrl", /an address such as/]],
  creatorRewards: [
    [
      "an end before its start",
      { periodStartTimestamp: 9, periodEndTimestamp: 1 },
      "/periodEndTimestamp",
      /before/,
    ],
  ],
  developerRewards: [
    [
      "an unknown winner",
      { periodStartTimestamp: 9, periodEndTimestamp: 10, winners: [winner] },
      "/winners/0/fid",
      /no account 70/,
    ],
  ],
  primaryAddresses: [
    ["a bad address", { fid: 1, protocol: "solana", address: "0OIl" }, "/address", /base58/],
  ],
  starterPacks: [
    [
      "an unknown member",
      { id: "p", members: [{ fid: 70, memberAt: 1 }] },
      "/members/0/fid",
      /no account 70/,
    ],
  ],
};

describe("a mistake in a network file", () => {
  const rows = Object.entries(inOneRecord).flatMap(([kind, records]) =>
    records.map((record) => [kind, ...record] as const),
  );

  it.each(rows)("in %s: %s is told with its path", async (kind, _what, record, place, message) => {
    const mistakes = await mistakesOf({ [kind]: [record] });
    expect(mistakes).toContainEqual([`/${kind}/0${place}`, expect.stringMatching(message)]);
  });

  const follow = { fid: 1, targetFid: 2 };
  const first = castHash(20);
  it.each<[string, object, string, RegExp]>([
    ["an unknown kind", { chanels: [] }, "/chanels", /is not a known kind of record \(accounts, channels/],
    ["a kind that is no array", { casts: {} }, "/casts", /must be an array/],
    ["a record that is no object", { accounts: [account(20), 7] }, "/accounts/1", /an object, not a number/],
    ["two of one fid", { accounts: [account(20), account(20)] }, "/accounts/1/fid", /same as \/accounts\/0/],
    [
      "two accounts of one name",
      { accounts: [account(20, { username: "x" }), account(21, { username: "x" })] },
      "/accounts/1/username",
      /same as \/accounts\/0\/username/,
    ],
    ["a channel twice", { channels: [channel("a"), channel("a", { url: "u" })] }, "/channels/1/id", /same/],
    [
      "two channels of one url",
      { channels: [channel("a"), channel("b", { url: "https://new.test/a" })] },
      "/channels/1/url",
      /same/,
    ],
    ["a follow twice", { userFollows: [follow, follow] }, "/userFollows/1", /same as \/userFollows\/0/],
    ["a cast twice", { casts: [cast(20), cast(20)] }, "/casts/1/hash", /same/],
    [
      "a circle of casts",
      { casts: [cast(20, { parentHash: castHash(21) }), cast(21, { parentHash: first })] },
      "/casts/1/parentHash",
      /own ancestor/,
    ],
    [
      "a parent in another channel of the file",
      {
        channels: [channel("a"), channel("b")],
        casts: [cast(20, { channelId: "a" }), cast(21, { channelId: "b", parentHash: first })],
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
      { casts: [cast(20), cast(21, { channelId: "memes", parentHash: first })] },
      "/casts/1/channelId",
      /parent is in no channel/,
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
