// @ts-nocheck
import type { Queryable } from "../../src/database/database.ts";

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
  userFollow(fid: number, targetFid: number): Promise<void>;
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

    async userFollow(fid, targetFid) {
      await db.insertInto("network.user_follows").values({ fid, target_fid: targetFid }).execute();
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
