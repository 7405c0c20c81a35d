import type { CommandContext } from "../../src/discord/command-context.ts";
import { text, type AttachedFile, type Option } from "../../src/discord/command.ts";
import { AppError } from "../../src/errors.ts";
import type { Rule, RulesInForce } from "../../src/rules/evaluate/rule-set.ts";
import { sourceLimits } from "../../src/rules/language/read-source.ts";
import { findRules } from "../../src/rules/versions/rules-of-server.ts";
import { decodeUtf8 } from "../../src/text/decode-utf8.ts";
import { inlineCode } from "../../src/text/message-text.ts";
import { suggestedChannels } from "../shared/suggestions.ts";

/** A rule of this server, by id. */
export const ruleOption: Option<string | undefined> = text({
  description: "Which rule",
  maxLength: 40,
  suggest: suggestRules,
});

async function suggestRules(typed: string, context: CommandContext) {
  if ((await suggestedChannels(context, "rules")).length === 0) return [];
  const found = await findRules(context, context.actor.guildId);
  const rules = found?.ruleSet.rules.filter(({ id }) => id.includes(typed.trim().toLowerCase())) ?? [];
  return rules.slice(0, 25).map(({ id, mode }) => ({ name: `${id} (${mode})`, value: id }));
}

/** The server's rules, readable or not. Throws `not_found` where there are none. */
export async function requireRules(context: CommandContext): Promise<RulesInForce> {
  const found = await findRules(context, context.actor.guildId);
  if (found) return found;
  throw new AppError("not_found", "This server has no rules yet. /rule import takes a file of them.");
}

/** A server's rules in force, if any. Throws `invalid_file` if they cannot be read. */
export async function findReadable(context: CommandContext): Promise<RulesInForce | undefined> {
  const rules = await findRules(context, context.actor.guildId);
  if (rules?.unreadable) throw rules.unreadable;
  return rules;
}

/** The server's rules, ready to evaluate. Throws `not_found`, and `invalid_file` if they can no longer be read. */
export async function requireReadable(context: CommandContext): Promise<RulesInForce> {
  const found = await requireRules(context);
  if (found.unreadable) throw found.unreadable;
  return found;
}

/** Throws `not_found`, and `invalid_file` if they cannot be read. */
export function requireRule({ ruleSet, unreadable }: RulesInForce, id: string): Rule {
  if (unreadable) throw unreadable;
  const found = ruleSet.rules.find((rule) => rule.id === id.trim().toLowerCase());
  if (found) return found;
  throw new AppError("not_found", `There is no rule ${inlineCode(id, 40)}. /rule show lists them.`);
}

/** Timeout for fetching a file from Discord, in milliseconds. */
const timeoutMs = 10_000;

/** The rule file attached to a command. Throws `invalid_file` if it is not UTF-8. */
export async function readAttachedRules(file: AttachedFile): Promise<string> {
  return decodeUtf8(await fetchAttached(file, sourceLimits.bytes), file.name);
}

/** The text of a file that was attached to a command. */
export async function readAttachedFile(file: AttachedFile, maxBytes: number): Promise<string> {
  return new TextDecoder().decode(await fetchAttached(file, maxBytes));
}

/** The attached file's content. Its address comes from Discord. */
async function fetchAttached({ name, size, url }: AttachedFile, maxBytes: number): Promise<ArrayBuffer> {
  if (size > maxBytes) {
    const limit = maxBytes / 1024;
    throw new AppError(
      "invalid_file",
      `The file has ${Math.ceil(size / 1024)} kB; at most ${limit} kB are read.`,
    );
  }
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
    if (response.ok) return await response.arrayBuffer();
    throw new Error(`Discord answered ${response.status}`);
  } catch (error) {
    throw new AppError("invalid_file", `${name} could not be fetched from Discord. Attach it again.`, {
      cause: error,
    });
  }
}
