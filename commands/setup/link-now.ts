import type { CommandContext } from "../../src/discord/command-context.ts";
import { textView, type View } from "../../src/discord/view.ts";
import { describeOnboarding } from "../../src/moderation/channel-links.ts";
import { linkChannel } from "../../src/moderation/link-channel.ts";
import type { RuleSet } from "../../src/rules/evaluate/rule-set.ts";
import { coversChannel } from "../../src/text/glob.ts";
import { findRules } from "../../src/rules/versions/rules-of-server.ts";
import { amount } from "../../src/text/amount.ts";

/** Links the channel and describes the next steps. Throws as `linkChannel` does. */
export async function linkNow(context: CommandContext, channelId: string): Promise<View> {
  const { channel, renewed, way, refusal } = await linkChannel(context, context.actor, channelId);
  const next =
    way === "moderator"
      ? "Castellan moderates it, so everything works now."
      : `Castellan does not moderate it yet: ${describeOnboarding(context.botFid, way, refusal)}`;
  const rules = await findRules(context, context.actor.guildId);
  const lines = [
    renewed ? `The link to /${channel.id} is renewed.` : `/${channel.id} is linked to this server.`,
    next,
    ...(rules ? [describeRules(rules.ruleSet, channel.id)] : []),
    "",
    "Next: use `/feed add` in the room where its events should be posted, and `/setup permissions` to give roles permissions.",
  ];
  return textView("good", lines);
}

/** Which of the server's rules cover this channel; a rule may be off, or limited to other channels. */
function describeRules({ rules }: RuleSet, channelId: string): string {
  const own = rules.filter((rule) => rule.mode !== "off" && coversChannel(rule.channels, channelId));
  const all = amount(rules.length, "rule");
  if (own.length === 0) return `None of this server's ${all} covers it. See /rule show.`;
  const which =
    own.length === rules.length ? `This server's ${all}` : `${own.length} of this server's ${all}`;
  return `${which} ${own.length === 1 ? "covers" : "cover"} it from now on. See /rule show.`;
}
