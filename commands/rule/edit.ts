import { z } from "zod";
import { form } from "../../src/discord/command.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { textView, type View } from "../../src/discord/view.ts";
import { asAppError } from "../../src/errors.ts";
import { authorizeRules } from "../../src/moderation/authorize-server.ts";
import type { RulesInForce } from "../../src/rules/evaluate/rule-set.ts";
import { mistakesOfRule } from "../../src/rules/language/mistakes-of-rule.ts";
import { findRules, findVersion } from "../../src/rules/versions/rules-of-server.ts";
import { ProposedRules, proposeRules, putRulesInForce } from "./change-rules.ts";
import { requireRule, ruleOption } from "./rule-arguments.ts";

/** The most characters in one field of a form. */
const maxCharacters = 4000;

const beginning = `version: 1
defaults: {mode: shadow, exempt: [owner, moderators]}
rules:
  - id: first-rule
    on: [cast.created]
    when: {text: {contains: "free airdrop"}}
    then: [{hide: {}}]
`;

export const editRules = form({
  description: "Edit one rule, or the whole file if it is small; first shows what would change",
  needs: "rules",
  options: { rule: ruleOption },
  confirmLabel: "Put in force",
  // The version that was opened; forms of earlier versions of Castellan do not say.
  formState: z.object({ ruleId: z.string().nullable(), version: z.int().optional() }),
  state: ProposedRules,
  async open(context, { rule: id }) {
    const { ruleId, text: value, rules } = await findWritten(context, id);
    if (rules && value.length > maxCharacters) return { view: handOutFile(rules) };
    const label = ruleId === null ? "The rules, in YAML" : `Rule ${ruleId}`;
    return {
      title: ruleId === null ? "Edit the rules" : "Edit a rule",
      fields: { rules: { label, value, maxLength: maxCharacters } },
      state: { ruleId, version: rules?.version ?? 0 },
    };
  },
  async preview(context, { ruleId, version }, { rules: typed = "" }) {
    // Checked before the typed text is read; the change itself is authorized when it is proposed.
    await authorizeRules(context, context.actor);
    const change = ruleId === null ? "edit" : `edit of ${ruleId}`;
    const lead = await warnOfChange(context, ruleId, version);
    return readTyped(context, ruleId, typed, (source) => proposeRules(context, source, change, { lead }));
  },
  act: putRulesInForce,
});

/** What was typed replaces what somebody else has put in force since the form was opened; nothing, if nobody has. */
async function warnOfChange(
  context: CommandContext,
  ruleId: string | null,
  version: number | undefined,
): Promise<string[]> {
  const { database, actor, ruleThreads } = context;
  const inForce = await findRules(context, actor.guildId);
  if (version === undefined || !inForce || inForce.version === version) return [];
  const opened = await findVersion(database.query, actor.guildId, version);
  const queue = `user ${actor.userId}`;
  const cut = (source: string) =>
    ruleId === null ? source : ruleThreads.edit(queue, "cutRule", source, ruleId).catch(() => undefined);
  if (opened && (await cut(opened.source)) === (await cut(inForce.source))) return [];
  const what = ruleId === null ? "the rules were" : "this rule was";
  return [
    `⚠️ While you were editing, ${what} changed: version ${inForce.version} is in force. Yours replaces it.`,
  ];
}

/** The text to edit: one rule as it is in the file, or the whole file; a template if there is none. */
export async function findWritten(
  context: CommandContext,
  id: string | undefined,
): Promise<{ ruleId: string | null; text: string; rules: RulesInForce | undefined }> {
  await authorizeRules(context, context.actor);
  const rules = await findRules(context, context.actor.guildId);
  const ruleId = rules && id !== undefined ? requireRule(rules, id).id : null;
  const source = rules?.source ?? beginning;
  const queue = `user ${context.actor.userId}`;
  const text = ruleId === null ? source : await context.ruleThreads.edit(queue, "cutRule", source, ruleId);
  return { ruleId, text, rules };
}

/**
 * Applies the typed text to the rules in force now, so that somebody else's changes to other rules
 * in the meantime stay. An error gives the positions of mistakes in the typed text.
 */
export async function readTyped<T>(
  context: CommandContext,
  ruleId: string | null,
  typed: string,
  read: (source: string) => Promise<T>,
): Promise<T> {
  if (ruleId === null) return read(typed);
  const { ruleThreads, actor } = context;
  const queue = `user ${actor.userId}`;
  const file = (await findRules(context, actor.guildId))?.source ?? "";
  const source = await ruleThreads.edit(queue, "replaceRule", file, ruleId, typed);
  try {
    return await read(source);
  } catch (error) {
    const refusal = asAppError(error, "invalid_file");
    if (!refusal) throw error;
    const before = await ruleThreads.edit(queue, "textBefore", file, ruleId);
    throw mistakesOfRule(refusal, { before, written: typed });
  }
}

function handOutFile({ version, source }: RulesInForce): View {
  const kind = source.trimStart().startsWith("{") ? "json" : "yaml";
  const description =
    "This is too long for a form. Edit the attached file and upload it with /rule import, which first shows what would change. A single rule fits a form: use /rule edit with the rule's id.";
  return { ...textView("plain", description), files: [{ name: `rules-${version}.${kind}`, text: source }] };
}
