// @ts-nocheck
import { custodyOf } from "./names.ts";

export const castHash = (number: number) => `0x${number.toString(16).padStart(40, "0")}`;

const wallet = custodyOf(1).address;

/** A small file with every kind of record. */
export function smallNetworkFile() {
  return {
    accounts: [
      { fid: 1, custodyAddress: custodyOf(1).address, username: "alice", appKeys: [`0x${"A1".repeat(32)}`] },
      { fid: 2, custodyAddress: custodyOf(2).address, username: "bob", creditBalance: 100 },
      { fid: 3, custodyAddress: custodyOf(3).address },
    ],
    channels: [
      {
        id: "memes",
        name: "Memes",
        url: "https://example.test/~/channel/memes",
        description: "Only memes",
        leadFid: 1,
        moderatorFids: [2],
        memberFids: [3, 2],
        publicCasting: false,
        createdAt: 1_690_000_000,
        externalLink: { title: "more", url: "https://example.test" },
        pinnedCastHash: castHash(1),
      },
    ],
    channelFollows: [{ fid: 3, channelId: "memes", followedAt: 1_690_000_001 }],
    userFollows: [{ fid: 3, targetFid: 1 }],
    casts: [
      { hash: castHash(2), fid: 2, text: "a reply", parentHash: castHash(1), timestamp: 1_690_000_003 },
      { hash: castHash(1), fid: 3, text: "gm", channelId: "memes", timestamp: 1_690_000_002 },
    ],
    botAllowlist: [9001],
    actions: [action("https://example.test/a")],
    composerActions: [
      { ...action("https://example.test/c"), imageUrl: "https://example.test/c.png", featuredRank: 1 },
    ],
    verifications: [
      {
        fid: 1,
        platform: "discord",
        platformId: "80351110224678912",
        platformUsername: "alice",
        verifiedAt: 1_690_000_004,
      },
    ],
    creatorRewards: [
      {
        periodStartTimestamp: 0,
        periodEndTimestamp: 7,
        winners: [
          { fid: 1, username: "alice", score: 9.5, rank: 1, rewardCents: 1000, walletAddress: wallet },
        ],
      },
    ],
    developerRewards: [
      {
        periodStartTimestamp: 0,
        periodEndTimestamp: 7,
        winners: [{ fid: 1, domain: "example.test", frameName: "f", score: 9.5, rank: 1, rewardCents: 1000 }],
      },
    ],
    primaryAddresses: [{ fid: 1, protocol: "ethereum", address: wallet }],
    starterPacks: [{ id: "pack-1", members: [{ fid: 3, memberAt: 1_690_000_000_000 }] }],
  };
}

function action(actionUrl: string) {
  return {
    name: "Act",
    icon: "zap",
    description: "Does it",
    aboutUrl: "https://example.test/about",
    actionUrl,
    action: { actionType: "post", postUrl: "https://example.test/post" },
    totalUsers: 5,
  };
}
