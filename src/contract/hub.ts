import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { FidText, PositionText, Text } from "./values.ts";

export { messageEpoch } from "./values.ts";

/** A name proof in the hub's format: timestamp in UNIX seconds, signature in base64. */
export const UsernameProof = z.object({
  timestamp: z.int(),
  name: z.string(),
  owner: z.string(),
  signature: z.string(),
  fid: z.int(),
  type: z.string(),
});
export type UsernameProof = z.infer<typeof UsernameProof>;

/** A signed message: `data.timestamp` counts seconds since 2021-01-01. */
export const HubMessage = z.looseObject({
  hash: z.string(),
  data: z.looseObject({
    type: z.string(),
    fid: z.int(),
    timestamp: z.int(),
    castAddBody: z
      .looseObject({
        text: z.string(),
        mentions: z.array(z.int()).nullish(),
        mentionsPositions: z.array(z.int()).nullish(),
        embeds: z.array(z.looseObject({ url: z.string().nullish() })).nullish(),
        parentUrl: z.string().nullish(),
        parentCastId: z.looseObject({ fid: z.int(), hash: z.string() }).nullish(),
      })
      .nullish(),
    castRemoveBody: z.looseObject({ targetHash: z.string() }).nullish(),
  }),
});
export type HubMessage = z.infer<typeof HubMessage>;

/** Body of HUB_EVENT_TYPE_MERGE_MESSAGE. */
export const MergeMessageBody = z.looseObject({ message: HubMessage });
export type MergeMessageBody = z.infer<typeof MergeMessageBody>;

/** Body of HUB_EVENT_TYPE_BLOCK_CONFIRMED, which precedes the events that its block merged. */
export const BlockConfirmedBody = z.looseObject({
  blockNumber: z.int(),
  /** Seconds since 2021-01-01. */
  timestamp: z.int(),
  /** Number of the block's events, including this one. */
  totalEvents: z.int(),
});

/** An event's id is its block's number times this, plus its position in the block. */
export const eventsPerBlock = 2 ** 14;

/** Times are UNIX seconds of the merge; unknown types have bodies of their own. */
export const HubEvent = z.looseObject({
  type: z.string(),
  id: z.int(),
  blockNumber: z.int().nullish(),
  shardIndex: z.int().nullish(),
  timestamp: z.int().nullish(),
  mergeUsernameProofBody: z
    .looseObject({ usernameProof: UsernameProof.nullish(), deletedUsernameProof: UsernameProof.nullish() })
    .nullish(),
  mergeMessageBody: z.looseObject({}).nullish(),
  blockConfirmedBody: BlockConfirmedBody.nullish(),
});
export type HubEvent = z.infer<typeof HubEvent>;

/** A page of messages: hubs name the next page with a token, which is empty or absent on the last page. */
const MessagePage = z.object({ messages: z.array(HubMessage), nextPageToken: z.string().optional() });
export type MessagePage = z.infer<typeof MessagePage>;

/** An event of the chain about a fid; when a fid is registered or transferred, `to` is its new custody address. */
export const OnChainEvent = z.looseObject({
  type: z.string(),
  fid: z.int(),
  blockNumber: z.int(),
  logIndex: z.int(),
  idRegisterEventBody: z.looseObject({ to: z.string(), eventType: z.string() }).nullish(),
});
export type OnChainEvent = z.infer<typeof OnChainEvent>;

/** A message's hash in a query, with or without 0x. */
const MessageHash = z
  .string()
  .regex(/^(0x)?[0-9a-fA-F]{40,64}$/, "must be a hash: 0x and hex digits")
  .transform((hash) => `0x${hash.replace(/^0x/, "").toLowerCase()}`);

/** Hubs accept both spellings of a parameter. */
const paging = {
  pageSize: PositionText.optional(),
  page_size: PositionText.optional(),
  pageToken: z.string().max(1024).optional(),
  page_token: z.string().max(1024).optional(),
  reverse: z.union([z.boolean(), z.enum(["true", "false", "1", "0"])]).optional(),
};

/** A key that can sign a user's messages; times in UNIX seconds. */
const KeyOfUser = z.looseObject({
  source: z.string().nullish(),
  key: z.string(),
  keyType: z.int().nullish(),
  fid: z.int().nullish(),
  addedAt: z.int().nullish(),
  /** For keys that only hubs know. */
  expiresAt: z.int().nullish(),
  scopes: z.array(z.string()).nullish(),
});

