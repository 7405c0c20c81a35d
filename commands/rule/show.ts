import { stringify } from "yaml";
import { flag, integer, listing } from "../../src/discord/command.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { textView, type View } from "../../src/discord/view.ts";
import { AppError, asAppError } from "../../src/errors.ts";
import { discordLimits } from "../../src/limits/discord-limits.ts";
import { authorizeRules } from "../../src/moderation/authorize-server.ts";
import { listVerdicts } from "../../src/rules/verdicts/stored-verdicts.ts";
import { findVersion, listVersions } from "../../src/rules/versions/rules-of-server.ts";
import { amount } from "../../src/text/amount.ts";
import {
  codeBlock,
  describeTime,
  escapeText,
  fitLinesOrCount,
  inlineCode,
} from "../../src/text/message-text.ts";
import { readRuleRecords } from "../../src/reviews/rule-record.ts";
import { describeRecord, describeRule, describeSaver, outcomeWords } from "./describe-rule.ts";
import { requireRule, requireRules, ruleOption } from "./rule-arguments.ts";
import { listHistory } from "./history.ts";
import { listRules } from "./list.ts";
import { showNumber } from "../../src/text/numbered.ts";

export const showRules = listing({
  description:
    "The rules in the order they run; or one with its latest verdicts, a version's file, or all versions",
  needs: "rules",
  console: true,
  options: {
    rule: ruleOption,
    version: integer({ description: "The whole file as it was in this version", min: 1, max: 1_000_000 }),
    history: flag("All versions: what changed, by whom and when"),
  },
  async page(context, { rule, version, history }, cursor) {
    await authorizeRules(context, context.actor);
    if (history) return listHistory(context, cursor);
    if (rule !== undefined) return { view: await showOne(context, rule) };
    const rules = await requireRules(context);
    if (version === undefined && !rules.unreadable) return listRules(context, cursor);
    return { view: await showFile(context, version ?? rules.version) };
  },
});

/** Milliseconds over which false positives are counted. */
const month = 30 * 86_400_000;

async function showOne(context: CommandContext, id: string): Promise<View> {
  const rules = await requireRules(context);
  const rule = requireRule(rules, id);
  const verdicts = await listVerdicts(context.database.query, context.actor.guildId, rule.id, 5);
  const lines = verdicts.map(({ channel_id, outcome, why, event_id, decided_at_ms }) => {
    const reason = why === null ? "" : `: ${escapeText(why, 120)}`;
    return `${describeTime(decided_at_ms / 1000)} /${channel_id} ${outcomeWords[outcome]} on event ${showNumber("event", event_id)}${reason}`;
  });
  const since = context.clock.now() - month;
  const records = await readRuleRecords(context.database.query, context.actor.guildId, [rule.id], since);
  const wrong = describeRecord(records.get(rule.id));
  const written = codeBlock(stringify(rule.entry, { lineWidth: 60 }), 2500);
  return textView("plain", `${describeRule(rule)}\n${written}`, {
    title: `Rule ${rule.id}, version ${rules.version}`,
    fields: [
      { name: "False positives in 30 days", value: wrong.join(", ") || "None reported." },
      {
        name: "Latest verdicts",
        value: fitLinesOrCount(lines, discordLimits.fieldValue) || "None yet.",
      },
    ],
  });
}

async function showFile(context: CommandContext, version: number): Promise<View> {
  const { guildId } = context.actor;
  const found = await findVersion(context.database.query, guildId, version);
  if (!found) throw new AppError("not_found", `There is no version ${version} of this server's rules.`);
  const versions = await listVersions(context.database.query, guildId, 10);
  const lines = versions.map(
    ({ version, change, saved_by, saved_at_ms }) =>
      `**${version}** ${inlineCode(change, 80)} by ${describeSaver(saved_by)} ${describeTime(saved_at_ms / 1000)}`,
  );
  const [mistake, ...others] = await listMistakes(context, found.source);
  const worth =
    mistake === undefined
      ? "Importing it restores this version."
      : `It cannot be imported as it is. ${inlineCode(mistake, 300)}${others.length > 0 ? ` and ${amount(others.length, "more mistake")}` : ""}`;
  const kind = found.source.trimStart().startsWith("{") ? "json" : "yaml";
  return {
    ...textView("plain", `The file is attached. ${worth}\n\n${lines.join("\n")}`, {
      title: `Rules, version ${version}`,
    }),
    files: [{ name: `rules-${version}.${kind}`, text: found.source }],
  };
}

/** Why a saved file can no longer be read. */
async function listMistakes({ ruleThreads, actor }: CommandContext, source: string): Promise<string[]> {
  try {
    await ruleThreads.read(`user ${actor.userId}`, source);
    return [];
  } catch (error) {
    const refused = asAppError(error, "invalid_file");
    if (!refused) throw error;
    return refused.mistakes.map(({ path, message }) => `${path}: ${message}`);
  }
}
