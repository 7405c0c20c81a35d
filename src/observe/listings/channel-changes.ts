import type { Channel } from "../../contract/channels.ts";
import type { EventContent } from "../events.ts";

/** The fields whose edits are announced, with the words for them. */
const announcedFields: readonly [field: keyof Channel, word: string][] = [
  ["name", "name"],
  ["url", "address"],
  ["description", "description"],
  ["imageUrl", "picture"],
  ["headerImageUrl", "header picture"],
  ["leadFid", "owner"],
  ["moderatorFids", "moderators"],
  ["publicCasting", "who may cast"],
  ["externalLink", "link"],
];

/** What changed between two readings of a channel record: its pin, its other fields. */
export function findChannelChanges(before: Channel, after: Channel): EventContent[] {
  const changes: EventContent[] = [];
  if (before.pinnedCastHash !== after.pinnedCastHash) {
    const data = { castHash: after.pinnedCastHash ?? null, previousHash: before.pinnedCastHash ?? null };
    changes.push({ kind: "pin.changed", data });
  }
  const fields = announcedFields
    .filter(([field]) => !isSame(before[field], after[field]))
    .map(([, word]) => word);
  if (fields.length > 0) changes.push({ kind: "channel.edited", data: { fields } });
  return changes;
}

function isSame(before: unknown, after: unknown): boolean {
  return JSON.stringify(before ?? null) === JSON.stringify(after ?? null);
}
