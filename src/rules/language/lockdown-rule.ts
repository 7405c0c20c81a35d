import { isDeepStrictEqual } from "node:util";

/** The id under which a channel's lockdown is explained and counted. Channel ids are short enough for it. */
export function lockdownRuleId(channelId: string): string {
  return `lockdown-${channelId}`;
}

function entryOf(channelId: string) {
  return {
    id: lockdownRuleId(channelId),
    channels: [channelId],
    on: ["cast.created"],
    when: { all: [{ "author.is_member": false }, { "author.is_moderator": false }] },
    then: [{ hide: {} }],
  };
}

/** A separate rule file for the lockdowns of these channels. */
export function lockdownFile(channelIds: readonly string[]): string {
  const defaults = { mode: "enforce", exempt: ["owner", "moderators"] };
  return JSON.stringify({ version: 1, defaults, rules: channelIds.map(entryOf) });
}

/**
 * Whether an entry in a server's file is a lockdown written there by an earlier version, in any mode. Lockdowns no longer
 * belong to the file, so the entry is ignored wherever it comes from.
 */
export function isFormerLockdown(entry: unknown): boolean {
  if (typeof entry !== "object" || entry === null || !("channels" in entry)) return false;
  const { channels } = entry;
  const [channelId] = Array.isArray(channels) ? (channels as unknown[]) : [];
  if (typeof channelId !== "string") return false;
  const former = { ...entryOf(channelId), mode: "", priority: 1000, on_unknown: "skip" };
  return isDeepStrictEqual({ ...entry, mode: "" }, former);
}
