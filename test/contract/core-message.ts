import { Message, MessageData, validations, type MessageData as Data } from "@farcaster/core";
import type { HubMessage } from "../../src/contract/hub.ts";

/** A message of a hub's JSON in the protocol's own library, which has all bytes in base64. */
export function readHubMessage({ data, hash, signer, ...rest }: HubMessage): Message {
  const bytes = { hash: toBase64(hash), signer: toBase64(String(signer)) };
  return Message.fromJSON({ ...rest, ...bytes, data: inBase64(data) });
}

/** What that library says against a message; nothing where it verifies. */
export async function objectionsTo(message: HubMessage | undefined): Promise<string | undefined> {
  if (!message) return "there is no message";
  const result = await validations.validateMessage(readHubMessage(message));
  return result.isErr() ? result.error.message : undefined;
}

export function readHubData(data: object): Data {
  return MessageData.fromJSON(inBase64(data));
}

/** Hubs write hashes in hex but for those that a removal names. */
function inBase64(data: object): unknown {
  return JSON.parse(JSON.stringify(data), (key, value: unknown) =>
    key === "hash" && typeof value === "string" ? toBase64(value) : value,
  );
}

function toBase64(hex: string): string {
  return Buffer.from(hex.slice(2), "hex").toString("base64");
}
