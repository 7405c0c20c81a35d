import { keccak256, stringToBytes } from "viem";
import type { HubEvent } from "../../contract/hub.ts";
import type { Tx } from "../../database/database.ts";
import { newEvent, type EventContent, type NewChannelEvent } from "../events.ts";
import { isNews, type WatchedChannels } from "../sources.ts";
import { asFid, asHash, asRecord, type Arrival } from "./read-fields.ts";

/*
 * Channels of the protocol itself (docs/protocol-channels.md): what hubs tell of them becomes the same events that the
 * client API's listings give.
 */

/** What a message about a channel did; several where one message does several things. */
export interface ArrivedChannelMessage extends Arrival {
  sourceKey: string;
  /** keccak256 of the channel's key. */
  channelHash: string;
  contents: readonly EventContent[];
  subjectFid: number | null;
}

/** A message about a channel; undefined for every other. Throws `TypeError` on one that is not what it says. */
export function readChannelMessage(
  { type, mergeMessageBody: merged }: HubEvent,
  arrival: Arrival,
): ArrivedChannelMessage | undefined {
  if (type !== "HUB_EVENT_TYPE_MERGE_MESSAGE" || !merged) return undefined;
  const message = asRecord(merged["message"], "message");
  const data = asRecord(message["data"], "data");
  const read = readers[String(data["type"])];
  if (!read) return undefined;
  const body = asRecord(data[read.body], read.body);
  const [before] = Array.isArray(merged["deletedMessages"]) ? (merged["deletedMessages"] as unknown[]) : [];
  const previous = before === undefined ? undefined : bodyOf(before, read.body);
  return {
    ...arrival,
    // Shard 0 takes it, and every data shard tells of it.
    sourceKey: `channel message:${asHash(message["hash"])}`,
    channelHash: asChannelHash(body["channelId"]),
    contents: read.contents(body, previous, arrival.mergedAt),
    subjectFid: body["fid"] === undefined ? null : asFid(body["fid"]),
  };
}

function bodyOf(message: unknown, name: string): Record<string, unknown> | undefined {
  const data = asRecord(asRecord(message, "deletedMessages")["data"], "data");
  return data[name] === undefined ? undefined : asRecord(data[name], name);
}

type Body = Record<string, unknown>;
interface Reader {
  body: string;
  contents(body: Body, previous: Body | undefined, at: number): EventContent[];
}

const readers: Record<string, Reader> = {
  MESSAGE_TYPE_CHANNEL_UPDATE: {
    body: "channelUpdateBody",
    // The whole of it is replaced: a field that is left out is cleared.
    contents(body, previous = {}) {
      const fields = Object.entries(updateFields).filter(([field]) => body[field] !== previous[field]);
      return edited(...new Set(fields.map(([, word]) => word)));
    },
  },
  MESSAGE_TYPE_CHANNEL_MEMBER: {
    body: "channelMemberBody",
    contents(body, previous, at) {
      const wasModerator = previous?.["action"] === "CHANNEL_MEMBER_ACTION_ADD_MODERATOR";
      const moderators = edited("moderators");
      switch (body["action"]) {
        case "CHANNEL_MEMBER_ACTION_ADD_MEMBER":
          return [{ kind: "member.joined", data: { at } }];
        case "CHANNEL_MEMBER_ACTION_REMOVE_MEMBER":
          return [{ kind: "member.left", data: {} }, ...(wasModerator ? moderators : [])];
        case "CHANNEL_MEMBER_ACTION_ADD_MODERATOR":
        case "CHANNEL_MEMBER_ACTION_REMOVE_MODERATOR":
          return moderators;
        case "CHANNEL_MEMBER_ACTION_BAN":
          return [{ kind: "user.banned", data: { at } }, ...(wasModerator ? moderators : [])];
        case "CHANNEL_MEMBER_ACTION_UNBAN":
          return [{ kind: "user.unbanned", data: {} }];
        default:
          throw new TypeError("an action on a member is of no kind that is known");
      }
    },
  },
  MESSAGE_TYPE_CHANNEL_PIN: {
    body: "channelPinBody",
    contents: (body, previous) => [
      {
        kind: "pin.changed",
        data: {
          castHash: asPin(body["castHash"]),
          previousHash: previous ? asPin(previous["castHash"]) : null,
        },
      },
    ],
  },
  MESSAGE_TYPE_CHANNEL_MODERATE: {
    body: "channelModerateBody",
    contents(body) {
      const data = { castHash: asHash(body["castHash"]) };
      if (body["action"] === "CHANNEL_MODERATE_ACTION_HIDE") return [{ kind: "record.hidden", data }];
      if (body["action"] === "CHANNEL_MODERATE_ACTION_UNHIDE") return [{ kind: "record.unhidden", data }];
      throw new TypeError("an action on a cast is of no kind that is known");
    },
  },
};

