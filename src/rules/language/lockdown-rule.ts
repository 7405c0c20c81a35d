import { isDeepStrictEqual } from "node:util";

/** The id under which a channel's lockdown is explained and counted. Channel ids are short enough for that. */
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

/** A rule file of its own for the lockdowns of these channels. */
export function lockdownFile(channelIds: readonly string[]): string {
  const defaults = { mode: "enforce", exempt: ["owner", "moderators"] };
  return JSON.stringify({ version: 1, defaults, rules: channelIds.map(entryOf) });
}

/**
 * Whether an entry of a server's file is what earlier versions wrote there for a lockdown, in whatever mode. Whether a channel is
 * locked down is no matter of the file: the entry is passed over, wherever it comes from.
 */
export function isFormerLockdown(entry: unknown): boolean {
  if (typeof entry !== "object" || entry === null || !("channels" in entry)) return false;
  const { channels } = entry;
  const [channelId] = Array.isArray(channels) ? (channels as unknown[]) : [];
  if (typeof channelId !== "string") return false;
  const former = { ...entryOf(channelId), mode: "", priority: 1000, on_unknown: "skip" };
  return isDeepStrictEqual({ ...entry, mode: "" }, former);
}
