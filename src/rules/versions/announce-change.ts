import { newEvent, type NewChannelEvent } from "../../observe/events.ts";
import type { RuleSet } from "../evaluate/rule-set.ts";
import { compareRules } from "./compare-rules.ts";
import type { NewRules } from "./rules-of-server.ts";

/** A room shows a few, and the number of others. */
const maxNamed = 50;

/**
 * The event for a new version, announced once in each of the server's rooms, because it belongs to no channel. `before`:
 * the rules that were active, as far as they are readable.
 */
export function announceRules(
  rules: NewRules,
  version: number,
  before: RuleSet | undefined,
): NewChannelEvent {
  const { guildId, ruleSet, change, savedBy, savedAt } = rules;
  const { added, removed, changed } = compareRules(before, ruleSet);
  return newEvent(savedAt, {
    sourceKey: `rules ${guildId} ${version}`,
    kind: "rules.changed",
    channelId: null,
    data: {
      guildId,
      version,
      change,
      userId: savedBy,
      added: added.slice(0, maxNamed).map(({ id, mode }) => ({ id, mode })),
      removed: removed.slice(0, maxNamed).map(({ id }) => id),
      changed: changed
        .slice(0, maxNamed)
        .map(({ before, after }) => ({ id: after.id, before: before.mode, after: after.mode })),
    },
  });
}