/** The words of the listings, and those for what only the protocol's channels have. */
const updateFields: Record<string, string> = {
  name: "name",
  description: "description",
  imageUrl: "picture",
  header: "header picture",
  rules: "rules",
  castingMode: "who may cast",
  membershipMode: "who may join",
};

function edited(...fields: string[]): EventContent[] {
  return fields.length > 0 ? [{ kind: "channel.edited", data: { fields } }] : [];
}

function asChannelHash(value: unknown): string {
  const lower = String(value).toLowerCase();
  if (!/^0x[0-9a-f]{64}$/.test(lower)) throw new TypeError("a channel's id is no hash of 32 bytes");
  return lower;
}

/** An empty hash takes the pin away. */
function asPin(value: unknown): string | null {
  return value === "0x" || value === "" ? null : asHash(value);
}

/** A channel whose owner may be another: only a hint to look, at times several of one change. */
export function readOwnerHint(event: HubEvent): string | undefined {
  if (event.type !== "HUB_EVENT_TYPE_CHANNEL_OWNER_CHANGE_HINT") return undefined;
  const { channelKey } = asRecord(event["channelOwnerChangeHintBody"], "channelOwnerChangeHintBody");
  if (typeof channelKey !== "string") throw new TypeError("a channel's key is missing");
  return channelKey;
}

/** Events of the linked channels, with their place in the page. A channel's id is its key. */
export async function channelEvents(
  tx: Tx,
  messages: readonly ArrivedChannelMessage[],
  watched: WatchedChannels,
  observedAt: number,
): Promise<{ order: number; event: NewChannelEvent }[]> {
  if (messages.length === 0) return [];
  const byHash = new Map([...watched.since.keys()].map((id) => [hashOf(id), id]));
  const events: { order: number; event: NewChannelEvent }[] = [];
  for (const { channelHash, contents, sourceKey, order, mergedAt, subjectFid: fid } of messages) {
    const channelId = byHash.get(channelHash);
    if (channelId === undefined || !isNews(watched, channelId, mergedAt)) continue;
    for (const content of contents) {
      const subjectFid = content.kind === "channel.edited" ? null : (fid ?? (await markCast(tx, content)));
      const key = `${sourceKey}:${content.kind}`;
      const envelope = { sourceKey: key, channelId, subjectFid, occurredAt: mergedAt };
      events.push({ order, event: newEvent(observedAt, { ...content, ...envelope }) });
    }
  }
  return events;
}

function hashOf(channelKey: string): string {
  return keccak256(stringToBytes(channelKey));
}

/** Hides or shows a cast of the index, as the listing of records would; gives its author, where it is known. */
async function markCast(tx: Tx, { kind, data }: EventContent): Promise<number | null> {
  if (kind !== "record.hidden" && kind !== "record.unhidden") return null;
  const marked = await tx
    .updateTable("castellan.casts")
    .set({ hidden: kind === "record.hidden" })
    .where("hash", "=", data.castHash)
    .returning("fid")
    .executeTakeFirst();
  return marked?.fid ?? null;
}
