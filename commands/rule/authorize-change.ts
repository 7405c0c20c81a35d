import type { CommandContext } from "../../src/discord/command-context.ts";
import { authorizeRules } from "../../src/moderation/authorize-server.ts";
import { listLinkedChannels } from "../../src/moderation/links.ts";
import type { RuleSet } from "../../src/rules/evaluate/rule-set.ts";
import { channelsOfChange } from "../../src/rules/versions/compare-rules.ts";
import type { RulesInForce } from "../../src/rules/versions/rules-of-server.ts";

/**
 * Makes sure that the actor may put these rules in the place of those in force: "rules" in every channel in which a rule
 * that is new, gone or changed can act. Gives the channels in which they hold it. Throws as `authorizeRules` does.
 */
export async function authorizeChange(
  context: CommandContext,
  inForce: RulesInForce | undefined,
  after: RuleSet,
): Promise<string[]> {
  const linked = await listLinkedChannels(context, context.actor.guildId);
  // Nobody can tell what unreadable rules were about.
  const concerned = inForce?.unreadable ? linked : channelsOfChange(inForce?.ruleSet, after, linked);
  return authorizeRules(context, context.actor, concerned);
}
