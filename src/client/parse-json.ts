import { parseStorableJson } from "../text/storable.ts";

export type JsonObject = Record<string, unknown>;

/** The JSON object in a text, its strings such as can be stored; undefined for anything else. */
export function parseJsonObject(text: string): JsonObject | undefined {
  try {
    const value = parseStorableJson(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
