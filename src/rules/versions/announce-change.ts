import { newEvent, type NewChannelEvent } from "../../observe/events.ts";
import type { RuleSet } from "../evaluate/rule-set.ts";
import { compareRules } from "./compare-rules.ts";
import type { NewRules } from "./rules-of-server.ts";

/** A room shows a few, and how many more there are. */
const maxNamed = 50;

/**
 * News of a new version for the server's rooms: told once in each, for it belongs to no channel. `before` is what was in
 * force, as far as it can be read.
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
