import { messageEpoch, type HubEvent } from "../../contract/hub.ts";
import { toStorable } from "../../text/storable.ts";

/** What we keep of a cast; times in UNIX seconds. */
export interface HubCast {
  hash: string;
  fid: number;
  text: string;
  castAt: number;
  parentUrl: string | null;
  parentHash: string | null;
  mentions: number[];
  embeds: string[];
}

/** A message of the hub that is about a cast; undefined for every other. */
export type CastMessage = { kind: "add"; cast: HubCast } | { kind: "remove"; hash: string };

const hashForm = /^0x[0-9a-f]{40,64}$/;

/**
 * Reads by hand what the page's bulk consists of: at thousands of events a second, a schema for each message would take
 * most of the time. Throws `TypeError` on a message that is not what it says.
 */
export function readCastMessage(event: HubEvent, now: number): CastMessage | undefined {
  const body = messageBodyOf(event);
  if (!body) return undefined;
  const message = asRecord(body["message"], "message");
  const data = asRecord(message["data"], "data");
  if (data["type"] === "MESSAGE_TYPE_CAST_ADD") {
    const hash = asHash(message["hash"]);
    return body === event.mergeMessageBody
      ? { kind: "add", cast: readCast(hash, data, now) }
      : { kind: "remove", hash };
  }
  if (data["type"] === "MESSAGE_TYPE_CAST_REMOVE" && body === event.mergeMessageBody) {
    return { kind: "remove", hash: asHash(asRecord(data["castRemoveBody"], "castRemoveBody")["targetHash"]) };
  }
  return undefined;
}

/** Merged messages, and those that the hub takes back: pruned for want of storage, revoked with their key. */
function messageBodyOf(event: HubEvent): Record<string, unknown> | undefined {
  if (event.type === "HUB_EVENT_TYPE_MERGE_MESSAGE") return event.mergeMessageBody ?? undefined;
  if (event.type === "HUB_EVENT_TYPE_PRUNE_MESSAGE") return asRecord(event["pruneMessageBody"], "body");
  if (event.type === "HUB_EVENT_TYPE_REVOKE_MESSAGE") return asRecord(event["revokeMessageBody"], "body");
  return undefined;
}

/** Clocks differ, but not by a day: what claims to be later cannot be counted with. UNIX seconds. */
export function isUsableTime(time: unknown, now: number): time is number {
  return Number.isSafeInteger(time) && Number(time) >= 0 && Number(time) <= now + 86_400;
}

function readCast(hash: string, data: Record<string, unknown>, now: number): HubCast {
  const body = asRecord(data["castAddBody"], "castAddBody");
  const parent = body["parentCastId"];
  const parentUrl = body["parentUrl"];
  const castAt = asInteger(data["timestamp"]) + messageEpoch;
  if (!isUsableTime(castAt, now)) throw new TypeError("a time is not of this world");
  return {
    hash,
    fid: asInteger(data["fid"]),
    text: typeof body["text"] === "string" ? toStorable(body["text"]) : "",
    castAt,
    parentUrl: typeof parentUrl === "string" && parentUrl !== "" ? parentUrl : null,
    parentHash: parent ? asHash(asRecord(parent, "parentCastId")["hash"]) : null,
    mentions: asList(body["mentions"]).filter((fid) => Number.isSafeInteger(fid)) as number[], // just checked
    embeds: asList(body["embeds"]).flatMap(readUrl),
  };
}

function readUrl(embed: unknown): string[] {
  if (typeof embed !== "object" || embed === null || !("url" in embed)) return [];
  return typeof embed.url === "string" && embed.url !== "" ? [toStorable(embed.url)] : [];
}

/** Hashes come as 0x-hex; those of removed casts in base64. */
function asHash(value: unknown): string {
  if (typeof value !== "string") throw new TypeError("a hash is missing");
  const lower = value.toLowerCase();
  if (hashForm.test(lower)) return lower;
  const decoded = `0x${Buffer.from(value, "base64").toString("hex")}`;
  if (!hashForm.test(decoded)) throw new TypeError("a hash is neither hex nor base64");
  return decoded;
}

function asRecord(value: unknown, name: string): Record<string, unknown> {
  if (typeof value !== "object" || value === null) throw new TypeError(`${name} is missing`);
  return value as Record<string, unknown>; // an object, whatever it holds
}

function asInteger(value: unknown): number {
  if (typeof value !== "number" || !Number.isSafeInteger(value)) throw new TypeError("a number is missing");
  return value;
}

function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
