import { createPublicKey, verify } from "node:crypto";
import {
  castTypes,
  hashMessageData,
  layouts,
  networks,
  type MessageData,
} from "../../contract/message-data.ts";
import { asFid, asHash, asInteger, asList, asRecord } from "./hub-json.ts";

/** DER prefix of a 32-byte Ed25519 public key. */
const derPrefix = Buffer.from("302a300506032b6570032100", "hex");

/**
 * The key (hex) that signed a text-only cast, if its hash matches its content (H13) and its signature matches that hash.
 * Undefined for anything else. Whose key it is remains to be checked.
 */
export function findCastSigner(message: Record<string, unknown>): string | undefined {
  try {
    const data = readTextCast(asRecord(message["data"], "data"));
    const hash = asHash(message["hash"]);
    if (!layouts.some((layout) => hashMessageData(data, layout) === hash)) return undefined;
    return isSigned(hash, message["signer"], message["signature"])
      ? String(message["signer"]).toLowerCase()
      : undefined;
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** The signed content of a cast without mentions and embeds. Throws `TypeError` for every other message. */
function readTextCast(data: Record<string, unknown>): MessageData {
  const body = asRecord(data["castAddBody"], "castAddBody");
  const { text, parentUrl, parentCastId, type: castType, ...lists } = body;
  if (data["type"] !== "MESSAGE_TYPE_CAST_ADD" || typeof text !== "string") throw new TypeError("no cast");
  if (Object.values(lists).some((list) => asList(list).length > 0)) throw new TypeError("more than text");
  const parent = parentCastId ? asRecord(parentCastId, "parentCastId") : undefined;
  return {
    type: "MESSAGE_TYPE_CAST_ADD",
    fid: asFid(data["fid"]),
    timestamp: asInteger(data["timestamp"]),
    network: nameIn(networks, data["network"]),
    castAddBody: {
      embedsDeprecated: [],
      mentions: [],
      mentionsPositions: [],
      embeds: [],
      text,
      parentUrl: typeof parentUrl === "string" && parentUrl !== "" ? parentUrl : null,
      parentCastId: parent ? { fid: asFid(parent["fid"]), hash: asHash(parent["hash"]) } : null,
      type: castType === undefined || castType === null ? "CAST" : nameIn(castTypes, castType),
    },
  };
}

function nameIn<Names extends object>(names: Names, value: unknown): keyof Names {
  if (typeof value !== "string" || !Object.hasOwn(names, value)) throw new TypeError("a word is unknown");
  return value as keyof Names; // just checked
}

function isSigned(hash: string, signer: unknown, signature: unknown): boolean {
  if (typeof signer !== "string" || !/^0x[0-9a-f]{64}$/i.test(signer) || typeof signature !== "string")
    return false;
  const bytes = Buffer.from(signature, "base64");
  if (bytes.length !== 64) return false;
  const der = Buffer.concat([derPrefix, Buffer.from(signer.slice(2), "hex")]);
  const key = createPublicKey({ key: der, format: "der", type: "spki" });
  return verify(null, Buffer.from(hash.slice(2), "hex"), key, bytes);
}
