import { findWritten, readTyped } from "../../commands/rule/edit.ts";
import { describeListed } from "../../commands/rule/list.ts";
import { describeSaver } from "../../commands/rule/describe-rule.ts";
import { requireRules } from "../../commands/rule/rule-arguments.ts";
import type { CommandContext } from "../discord/command-context.ts";
import { AppError, asAppError, type Mistake } from "../errors.ts";
import { authorizeRules } from "../moderation/authorize-server.ts";
import { findRules, findVersion, listVersions } from "../rules/versions/rules-of-server.ts";
import { cutPage, readPosition } from "./paging.ts";
import type { Requested } from "./request-schemas.ts";

const rulesOnPage = 50;
const versionsOnPage = 25;

interface RulesInForce {
  /** 0 if there were never any rules. */
  version: number;
  exempt?: readonly string[];
  rules: { id: string; mode: string; line: string }[];
  unreadable?: string;
  next?: string;
}

/** The rules in force, in order of evaluation, one page of them. */
export async function readRules(context: CommandContext, { after }: Requested): Promise<RulesInForce> {
  await authorizeRules(context, context.actor);
  const found = await findRules(context, context.actor.guildId);
  if (!found) return { version: 0, rules: [] };
  const { version, ruleSet, unreadable } = found;
  const start = readPosition(after) ?? 0;
  const { shown, more } = cutPage(ruleSet.rules.slice(start), rulesOnPage, () => start + rulesOnPage);
  const lines = await describeListed(context, found, shown);
  return {
    version,
    exempt: ruleSet.exempt,
    rules: shown.map(({ id, mode }, index) => ({ id, mode, line: lines[index] ?? "" })),
    ...(unreadable && { unreadable: unreadable.message }),
    ...more,
  };
}

/** The rules as they were written, for editing; with a version, that version's file. `version` is the one in force. */
export async function readSource(context: CommandContext, { rule, version: asked }: Requested) {
  const { text, rules } = await findWritten(context, rule || undefined);
  const version = rules?.version ?? 0;
  if (!asked) return { text, version };
  const wanted = readPosition(asked) ?? 0;
  const { query } = context.database;
  const found = await findVersion(query, context.actor.guildId, wanted);
  if (found) return { text: found.source, version };
  throw new AppError("not_found", `There is no version ${wanted} of this server's rules.`);
}

/** Versions, newest first. */
export async function readVersions(context: CommandContext, { before }: Requested) {
  await authorizeRules(context, context.actor);
  const { version: inForce } = await requireRules(context);
  const { query } = context.database;
  const { guildId } = context.actor;
  const found = await listVersions(query, guildId, versionsOnPage + 1, readPosition(before));
  const { shown, more } = cutPage(found, versionsOnPage, ({ version }) => version);
  return {
    inForce,
    versions: shown.map(({ version, change, saved_by, saved_at_ms }) => ({
      version,
      change,
      by: describeSaver(saved_by),
      at: saved_at_ms / 1000,
    })),
    ...more,
  };
}

const vain = "Some conditions cannot work as written.";

/** The mistakes in the input and their places; empty if it can be put in force. */
export async function listMistakes(
  context: CommandContext,
  rule: string | undefined,
  typed: string,
): Promise<readonly Mistake[]> {
  await authorizeRules(context, context.actor);
  const { ruleThreads, actor } = context;
  try {
    await readTyped(context, rule ?? null, typed, async (source) => {
      const { remarks } = await ruleThreads.read(`user ${actor.userId}`, source);
      // They could be put in force but would have no effect, which is a mistake for their author.
      if (remarks.length > 0) throw new AppError("invalid_file", vain, { mistakes: [...remarks] });
    });
    return [];
  } catch (error) {
    const refused = asAppError(error, "invalid_file", "invalid_input", "not_found");
    if (!refused) throw error;
    return refused.mistakes.length > 0 ? refused.mistakes : [{ path: "file", message: refused.message }];
  }
}
