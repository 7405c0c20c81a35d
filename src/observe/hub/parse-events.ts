import type { UnreadableEvent } from "../../contract/endpoint.ts";
import { messageEpoch, type HubEvent, type HubMessage, type UsernameProof } from "../../contract/hub.ts";
import { toStorable } from "../../text/storable.ts";
import { asFid, asHash, asInteger, asList, asRecord, isFid, type Arrival } from "./hub-json.ts";

/** The stored part of a cast; times in UNIX seconds. */
export interface HubCast {
  hash: string;
  fid: number;
  text: string;
  castAt: number;
  parentUrl: string | null;
  parentHash: string | null;
  /** The parent's author. */
  parentFid: number | null;
  mentions: number[];
  /** Byte offsets (UTF-8) of the mentioned names in the text. */
  mentionsPositions: number[];
  embeds: string[];
  /** Hashes of the casts it quotes. */
  quotes: string[];
}

export interface ArrivedCast extends Arrival {
  cast: HubCast;
}
export interface ArrivedRemoval extends Arrival {
  hash: string;
}
/** The name by which a user wants to be known, and when they said so: UNIX seconds. */
export interface ShownName {
  fid: number;
  name: string;
  since: number;
}
/** A cast with a code by which somebody proves that they own the account. */
export interface ArrivedCode extends Arrival {
  code: string;
  cast: HubCast;
  /** It has only text: no link, quote or mention. */
  isBare: boolean;
  /** As the hub returned it. */
  message: Record<string, unknown>;
}
export interface ArrivedProof extends Arrival {
  proof: UsernameProof;
  replaced: UsernameProof | undefined;
}

/** The parts of hub events that Castellan uses. */
export interface ParsedEvents {
  casts: ArrivedCast[];
  removals: ArrivedRemoval[];
  codes: ArrivedCode[];
  proofs: ArrivedProof[];
  shownNames: ShownName[];
  /** How many were of ignored types, or unreadable. */
  skipped: number;
  /** Events whose content does not match their type. */
  unreadable: UnreadableEvent[];
}

/** Sorts events by meaning. `times`: when each was merged; UNIX seconds, like `now`. */
export function parseEvents(
  events: readonly HubEvent[],
  { times, now }: { times: readonly number[]; now: number },
): ParsedEvents {
  const parsed: ParsedEvents = {
    casts: [],
    removals: [],
    codes: [],
    proofs: [],
    shownNames: [],
    skipped: 0,
    unreadable: [],
  };
  for (const [index, event] of events.entries()) {
    try {
      const arrival = { order: event.id, mergedAt: times[index] ?? now };
      if (!readEvent(parsed, arrival, event, now)) parsed.skipped += 1;
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      parsed.skipped += 1;
      parsed.unreadable.push({
        id: event.id,
        type: event.type,
        reason: error.message,
      });
    }
  }
  return parsed;
}

function readEvent(parsed: ParsedEvents, arrival: Arrival, event: HubEvent, now: number): boolean {
  if (event.type === "HUB_EVENT_TYPE_MERGE_USERNAME_PROOF") {
    const { usernameProof, deletedUsernameProof } = event.mergeUsernameProofBody ?? {};
    const replaced = deletedUsernameProof ? readProof(deletedUsernameProof, now) : undefined;
    const proof = usernameProof ? readProof(usernameProof, now) : replaced && { ...replaced, fid: 0 };
    if (!proof) return false;
    parsed.proofs.push({ ...arrival, proof, replaced });
    return true;
  }
  const shown = readShownName(event, now);
  if (shown) {
    parsed.shownNames.push(shown);
    return true;
  }
  const message = readCastMessage(event, now);
  if (message?.kind === "add") {
    const { cast, isBare } = message;
    parsed.casts.push({ ...arrival, cast });
    const code = codeForm.exec(cast.text)?.[0];
    if (code !== undefined) parsed.codes.push({ ...arrival, code, cast, isBare, message: message.message });
  }
  if (message?.kind === "remove") parsed.removals.push({ ...arrival, hash: message.hash });
  return message !== undefined;
}

/** No registry has longer names or addresses; an index entry holds at most 2,700 bytes. */
const [maxNameLength, maxOwnerLength] = [255, 128];

/** Throws `TypeError` for a malformed proof. */
function readProof(proof: UsernameProof, now: number): UsernameProof {
  const name = toStorable(proof.name);
  const owner = toStorable(proof.owner);
  if (name === "" || name.length > maxNameLength) throw new TypeError("a name is empty or too long");
  if (owner.length > maxOwnerLength) throw new TypeError("an owner is too long");
  if (!Number.isSafeInteger(proof.fid) || proof.fid < 0) throw new TypeError("a fid is not a whole number");
  if (!isUsableTime(proof.timestamp, now)) throw new TypeError("a time is negative or lies in the future");
  return { ...proof, name, owner };
}

/** The only user data that is read: which of their names they use. */
function readShownName(event: HubEvent, now: number): ShownName | undefined {
  if (event.type !== "HUB_EVENT_TYPE_MERGE_MESSAGE") return undefined;
  const { data } = asRecord(event.mergeMessageBody?.["message"], "message");
  const { type, fid, timestamp, userDataBody } = asRecord(data, "data");
  if (type !== "MESSAGE_TYPE_USER_DATA_ADD") return undefined;
  const body = asRecord(userDataBody, "userDataBody");
  if (body["type"] !== "USER_DATA_TYPE_USERNAME" || typeof body["value"] !== "string") return undefined;
  const since = asInteger(timestamp) + messageEpoch;
  const name = toStorable(body["value"]).slice(0, maxNameLength);
  return isUsableTime(since, now) ? { fid: asFid(fid), name, since } : undefined;
}

