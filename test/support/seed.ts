import type { Network } from "../../src/contract/index.ts";
import type { Queryable } from "../../src/database/database.ts";
import { custodyOf } from "./signing.ts";

/** Times in UNIX seconds. */
export interface SeedChannel {
  owner?: number;
  moderators?: number[];
  members?: number[];
  createdAt?: number;
  publicCasting?: boolean;
}

export interface SeedCast {
  fid: number;
  channelId?: string;
  /** Makes the cast a reply. */
  parentHash?: string;
  text?: string;
  timestamp?: number;
}

/** Writes rows as an import would, without going through the operations under test. */
export interface Seed {
  account(fid: number): Promise<void>;
  /** Owner, moderators (who never were members) and members from its creation on. */
  channel(id: string, channel?: SeedChannel): Promise<void>;
  follow(fid: number, channelId: string, followedAt?: number): Promise<void>;
  bot(fid: number): Promise<void>;
  /** The hash of a new cast. */
  cast(cast: SeedCast): Promise<string>;
}

const start = 1_600_000_000;

export function createSeed(db: Queryable): Seed {
  let casts = 0;
  return {
    async account(fid) {
      const custody_address = `0x${fid.toString(16).padStart(40, "0")}`;
      await db.insertInto("network.accounts").values({ fid, custody_address }).execute();
    },

    async channel(
      id,
      { owner = 1, moderators = [], members = [], createdAt = start, publicCasting = true } = {},
    ) {
      const founders = [
        { fid: owner, role: "owner" as const },
        ...moderators.map((fid) => ({ fid, role: "moderator" as const })),
        ...members.map((fid) => ({ fid, role: "member" as const })),
      ];
      await db
        .insertInto("network.channels")
        .values({
          id,
          url: channelUrl(id),
          name: id,
          lead_fid: owner,
          created_at: createdAt,
          member_count: founders.length,
          public_casting: publicCasting,
        })
        .execute();
      await db
        .insertInto("network.memberships")
        .values(founders.map((founder) => ({ ...founder, channel_id: id, member_at: createdAt })))
        .execute();
    },

    async follow(fid, channelId, followedAt = start) {
      await db
        .insertInto("network.channel_follows")
        .values({ fid, channel_id: channelId, followed_at: followedAt })
        .execute();
      await db
        .updateTable("network.channels")
        .set((eb) => ({ follower_count: eb("follower_count", "+", 1) }))
        .where("id", "=", channelId)
        .execute();
    },

    async bot(fid) {
      await db.insertInto("network.bot_allowlist").values({ fid }).execute();
    },

    async cast({ fid, channelId, parentHash, text = "gm", timestamp = start }) {
      casts += 1;
      const hash = `0x${casts.toString(16).padStart(40, "0")}`;
      await db
        .insertInto("network.casts")
        .values({
          hash,
          fid,
          text,
          timestamp,
          channel_id: channelId ?? null,
          parent_url: channelId && !parentHash ? channelUrl(channelId) : null,
          parent_hash: parentHash ?? null,
        })
        .execute();
      return hash;
    },
  };
}

/** The parent URL of a seeded channel; not one that can be built from the id. */
export function channelUrl(id: string): string {
  return `https://castle.test/~/channel/${id}-home`;
}

/** What the public listings of a channel say, in fids in ascending order; invites as `fid role`. */
export interface ChannelView {
  members: number[];
  moderators: number[];
  invites: string[];
  restricted: number[];
  banned: number[];
  memberCount: number;
}

export async function viewChannel(network: Network, channelId: string): Promise<ChannelView> {
  const [{ channel }, members, invites, restricted, banned] = await Promise.all([
    network.channels.get({ channelId }),
    network.channelMembers.list({ channelId }),
    network.channelInvites.list({ channelId }),
    network.channelRestrictedUsers.list({ channelId }),
    network.channelBans.list({ channelId }),
  ]);
  return {
    members: ascending(members.result.members),
    moderators: channel.moderatorFids.toSorted((a, b) => a - b),
    invites: invites.result.invites
      .map((invite) => `${invite.invitedFid} ${invite.role}`)
      .toSorted((a, b) => a.localeCompare(b)),
    restricted: ascending(restricted.result.restrictedUsers),
    banned: ascending(banned.result.bannedUsers),
    memberCount: channel.memberCount,
  };
}

function ascending(records: { fid: number }[]): number[] {
  return records.map((record) => record.fid).toSorted((a, b) => a - b);
}

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
