import { z } from "zod";
import { confirm, oneOf } from "../../src/discord/command.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { AppError } from "../../src/errors.ts";
import { authorizeRules } from "../../src/moderation/authorize-server.ts";
import { Mode } from "../../src/rules/language/rule-file.ts";
import type { RulesInForce } from "../../src/rules/evaluate/rule-set.ts";
import { countHits } from "../../src/rules/verdicts/stored-verdicts.ts";
import { colors } from "../../src/text/colors.ts";
import { authorizeChange, putRulesInForce, rehearseChange } from "./change-rules.ts";
import { describeRule, modeWords } from "./describe-rule.ts";
import { requireRule, requireRules, ruleOption } from "./rule-arguments.ts";
import { textView } from "../../src/discord/view.ts";

const week = 7 * 86_400_000;

const effects: Record<Mode, string> = {
  off: "It is no longer evaluated.",
  shadow: "It records what it would do, and does nothing.",
  review: "It asks a moderator before it does anything.",
  enforce: "**It acts automatically on everything that matches from now on.**",
};

export const changeRuleMode = confirm({
  description: "Turn a rule off, try it in shadow, or let it act",
  needs: "rules",
  console: true,
  options: {
    rule: { ...ruleOption, required: true },
    mode: oneOf(Mode.options, { description: "Its new mode", required: true }),
  },
  confirmLabel: "Change it",
  state: z.object({ ruleId: z.string(), mode: Mode, baseVersion: z.int() }),
  async preview(context, { rule: id, mode }) {
    await authorizeRules(context, context.actor);
    if (id === undefined) throw new AppError("invalid_input", "Say which rule.");
    const rules = await requireRules(context);
    const rule = requireRule(rules, id);
    if (rule.mode === mode) {
      return {
        view: textView("plain", `${describeRule(rule)}\nIt already is in this mode.`),
      };
    }
    const since = context.clock.now() - week;
    const hits = await countHits(context.database.query, context.actor.guildId, [rule.id], since);
    const description = [
      describeRule(rule),
      `It fired ${hits.get(rule.id) ?? 0} times in the last 7 days.`,
      "",
      `→ ${modeWords[mode]}. ${effects[mode]}`,
    ].join("\n");
    const after = await context.ruleThreads.read(
      `user ${context.actor.userId}`,
      await changeModeOf(context, rules, rule.id, mode),
    );
    const held = await authorizeChange(context, rules, after);
    const asked = { title: `Change ${rule.id}?`, description, color: colors.warning };
    // Not confirmed, because somebody who restrains a rule is in a hurry, and it will do less than before.
    const isLess = Mode.options.indexOf(mode) < Mode.options.indexOf(rule.mode);
    const embeds = isLess ? [asked] : [asked, await rehearseChange(context, held, rules.ruleSet, after)];
    return {
      view: { embeds },
      state: { ruleId: rule.id, mode, baseVersion: rules.version },
    };
  },
  async act(context, { ruleId, mode, baseVersion }) {
    const source = await changeModeOf(context, await requireRules(context), ruleId, mode);
    return putRulesInForce(context, { source, baseVersion, change: `mode of ${ruleId}: ${mode}` });
  },
});

function changeModeOf(
  { ruleThreads, actor }: CommandContext,
  { source }: RulesInForce,
  ruleId: string,
  mode: Mode,
): Promise<string> {
  return ruleThreads.edit(`user ${actor.userId}`, "changeMode", source, [ruleId], mode);
}