/** A message that adds or removes a cast. */
type CastMessage =
  | { kind: "add"; cast: HubCast; isBare: boolean; message: Record<string, unknown> }
  | { kind: "remove"; hash: string };

/** A code that we issued, without letters that are easily confused. */
const codeForm = /\bcastellan(?:-[0-9a-hjkmnp-tv-z]{4}){3}\b/;

/** The cast that a message adds; undefined for any other message, and for a malformed one. */
export function readCastAdd(message: HubMessage, now: number): HubCast | undefined {
  if (message.data.type !== "MESSAGE_TYPE_CAST_ADD") return undefined;
  try {
    return readCast(asHash(message.hash), message.data, now);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return undefined;
  }
}

/**
 * Most of a page is casts. They are parsed by hand: at thousands of events a second, a schema for each message would take
 * most of the time. Throws `TypeError` on a message whose content does not match its type.
 */
function readCastMessage(event: HubEvent, now: number): CastMessage | undefined {
  const body = messageBodyOf(event);
  if (!body) return undefined;
  const message = asRecord(body["message"], "message");
  const data = asRecord(message["data"], "data");
  if (data["type"] === "MESSAGE_TYPE_CAST_ADD") {
    const hash = asHash(message["hash"]);
    return body === event.mergeMessageBody
      ? { kind: "add", cast: readCast(hash, data, now), isBare: isBare(data["castAddBody"]), message }
      : { kind: "remove", hash };
  }
  if (data["type"] === "MESSAGE_TYPE_CAST_REMOVE" && body === event.mergeMessageBody) {
    return { kind: "remove", hash: asHash(asRecord(data["castRemoveBody"], "castRemoveBody")["targetHash"]) };
  }
  return undefined;
}

/** Merged messages, and those that the hub withdraws: pruned for lack of storage, revoked with their key. */
function messageBodyOf(event: HubEvent): Record<string, unknown> | undefined {
  if (event.type === "HUB_EVENT_TYPE_MERGE_MESSAGE") return event.mergeMessageBody ?? undefined;
  if (event.type === "HUB_EVENT_TYPE_PRUNE_MESSAGE") return asRecord(event["pruneMessageBody"], "body");
  if (event.type === "HUB_EVENT_TYPE_REVOKE_MESSAGE") return asRecord(event["revokeMessageBody"], "body");
  return undefined;
}

/** Clocks differ, but not by a day: a time further off is unreliable. UNIX seconds. */
export function isUsableTime(time: unknown, now: number): time is number {
  return Number.isSafeInteger(time) && Number(time) >= 0 && Number(time) <= now + 86_400;
}

function readCast(hash: string, data: Record<string, unknown>, now: number): HubCast {
  const body = asRecord(data["castAddBody"], "castAddBody");
  const parent = body["parentCastId"] ? asRecord(body["parentCastId"], "parentCastId") : undefined;
  const parentUrl = body["parentUrl"];
  const castAt = asInteger(data["timestamp"]) + messageEpoch;
  if (!isUsableTime(castAt, now)) throw new TypeError("a time is negative or lies in the future");
  const written = typeof body["text"] === "string" ? body["text"] : "";
  const text = toStorable(written);
  return {
    hash,
    fid: asFid(data["fid"]),
    text,
    castAt,
    parentUrl: typeof parentUrl === "string" && parentUrl !== "" ? parentUrl : null,
    parentHash: parent ? asHash(parent["hash"]) : null,
    parentFid: isFid(parent?.["fid"]) ? parent["fid"] : null,
    ...readMentions(body, text === written),
    embeds: asList(body["embeds"]).flatMap(readUrl),
    quotes: asList(body["embeds"]).flatMap(readQuote),
  };
}

/** Positions refer to the text as it was written. They mean nothing if the stored text differs. */
function readMentions(body: Record<string, unknown>, isUnchanged: boolean) {
  const positions = isUnchanged ? asList(body["mentionsPositions"]) : [];
  const mentions = asList(body["mentions"]).map((fid, index) => ({ fid, at: positions[index] }));
  const known = mentions.filter(({ fid }) => isFid(fid));
  return {
    mentions: known.map(({ fid }) => Number(fid)),
    mentionsPositions: known.map(({ at }) => (Number.isSafeInteger(at) ? Number(at) : nowhere)),
  };
}
/** Replaces a position that the hub left out. */
const nowhere = -1;

function isBare(body: unknown): boolean {
  const { embeds, embedsDeprecated, mentions } = asRecord(body, "castAddBody");
  return [embeds, embedsDeprecated, mentions].every((list) => asList(list).length === 0);
}

function readUrl(embed: unknown): string[] {
  if (typeof embed !== "object" || embed === null || !("url" in embed)) return [];
  return typeof embed.url === "string" && embed.url !== "" ? [toStorable(embed.url)] : [];
}

function readQuote(embed: unknown): string[] {
  if (typeof embed !== "object" || embed === null || !("castId" in embed)) return [];
  const { castId } = embed;
  if (typeof castId !== "object" || castId === null || !("hash" in castId)) return [];
  return typeof castId.hash === "string" && /^0x[0-9a-f]{40}$/i.test(castId.hash)
    ? [castId.hash.toLowerCase()]
    : [];
}
