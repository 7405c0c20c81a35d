import { z } from "zod";
import { messageEpoch } from "../../contract/hub.ts";
import { Address, CastHash, ChannelId, Fid, Seconds, Text } from "../../contract/values.ts";
import { Platform } from "../../contract/verifications.ts";
import { normalizeKey } from "../domain/token.ts";
import { list } from "./list.ts";

const Url = Text.pipe(z.url());
const Milliseconds = z.int().min(0);
const Count = z
  .int()
  .min(0)
  .max(2 ** 31 - 1);

const Account = z.object({
  fid: Fid,
  custodyAddress: Address,
  username: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,15}$/, "must be 1 to 16 of a-z, 0-9 and -, not starting with -")
    .optional(),
  appKeys: list(
    z
      .string()
      .regex(/^(0x)?[0-9a-fA-F]{64}$/, "must be an Ed25519 public key in 64 hex digits")
      .transform(normalizeKey),
  ).default([]),
  creditBalance: Count.default(0),
});

const Channel = z
  .object({
    id: ChannelId,
    name: Text.min(1),
    url: Text.min(1),
    description: Text.optional(),
    descriptionMentions: list(Fid).default([]),
    descriptionMentionsPositions: list(Count).default([]),
    imageUrl: Text.default(""),
    headerImageUrl: Text.optional(),
    leadFid: Fid.optional(),
    moderatorFids: list(Fid, 10).default([]),
    memberFids: list(Fid).default([]),
    publicCasting: z.boolean().default(true),
    createdAt: Seconds.optional(),
    externalLink: z.object({ title: Text, url: Text }).optional(),
    pinnedCastHash: CastHash.optional(),
  })
  .refine((channel) => channel.descriptionMentions.length === channel.descriptionMentionsPositions.length, {
    path: ["descriptionMentionsPositions"],
    message: "must be as many as descriptionMentions",
  });

const Cast = z.object({
  hash: CastHash,
  fid: Fid,
  text: Text.max(10_000),
  channelId: ChannelId.optional(),
  parentHash: CastHash.optional(),
  mentions: list(Fid, 10).default([]),
  embeds: list(z.object({ url: Url }), 4).default([]),
  timestamp: Seconds.min(messageEpoch, "must be 2021 or later").optional(),
});

const Action = z.object({
  name: Text.min(1),
  icon: Text,
  description: Text,
  aboutUrl: Url,
  actionUrl: Url,
  action: z.object({ actionType: z.literal("post"), postUrl: Url }),
  totalUsers: z.int().min(0).default(0),
});

const Winner = z.object({
  fid: Fid,
  score: z.number(),
  rank: Count.min(1),
  rewardCents: z.int().min(0),
  walletAddress: Text.optional(),
});

const period = <W extends z.ZodType>(winner: W) =>
  z
    .object({
      periodStartTimestamp: Milliseconds,
      periodEndTimestamp: Milliseconds,
      winners: list(winner).default([]),
    })
    .refine((period) => period.periodEndTimestamp >= period.periodStartTimestamp, {
      path: ["periodEndTimestamp"],
      message: "is before periodStartTimestamp",
    });

const PrimaryAddress = z.discriminatedUnion("protocol", [
  z.object({ fid: Fid, protocol: z.literal("ethereum"), address: Address }),
  z.object({
    fid: Fid,
    protocol: z.literal("solana"),
    address: z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/, "must be 32 to 44 base58 characters"),
  }),
]);

/** The kinds of records that a network file carries (network-file.md), in the order in which they are checked. */
export const recordSchemas = {
  accounts: Account,
  channels: Channel,
  channelFollows: z.object({ fid: Fid, channelId: ChannelId, followedAt: Seconds.optional() }),
  userFollows: z.object({ fid: Fid, targetFid: Fid }),
  casts: Cast,
  botAllowlist: Fid,
  actions: Action,
  composerActions: Action.extend({ imageUrl: Url, featuredRank: Count.optional() }),
  verifications: z.object({
    fid: Fid,
    platform: Platform,
    platformId: Text.min(1),
    platformUsername: Text.min(1),
    verifiedAt: Seconds,
  }),
  creatorRewards: period(Winner.extend({ username: Text.optional() })),
  developerRewards: period(Winner.extend({ domain: Text, frameName: Text })),
  primaryAddresses: PrimaryAddress,
  starterPacks: z.object({
    id: Text.min(1).max(256),
    members: list(z.object({ fid: Fid, memberAt: Milliseconds })).default([]),
  }),
};

export type Kind = keyof typeof recordSchemas;
export type RecordOf<K extends Kind> = z.output<(typeof recordSchemas)[K]>;

// The keys of an object literal are the keys of its type.
export const kinds = Object.keys(recordSchemas) as Kind[];

/** A file whose records have the right form each by itself; `undefined` stands for one that has not. */
export type NetworkFile = { [K in Kind]: (RecordOf<K> | undefined)[] };
