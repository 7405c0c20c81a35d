import { seconds } from "../../clock.ts";
import type { NewChannelEvent } from "../../observe/event.ts";
import type { RuleContext } from "../context.ts";
import type { RulesInForce } from "../versions/rules-of-server.ts";
import type { Pending } from "./pending.ts";

/** Tells people, once for each version and channel, that the rules in force are unreadable and therefore asleep. */
export async function tellUnreadable(
  context: RuleContext,
  taken: readonly Pending[],
  rules: ReadonlyMap<string, RulesInForce>,
): Promise<void> {
  const events = new Map<string, NewChannelEvent>();
  for (const { guildId, channelId } of taken) {
    const { version, unreadable } = rules.get(guildId) ?? {};
    if (version === undefined || !unreadable) continue;
    const sourceKey = `unreadable ${guildId} ${channelId} ${version}`;
    const mistakes = unreadable.mistakes.slice(0, 5).map(({ path, message }) => `${path}: ${message}`);
    events.set(sourceKey, {
      sourceKey,
      kind: "rules.unreadable",
      channelId,
      subjectFid: null,
      occurredAt: seconds(context.clock),
      observedAt: context.clock.now(),
      depth: 0,
      caseId: null,
      data: { guildId, version, mistakes },
    });
  }
  if (events.size === 0) return;
  await context.database.transaction((tx) => context.appendEvents(tx, [...events.values()]));
}
