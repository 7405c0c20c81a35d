// @ts-nocheck
import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { PositionText } from "./values.ts";

/** A name proof as the hub carries it: timestamp in UNIX seconds, signature in base64. */
export const UsernameProof = z.object({
  timestamp: z.int(),
  name: z.string(),
  owner: z.string(),
  signature: z.string(),
  fid: z.int(),
  type: z.string(),
});
export type UsernameProof = z.infer<typeof UsernameProof>;

/** Body of HUB_EVENT_TYPE_MERGE_MESSAGE for casts; `data.timestamp` counts seconds since 2021-01-01. */
export const MergeMessageBody = z.looseObject({
  message: z.looseObject({
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
  }),
});
export type MergeMessageBody = z.infer<typeof MergeMessageBody>;

/** Times are UNIX seconds of the merge; unknown types carry bodies of their own. */
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
});
export type HubEvent = z.infer<typeof HubEvent>;

/** Seconds between 1970 and 2021-01-01T00:00:00Z, the zero of message timestamps. */
export const messageEpoch = 1_609_459_200;

export const hub = {
  eventById: endpoint({
    interface: "hub",
    method: "GET",
    path: "/v1/eventById",
    refusals: ["not_found"],
    summary: "One hub event",
    input: z.object({
      event_id: PositionText.optional(),
      id: PositionText.optional(),
      shard_index: PositionText.optional(),
    }),
    result: HubEvent,
  }),
  events: endpoint({
    interface: "hub",
    method: "GET",
    path: "/v1/events",
    summary: "Hub events in order of id, from an id (inclusive) on",
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