export const hub = {
  info: endpoint({
    interface: "hub",
    method: "GET",
    path: "/v1/info",
    summary: "The hub's shards and the latest block of each",
    result: z.looseObject({
      /** Hubs without shards omit all of these. */
      version: z.string().optional(),
      numShards: z.int().optional(),
      /** Shard 0, if listed, has no events. */
      shardInfos: z.array(z.looseObject({ shardId: z.int(), maxHeight: z.int().optional() })).optional(),
    }),
  }),
  castsByParent: endpoint({
    interface: "hub",
    method: "GET",
    path: "/v1/castsByParent",
    summary: "Casts of a channel, by its URL; or replies to a cast, by its author and hash",
    input: z
      .object({
        url: Text.min(1).max(2048).optional(),
        fid: PositionText.optional(),
        hash: MessageHash.optional(),
        ...paging,
      })
      .meta({ "x-sample": { url: "https://castle.example/~/channel/memes" } }),
    result: MessagePage,
  }),
  onChainEventsByFid: endpoint({
    interface: "hub",
    method: "GET",
    path: "/v1/onChainEventsByFid",
    summary: "The chain's events about a user: here, which custody address holds the fid",
    input: z.object({
      fid: FidText,
      event_type: z
        .string()
        .regex(/^EVENT_TYPE_[A-Z_]{1,40}$/, "must be a type such as EVENT_TYPE_ID_REGISTER")
        .meta({ examples: ["EVENT_TYPE_ID_REGISTER"] }),
    }),
    result: z.object({ events: z.array(OnChainEvent) }),
  }),
  castById: endpoint({
    interface: "hub",
    method: "GET",
    path: "/v1/castById",
    refusals: ["Failed to get cast"],
    summary: "One cast, by its author and hash",
    input: z.object({ fid: PositionText, hash: MessageHash }),
    result: HubMessage,
  }),
  castsByFid: endpoint({
    interface: "hub",
    method: "GET",
    path: "/v1/castsByFid",
    summary: "A user's casts and removals, in order of time; times in seconds since 2021-01-01",
    input: z.object({
      fid: PositionText,
      startTimestamp: PositionText.optional(),
      start_timestamp: PositionText.optional(),
      stopTimestamp: PositionText.optional(),
      stop_timestamp: PositionText.optional(),
      ...paging,
    }),
    result: MessagePage,
  }),
  userDataByFid: endpoint({
    interface: "hub",
    method: "GET",
    path: "/v1/userDataByFid",
    summary: "A user's data about themselves: the username",
    input: z.object({ fid: PositionText, ...paging }),
    result: MessagePage,
  }),
  userNameProofByName: endpoint({
    interface: "hub",
    method: "GET",
    path: "/v1/userNameProofByName",
    refusals: ["Failed to get username proof"],
    summary: "The proof of a name's holder",
    input: z.object({ name: z.string().max(1024) }),
    result: UsernameProof,
  }),
  signersByFid: endpoint({
    interface: "hub",
    method: "GET",
    path: "/v1/signersByFid",
    summary: "The keys that can sign a user's messages",
    input: z.object({ fid: PositionText, ...paging }),
    result: z.looseObject({ signers: z.array(KeyOfUser), nextPageToken: z.string().nullish() }),
  }),
  eventById: endpoint({
    interface: "hub",
    method: "GET",
    path: "/v1/eventById",
    refusals: ["not_found"],
    summary: "One hub event",
    input: z
      .object({
        event_id: PositionText.optional(),
        id: PositionText.optional(),
        shard_index: PositionText.optional(),
      })
      .meta({ "x-sample": { event_id: 421 } }),
    result: HubEvent,
  }),
  events: endpoint({
    interface: "hub",
    method: "GET",
    path: "/v1/events",
    summary: "Hub events in order of id, starting at an id (inclusive)",
    input: z.object({
      from_event_id: PositionText.optional(),
      page_size: PositionText.optional(),
      pageSize: PositionText.optional(),
      reverse: z.union([z.boolean(), z.enum(["true", "false", "1", "0"])]).optional(),
      stop_id: PositionText.optional(),
      shard_index: PositionText.optional(),
    }),
    result: z.object({ nextPageEventId: z.int().optional(), events: z.array(HubEvent) }),
  }),
};
