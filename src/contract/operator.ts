import { z } from "zod";
import { CastState } from "./casts.ts";
import { endpoint } from "./endpoint.ts";
import { CastHash, ChannelId, Fid, Hex, MessageSeconds, Seconds, Success, Text } from "./values.ts";

const auth = "operator" as const;
const of = "operator" as const;

/** How many records of each kind an import created, and how many already existed. */
export const ImportReport = z.object({
  imported: z.record(z.string(), z.int()),
  present: z.record(z.string(), z.int()),
});
export type ImportReport = z.infer<typeof ImportReport>;

/** Only an outline of a network file; the importer checks it, because it lists the mistakes. */
const NetworkFile = z.looseObject({}).meta({
  description:
    "A network file, as described in docs/operate/hosting.md: arrays of records by kind, each of them optional",
  examples: [
    {
      accounts: [
        {
          fid: 101,
          custodyAddress: `0x${"ab".repeat(20)}`,
          username: "ada",
          appKeys: [`0x${"5a".repeat(32)}`],
        },
      ],
      channels: [
        { id: "lounge", name: "Lounge", url: "https://net.example.org/~/channel/lounge", leadFid: 101 },
      ],
    },
  ],
});

/** Maximum size of a network file over HTTP, in bytes. */
export const networkFileLimit = 64 * 1024 * 1024;

/** Maximum size of another file that the operator's commands send, in bytes. */
export const taskFileLimit = 1024 * 1024;
/** The same for the body that contains it, because a character may take six bytes as JSON. */
export const taskBodyLimit = 6 * taskFileLimit + 1024;

export const operator = {
  importNetwork: endpoint({
    interface: of,
    method: "POST",
    path: "/operator/network",
    auth,
    summary: "Import a network file completely or not at all; creates missing records, changes no others",
    input: NetworkFile,
    result: ImportReport,
  }),
  exportNetwork: endpoint({
    interface: of,
    method: "GET",
    path: "/operator/network",
    auth,
    summary: "A snapshot of this network as a network file",
    result: z.looseObject({}),
  }),
  cast: endpoint({
    interface: of,
    method: "POST",
    path: "/operator/casts",
    refusals: ["not_found"],
    auth,
    summary: "Create a cast as a user: in a channel, as a reply, or neither",
    input: z.object({
      fid: Fid,
      text: Text.max(10_000),
      channelId: ChannelId.optional(),
      parentHash: CastHash.optional(),
      mentions: z.array(Fid).max(10).default([]),
      embeds: z
        .array(z.object({ url: Text.pipe(z.url()) }))
        .max(4)
        .default([]),
      timestamp: MessageSeconds.optional(),
    }),
    result: z.object({ hash: CastHash }),
  }),
  removeCast: endpoint({
    interface: of,
    method: "DELETE",
    path: "/operator/casts/{hash}",
    refusals: ["not_found"],
    auth,
    summary: "Remove a cast as its author",
    input: z.object({ hash: CastHash }),
    result: Success,
  }),
  readCast: endpoint({
    interface: of,
    method: "GET",
    path: "/operator/casts/{hash}",
    refusals: ["not_found"],
    auth,
    summary: "A cast and its visibility",
    input: z.object({ hash: CastHash }),
    result: CastState,
  }),
  join: endpoint({
    interface: of,
    method: "POST",
    path: "/operator/join",
    refusals: ["not_found", "not_permitted", "banned_from_channel"],
    auth,
    summary: "Join a channel by link as a user; restricted and banned users are rejected",
    input: z.object({ channelId: ChannelId, fid: Fid }),
    result: Success,
  }),
  notifications: endpoint({
    interface: of,
    method: "GET",
    path: "/operator/notifications",
    refusals: ["not_found"],
    auth,
    summary: "Announcements of pins, newest first",
    input: z.object({ channelId: ChannelId }),
    result: z.object({
      notifications: z.array(
        z.object({ channelId: ChannelId, castHash: CastHash, recipients: z.int(), at: Seconds }),
      ),
    }),
  }),
  revokeKey: endpoint({
    interface: of,
    method: "POST",
    path: "/operator/keys/revoke",
    refusals: ["not_found"],
    auth,
    summary: "Revoke an application key",
    input: z.object({ fid: Fid, key: Hex }),
    result: Success,
  }),
  deleteChannel: endpoint({
    interface: of,
    method: "DELETE",
    path: "/operator/channels/{id}",
    refusals: ["not_found"],
    auth,
    summary: "Delete a channel",
    input: z.object({ id: ChannelId }),
    result: Success,
  }),
};
