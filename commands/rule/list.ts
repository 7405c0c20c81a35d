import type { ListPage } from "../../src/discord/command.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { maxListText } from "../../src/limits/discord-limits.ts";
import { listLinkedChannels } from "../../src/moderation/channel-links.ts";
import type { Rule, RulesInForce } from "../../src/rules/evaluate/rule-set.ts";
import { countHits } from "../../src/rules/verdicts/stored-verdicts.ts";
import { amount } from "../../src/text/amount.ts";
import { cutText, fitLines } from "../../src/text/message-text.ts";
import { findSlowRules } from "../../src/rules/limits/slow-rules.ts";
import { coversChannel } from "../../src/text/glob.ts";
import { readRuleRecords } from "../../src/reviews/rule-record.ts";
import { describePauses } from "../shared/describe-pauses.ts";
import { describeRecord, describeRule } from "./describe-rule.ts";
import { requireReadable } from "./rule-arguments.ts";
import { textView } from "../../src/discord/view.ts";

const pageSize = 10;
const week = 7 * 86_400_000;
const month = 30 * 86_400_000;

/** In the order they run. */
export async function listRules(context: CommandContext, cursor: string | undefined): Promise<ListPage> {
  const channels = await listLinkedChannels(context, context.actor.guildId);
  const rules = await requireReadable(context);
  const { version, ruleSet } = rules;
  const start = Number(cursor ?? 0);
  const shown = ruleSet.rules.slice(start, start + pageSize);
  const lines = await describeListed(context, rules, shown);
  const { text, fitted } = fitLines(lines, maxListText);
  const end = start + fitted;
  const pauses = await describePauses(context);
  const exempt = ruleSet.exempt.length > 0 ? ruleSet.exempt.join(" and ") : "nobody but Castellan itself";
  return {
    view: textView("plain", text || "The file holds no rules.", {
      title: `${amount(ruleSet.rules.length, "rule")}, version ${version}`,
      fields: [
        ...(pauses.length > 0
          ? [{ name: "Paused, so no rule acts there", value: fitLines(pauses, 1000).text }]
          : []),
        { name: "Exempt", value: exempt, inline: true },
      ],
      footer: `${cutText(describeLinked(channels, ruleSet.rules), 400)} /rule show version:${version} has the file.`,
    }),
    ...(end < ruleSet.rules.length && { next: String(end) }),
  };
}

/** The linked channels that rules cover. */
function describeLinked(channelIds: readonly string[], rules: readonly Rule[]): string {
  const isServed = (channelId: string) =>
    rules.some(({ mode, channels }) => mode !== "off" && coversChannel(channels, channelId));
  const list = (ids: readonly string[]) => ids.map((id) => `/${id}`).join(", ");
  const unserved = channelIds.filter((channelId) => !isServed(channelId));
  const linked = `Linked: ${list(channelIds)}`;
  return unserved.length === 0 ? linked : `${linked}. No rule covers ${list(unserved)}.`;
}

/** A line for each of these rules: what it does, and its recent results. */
export async function describeListed(
  context: CommandContext,
  rules: RulesInForce,
  shown: readonly Rule[],
): Promise<string[]> {
  const { actor, clock, database } = context;
  const { guildId } = actor;
  const ids = shown.map((rule) => rule.id);
  const [hits, records, slow] = await Promise.all([
    countHits(database.query, guildId, ids, clock.now() - week),
    readRuleRecords(database.query, guildId, ids, clock.now() - month),
    findSlowRules(context, guildId, rules),
  ]);
  return shown.map((rule) => {
    const tooSlow = slow.has(rule.id) ? " · **too slow, so Castellan turned it off**" : "";
    const wrong = describeRecord(records.get(rule.id))
      .map((one) => ` · ${one} in 30 days`)
      .join("");
    return `${describeRule(rule)} · ${hits.get(rule.id) ?? 0} hits in 7 days${wrong}${tooSlow}`;
  });
}
